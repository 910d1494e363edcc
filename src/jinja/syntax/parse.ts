import { type Origin, TemplateError } from '../errors.ts';
import type { Expression, Template } from './ast.ts';
import { ExpressionParser } from './expressions.ts';
import { templateMutates } from './names.ts';
import { Positions, shift } from './position.ts';
import { cutTemplate, type Segment } from './segments.ts';
import { parseStatements } from './statements.ts';
import { TokenStream } from './stream.ts';
import { tokenize } from './tokens.ts';

export interface ParseOptions {
  trimBlocks: boolean;
  lstripBlocks: boolean;
  newlineSequence: string;
  /** Whether backslashes in the strings of `{{ }}` escape: yes in template files, no in YAML strings. */
  outputEscapes: boolean;
}

export const yamlStringOptions: ParseOptions = {
  trimBlocks: true,
  lstripBlocks: false,
  newlineSequence: '\n',
  outputEscapes: false,
};

/** Parses a template without looking for an Ansible header. */
export function parseTemplateText(source: string, options: ParseOptions, origin?: Origin): Template {
  return located(origin, () => {
    const text = source.replace(/\r\n?/g, '\n');
    const segments = shifted(origin, () => cutTemplate(text.replace(/\n$/, ''), options));
    const body = parseStatements(
      segments.map((segment) => withNewlines(segment, options)),
      new Positions(text, origin),
    );
    return {
      source,
      origin: origin?.name,
      body,
      trailingNewlines: source.length - source.replace(/\n+$/, '').length,
      newlineSequence: options.newlineSequence,
      mutates: templateMutates(body),
    };
  });
}

/** Only the template's own line breaks become the wanted ones: those in values stay. */
function withNewlines(segment: Segment, { newlineSequence }: ParseOptions): Segment {
  if (segment.kind !== 'text' || newlineSequence === '\n') return segment;
  return { ...segment, text: segment.text.replaceAll('\n', newlineSequence) };
}

/** Parses one expression. `withConditional` false refuses `a if b else c` at the top, as `{% if %}` does. */
export function parseExpressionText(source: string, origin?: Origin, withConditional = true): Expression {
  return located(origin, () => {
    const { tokens } = shifted(origin, () => tokenize(source, 0, undefined, true));
    const stream = new TokenStream(tokens, new Positions(source, origin));
    const expression = new ExpressionParser(stream).tuple(withConditional);
    stream.expectEnd();
    return expression;
  });
}

/** Names the file in errors. */
function located<T>(origin: Origin | undefined, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TemplateError) error.origin ??= origin?.name;
    throw error;
  }
}

/** The tokenizer knows only the place in the source; its errors are moved to the place in the file. */
function shifted<T>(origin: Origin | undefined, cut: () => T): T {
  try {
    return cut();
  } catch (error) {
    if (error instanceof TemplateError && error.line !== undefined && error.column !== undefined) {
      Object.assign(error, shift({ line: error.line, column: error.column }, origin));
    }
    throw error;
  }
}
