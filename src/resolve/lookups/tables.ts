import type { Value } from '../../jinja/index.ts';
import {
  flag,
  intOption,
  type Kwargs,
  type Lookup,
  type LookupPlace,
  locate,
  lookupError,
  option,
  term,
  textOption,
} from './place.ts';

/** Values of an INI file: `lookup('ini', 'key', section='s', file='f.ini', default='')`. */
export const ini: Lookup = (terms, kwargs, place) =>
  terms.map((each) => {
    const [key = '', ...words] = term(each).split(/\s+/);
    const options = withWords(kwargs, words);
    const section = textOption(options, 'section', 'global');
    const values = parseIni(contents(textOption(options, 'file', 'ansible.ini'), place)).get(section);
    if (!values) throw lookupError(`No section: '${section}'`);
    return (
      values.get(flag(options, 'case_sensitive', false) ? key : key.toLowerCase()) ?? textOption(options, 'default', '')
    );
  });

function withWords(kwargs: Kwargs, words: string[]): Kwargs {
  const pairs = words
    .filter((word) => word.includes('='))
    .map((word): [string, Value] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return new Map([...kwargs, ...pairs]);
}

function contents(name: string, place: LookupPlace): string {
  const path = locate(place, 'files', name);
  if (!path || !place.settings.sources.isFile(path)) throw lookupError(`could not locate file in lookup: ${name}`);
  return place.settings.sources.bytes(path).toString('utf8');
}

function parseIni(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let current = new Map<string, string>();
  sections.set('global', current);
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]+)\]/.exec(line);
    const pair = /^\s*([^#;=:\s][^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(line);
    if (header) {
      current = sections.get(header[1] ?? '') ?? new Map();
      sections.set(header[1] ?? '', current);
    } else if (pair) current.set((pair[1] ?? '').toLowerCase(), pair[2] ?? '');
  }
  return sections;
}

/** A column of the row whose first column is the key: `lookup('csvfile', 'key', file='f.csv', delimiter=',', col=1)`. */
export const csvfile: Lookup = (terms, kwargs, place) =>
  terms.map((each) => {
    const [key = '', ...words] = term(each).split(/\s+/);
    const options = withWords(kwargs, words);
    const delimiter = textOption(options, 'delimiter', 'TAB');
    const rows = parseCsv(
      contents(textOption(options, 'file', 'ansible.csv'), place),
      delimiter === 'TAB' || delimiter === 't' ? '\t' : delimiter,
    );
    const row = rows.find(([first]) => first === key);
    return row?.[intOption(options, 'col', 1)] ?? option(options, 'default') ?? '';
  });

/** RFC 4180: quoted fields may hold the delimiter, doubled quotes and line ends. */
function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]];
  let [field, quoted] = ['', false];
  const endField = () => {
    rows.at(-1)?.push(field);
    field = '';
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (quoted && char === '"' && text[i + 1] === '"') field += text[i++];
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === delimiter) endField();
    else if (!quoted && char === '\n') {
      endField();
      rows.push([]);
    } else if (quoted || char !== '\r') field += char;
  }
  endField();
  return rows;
}
