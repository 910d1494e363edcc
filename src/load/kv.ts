import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import { placeIn } from '../core/place.ts';
import { mapping } from './expect.ts';
import { hasTemplate } from './yaml-scalar-nodes.ts';

export interface KeyValues {
  params?: Node;
  /** The text without the options in it. */
  freeForm?: Node;
}

/** `k=v` text as Ansible reads it: shell-like quotes, templates are never split. `isOption` says which names are options. */
export function parseKeyValues(node: Node, text: string, isOption: (name: string) => boolean): KeyValues {
  const entries: [string, { keyOrigin: ReturnType<typeof placeIn>; node: Node }][] = [];
  const rest: string[] = [];
  let from = 0;
  for (const word of splitWords(text, node)) {
    const pair = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(word.text);
    if (!pair || !isOption(pair[1] ?? '')) continue;
    rest.push(text.slice(from, word.start).trimEnd());
    from = word.start + word.text.length;
    const keyOrigin = placeIn(node, word.start);
    entries.push([
      pair[1] ?? '',
      { keyOrigin, node: piece(node, unquote(pair[2] ?? ''), word.start + (pair[1] ?? '').length + 1) },
    ]);
  }
  const joined = [...rest, text.slice(from)].join('');
  // A block of shell keeps the line break at its end, as Ansible's `cmd` shows.
  const free = entries.length || joined.trim() === '' ? joined.trim() : joined.trimStart();
  return {
    ...(entries.length ? { params: mapping(new Map(entries), node.origin) } : {}),
    ...(free ? { freeForm: piece(node, free, text.indexOf(free)) } : {}),
  };
}

/** Part of a scalar's text as a node of its own. */
function piece(node: Node, text: string, offset: number): Node {
  const origin = placeIn(node, Math.max(offset, 0));
  if (!hasTemplate(text)) return { value: text, origin, source: text, literal: true };
  return { value: text, origin, source: text, literal: false, ...(node.raw ? { raw: rawPart(node, origin) } : {}) };
}

/** The source from `origin` on: good enough to place a template error on its line. */
function rawPart(node: Node, origin: { line: number; column: number }) {
  const raw = node.raw!;
  let start = raw.start;
  for (let line = node.origin.line; line < origin.line; line++) start = raw.text.indexOf('\n', start) + 1;
  const first =
    origin.line === node.origin.line ? raw.start + origin.column - node.origin.column : start + origin.column - 1;
  return { text: raw.text, start: first, end: raw.end };
}

interface Word {
  text: string;
  start: number;
}

const openers: Record<string, string> = { '{{': '}}', '{%': '%}', '{#': '#}' };

function splitWords(text: string, node: Node): Word[] {
  const words: Word[] = [];
  let start = -1;
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at] ?? '')) {
      if (start >= 0) words.push({ text: text.slice(start, at), start });
      start = -1;
      at++;
      continue;
    }
    if (start < 0) start = at;
    at = skip(text, at, node);
  }
  if (start >= 0) words.push({ text: text.slice(start), start });
  return words;
}

/** The offset after the character, escape, template or quoted part at `at`. */
function skip(text: string, at: number, node: Node): number {
  const close = openers[text.slice(at, at + 2)];
  if (close) return end(text, at + 2, close, node);
  const char = text[at];
  if (char === '\\') return at + 2;
  if (char !== '"' && char !== "'") return at + 1;
  return quoteEnd(text, at, char, node);
}

function quoteEnd(text: string, at: number, quote: string, node: Node): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i + 1;
  }
  throw inputError('a quote that opens is never closed', { origin: placeIn(node, at), expected: `a closing ${quote}` });
}

function end(text: string, from: number, close: string, node: Node): number {
  const found = text.indexOf(close, from);
  if (found >= 0) return found + 2;
  throw inputError(`a template that opens is never closed`, {
    origin: placeIn(node, from - 2),
    expected: `'${close}'`,
  });
}

function unquote(text: string): string {
  const match = /^(["'])([\s\S]*)\1$/.exec(text);
  return match ? (match[2] ?? '') : text;
}
