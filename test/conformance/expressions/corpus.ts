import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { parsePythonLiteral, type Value } from '../../../src/jinja/index.ts';
import type { Kind } from './oracle.ts';

export interface Case {
  kind: Kind;
  source: string;
  /** File of the corpus, for reports. */
  file: string;
}

const folder = new URL('./corpus/', import.meta.url);
const kinds: Record<string, Kind> = { values: 'value', strings: 'string', conditions: 'when', templates: 'template' };

/** All expressions of the corpus. A section is a list, or a text with one expression per line. */
export function corpus(): Case[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && file !== 'vars.yaml')
    .flatMap((file) => casesOf(file));
}

function casesOf(file: string): Case[] {
  const sections = parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, string | string[]>;
  return Object.entries(sections).flatMap(([section, content]) => {
    const kind = kinds[section];
    if (!kind) throw new Error(`${file}: no such section: ${section}`);
    const sources = Array.isArray(content) ? content : content.split('\n').filter((line) => line !== '');
    return sources.map((source) => ({ kind, source, file }));
  });
}

/** The variables that all expressions of the corpus see. */
export function corpusVars(): Map<string, Value> {
  const texts = parse(readFileSync(new URL('vars.yaml', folder), 'utf8')) as Record<string, string>;
  return new Map(
    Object.entries(texts).map(([name, text]) => {
      const value = parsePythonLiteral(text);
      if (value === undefined) throw new Error(`vars.yaml: ${name} is no Python literal: ${text}`);
      return [name, value];
    }),
  );
}
