import type { ParamSpec, ParamSpecs } from '../core/params.ts';
import type { Style } from '../report/style.ts';
import type { DocEntry } from './doc-entries.ts';

/** A list of all that is documented, a line each. */
export function docList(entries: readonly DocEntry[], style: Style): string {
  const width = Math.max(...entries.map((entry) => entry.name.length));
  const kinds = ['module', 'action', 'gate', 'keyword'] as const;
  return kinds
    .map((kind) => {
      const lines = entries
        .filter((entry) => entry.kind === kind)
        .map((entry) => `  ${entry.name.padEnd(width)}  ${style.dim(summaryOf(entry))}\n`);
      return `${style.bold(`${kind}s`)}\n${lines.join('')}`;
    })
    .join('\n');
}

/** One entry in full. */
export function docText(entry: DocEntry, style: Style): string {
  if (entry.kind === 'keyword')
    return `${style.bold(entry.name)}  ${entry.summary}\n\n  on: ${entry.on.join(', ')}\n  form: ${entry.form}\n`;
  const { name, kind, doc, params, aliases } = entry;
  const sections = [
    `${style.bold(name)} (${kind})  ${doc.summary}\n`,
    aliases.length > 0 ? `also called: ${aliases.join(', ')}\n` : '',
    (doc.notes ?? []).map((note) => `${wrapped(note, '')}\n`).join(''),
    paramSection(params, entry.freeForm, style),
    returnSection(doc.returns, style),
    doc.examples ? `${style.bold('Examples')}\n${indented(doc.examples)}\n` : '',
  ];
  return sections.filter((section) => section !== '').join('\n');
}

export function summaryOf(entry: DocEntry): string {
  return entry.kind === 'keyword' ? entry.summary : entry.doc.summary;
}

/** `str`, `list of str`, `one of a, b`, with default. */
export function paramFacts(spec: ParamSpec): string {
  const type = spec.type === 'list' && spec.elements ? `list of ${spec.elements}` : spec.type;
  const facts = [
    spec.choices ? `one of ${spec.choices.map(choiceText).join(', ')}` : type,
    spec.required ? 'required' : '',
    spec.default === undefined ? '' : `default ${JSON.stringify(spec.default)}`,
    spec.aliases?.length ? `also ${spec.aliases.join(', ')}` : '',
  ];
  return facts.filter((fact) => fact !== '').join('; ');
}

/** Ends of lines as they are written in YAML. */
function choiceText(choice: string | number | boolean): string {
  return /[\x00-\x1f]/.test(String(choice)) ? JSON.stringify(choice) : String(choice);
}

function paramSection(params: ParamSpecs, freeForm: string | undefined, style: Style): string {
  const names = Object.entries(params);
  if (names.length === 0) return '';
  const lines = names.map(([name, spec]) => {
    const free = name === freeForm ? ', or as the value of the module itself' : '';
    return `  ${style.bold(name)}  ${style.dim(`(${paramFacts(spec)}${free})`)}\n${wrapped(spec.doc, '      ')}\n`;
  });
  return `${style.bold('Parameters')}\n${lines.join('')}`;
}

function returnSection(returns: Record<string, string> | undefined, style: Style): string {
  const lines = Object.entries(returns ?? {}).map(([name, text]) => `  ${style.bold(name)}  ${text}\n`);
  return lines.length > 0 ? `${style.bold('Returns')}\n${lines.join('')}` : '';
}

function indented(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ');
}

/** Lines of at most 90 characters. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + word.length >= 90) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => `${indent}${one}`).join('\n');
}
