import { Composer, type Document, Lexer, LineCounter, Parser, type YAMLParseError } from 'yaml';
import { type ErrorFacts, inputError, type KpushError } from '../core/errors.ts';
import type { Origin } from '../core/origin.ts';

/** A parsed document and how to turn its offsets into places. Absent `document`: the text holds none. */
export interface Syntax {
  document?: Document.Parsed;
  origin(offset: number): Origin;
}

/** Deeper nesting than this is refused: the parser's own recursion would end the process. */
const maxDepth = 200;

/** Parses one YAML document. Throws an input error that says what was expected where. */
export function parseSyntax(text: string, file: string): Syntax {
  const lines = new LineCounter();
  const origin = (offset: number): Origin => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const documents = [...compose(text, lines, origin)];
  const bad = documents.flatMap((document) => document.errors).sort((a, b) => a.pos[0] - b.pos[0])[0];
  if (bad) throw explain(bad, text, origin);
  refuseSecond(documents, origin);
  return { document: documents[0], origin };
}

/** Scalars stay text (`failsafe`): their types are ours to tell, after PyYAML. */
const options = {
  version: '1.1',
  schema: 'failsafe',
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

function* compose(text: string, lines: LineCounter, origin: (offset: number) => Origin): Generator<Document.Parsed> {
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer(options);
  lines.addNewLine(0);
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) yield* composer.next(token);
    offset += lexeme.length;
    if (parser.stack.length > maxDepth) throw tooDeep(origin(Math.min(offset, text.length)));
  }
  for (const token of parser.end()) yield* composer.next(token);
  yield* composer.end();
}

function tooDeep(origin: Origin): KpushError {
  return inputError('the YAML is nested too deeply', { origin, expected: `at most ${maxDepth} levels` });
}

function refuseSecond(documents: Document.Parsed[], origin: (offset: number) => Origin): void {
  const second = documents[1];
  if (!second) return;
  throw inputError('a second YAML document starts here', {
    origin: origin(second.contents?.range[0] ?? second.range[0]),
    expected: 'one document per file',
    hint: "remove the line '---' between them, or split the file",
  });
}

function explain(error: YAMLParseError, text: string, origin: (offset: number) => Origin): KpushError {
  const offset = Math.min(error.pos[0], text.length);
  const found = causes.find((cause) => cause.when(error, text, offset));
  const { message, at, ...facts } = found?.say(text, offset) ?? { message: error.message };
  return inputError(message, { origin: origin(at ?? offset), ...facts });
}

interface Cause {
  when(error: YAMLParseError, text: string, offset: number): boolean;
  say(text: string, offset: number): ErrorFacts & { message: string; at?: number };
}

const causes: Cause[] = [
  {
    when: (_error, text, offset) => /^[ ]*\t\s*\S/.test(lineAt(text, offset)),
    say: (text, offset) => ({
      message: 'a tab is used for indentation',
      at: lineStart(text, offset) + lineAt(text, offset).indexOf('\t'),
      expected: 'spaces',
      hint: 'replace the tab by spaces',
    }),
  },
  {
    when: (_error, text, offset) => /\{\{/.test(lineAt(text, offset)) && /:\s+\{\{|-\s+\{\{/.test(lineAt(text, offset)),
    say: (text, offset) => ({
      message: 'a value that starts with {{ must be quoted',
      at: lineStart(text, offset) + lineAt(text, offset).indexOf('{{'),
      expected: 'a quoted string',
      hint: `write "${(lineAt(text, offset).match(/\{\{.*$/)?.[0] ?? '').trim().replaceAll('"', "'")}"`,
    }),
  },
  {
    when: (error) => error.code === 'TAB_AS_INDENT',
    say: () => ({ message: 'a tab is used for indentation', expected: 'spaces', hint: 'replace the tab by spaces' }),
  },
  {
    when: (error, text) => error.code === 'MULTILINE_IMPLICIT_KEY' && /^\s*</.test(text),
    say: (text) => ({
      message: 'this is not YAML',
      at: text.search(/\S/),
      expected: 'a YAML list or mapping',
      hint: 'the text looks like HTML or XML',
    }),
  },
  {
    when: (error) => error.code === 'MULTILINE_IMPLICIT_KEY',
    say: () => ({
      message: 'this is not YAML',
      expected: "'key: value' or '- item'",
      hint: "a ':' followed by a space may be missing, or the indentation may be off",
    }),
  },
  {
    when: (error) => error.code === 'BLOCK_AS_IMPLICIT_KEY',
    say: () => ({
      message: "a second ': ' stands in an unquoted value, or a line is indented under a value",
      expected: 'a plain value',
      hint: 'quote the value, or align the keys',
    }),
  },
  {
    when: (error) => error.code === 'BAD_INDENT',
    say: () => ({
      message: 'this line is indented differently from its neighbours',
      expected: 'items of one mapping or list in the same column',
    }),
  },
  {
    when: (error) => error.code === 'MISSING_CHAR' && /closing .?quote/.test(error.message),
    say: (text, offset) => ({
      message: 'a quote that opens is never closed',
      at: openQuote(text, offset),
      expected: 'a closing quote',
    }),
  },
  {
    when: (error) => error.code === 'BAD_SCALAR_START',
    say: (text, offset) => ({
      message: `a plain value cannot start with '${text[offset]}'`,
      expected: 'a quoted string',
      hint: 'put the value in quotes',
    }),
  },
  {
    when: (error) => error.code === 'BAD_DQ_ESCAPE',
    say: (text, offset) => ({
      message: `'${text.slice(offset, offset + 2)}' is no escape in a double-quoted string`,
      expected: 'an escape of YAML such as \\n, \\\\ or \\"',
      hint: 'use single quotes, where \\ stands for itself',
    }),
  },
  {
    when: (error, text, offset) => error.code === 'UNEXPECTED_TOKEN' && /^['"]/.test(valueAt(text, offset)),
    say: () => ({
      message: 'text follows the closing quote',
      expected: 'the end of the line',
      hint: 'quote the whole value',
    }),
  },
  {
    when: (error, text, offset) => error.code === 'UNEXPECTED_TOKEN' && /^[\w"'].*:(\s|$)/.test(text.slice(offset)),
    say: () => ({
      message: 'a mapping key stands where a list goes on',
      expected: "'- item', or a key of the enclosing mapping in its column",
    }),
  },
];

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(lineStart(text, offset), end < 0 ? undefined : end);
}

/** What stands behind the key on the line of `offset`. */
function valueAt(text: string, offset: number): string {
  return lineAt(text, offset).replace(/^\s*(?:- +)*(?:[^\s:'"]+: +)?/, '');
}

/** The parser reports an unclosed quote where the text ends: the last value that opens one is what a person looks for. */
function openQuote(text: string, offset: number): number {
  const before = text.slice(0, offset);
  const opening = [...before.matchAll(/(?:^|[:\-[,{]\s+|\n\s*)(["'])/g)].filter(
    (match) => !closes(before, match.index + match[0].length, match[1] ?? ''),
  )[0];
  return opening ? opening.index + opening[0].length - 1 : offset;
}

function closes(text: string, from: number, quote: string): boolean {
  const line = text.slice(from, text.indexOf('\n', from) < 0 ? undefined : text.indexOf('\n', from));
  return (quote === '"' ? line.replace(/\\./g, '') : line.replaceAll("''", '')).includes(quote);
}
