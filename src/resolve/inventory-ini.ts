import { inputError, type KpushError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { parsePythonLiteral } from '../jinja/index.ts';
import type { Problems } from '../load/problems.ts';
import { hasTemplate } from '../load/yaml-scalar-nodes.ts';
import { checkGroupName, expandHosts } from './host-names.ts';
import { addVars, type Inventory, type VarEntries } from './inventory.ts';
import { warnOfPorts, withPort } from './inventory-yaml.ts';
import { shellWords } from './shlex.ts';

/** Reads Ansible's INI dialect. `shown`: the file's name in messages; `file`: its absolute path. */
export function readIniInventory(
  text: string,
  shown: string,
  file: string,
  inventory: Inventory,
  problems: Problems,
): void {
  const reader = new IniReader(text, shown, file, inventory, problems);
  const lines = text.split('\n');
  lines.forEach((line, i) => {
    problems.attempt(() => reader.line(line, i + 1));
  });
  for (const error of reader.undeclared()) problems.add(error);
}

type Section = 'hosts' | 'children' | 'vars';
const kinds: readonly string[] = ['hosts', 'children', 'vars'];
const sectionForm = /^\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?$/;

class IniReader {
  private group = 'ungrouped';
  private kind: Section = 'hosts';
  /** Groups named but not declared yet: by `:vars` sections, or as children of `parents`. */
  private readonly pending = new Map<string, Pending>();
  private readonly text: string;
  private readonly shown: string;
  private readonly file: string;
  private readonly inventory: Inventory;
  private readonly problems: Problems;
  private offset = 0;

  constructor(text: string, shown: string, file: string, inventory: Inventory, problems: Problems) {
    this.text = text;
    this.shown = shown;
    this.file = file;
    this.inventory = inventory;
    this.problems = problems;
  }

  line(raw: string, number: number): void {
    const start = this.offset;
    this.offset += raw.length + 1;
    refuseLineEnds(raw, { file: this.shown, line: number, column: 1 });
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) return;
    const indent = raw.indexOf(line);
    const place = { origin: { file: this.shown, line: number, column: indent + 1 }, start: start + indent };
    const header = sectionForm.exec(line);
    if (header) this.section(header, place.origin);
    else if (line.startsWith('[') && !line.includes(']:')) throw badHeader(line, place.origin);
    else this.entry(line, place);
  }

  /** Groups that were only named, but never declared. */
  undeclared(): KpushError[] {
    return [...this.pending].map(([name, { origin, by }]) => {
      const close = nearest(
        name,
        [...this.inventory.groups.keys()].filter((group) => !this.pending.has(group)),
      );
      return inputError(`${by} names the group '${name}', which is not defined`, {
        origin,
        ...(close ? { nearest: close } : { expected: `a section [${name}] or [${name}:children]` }),
      });
    });
  }

  private section([, name = '', kind = 'hosts']: RegExpExecArray, origin: Origin): void {
    checkGroupName(name, origin);
    if (!kinds.includes(kind)) throw unknownKind(name, kind, origin);
    this.group = name;
    this.kind = kind as Section;
    const isNew = !this.inventory.groups.has(name);
    this.inventory.addGroup(name, origin);
    if (kind !== 'vars') this.declared(name);
    else if (isNew && !this.pending.has(name)) this.pending.set(name, { origin, by: `[${name}:vars]`, parents: [] });
  }

  /** Joins a group to the parents that waited for it; order of children is the order in which they are declared. */
  private declared(name: string): void {
    const waiting = this.pending.get(name);
    if (!waiting) return;
    this.pending.delete(name);
    for (const { parent, origin } of waiting.parents) this.join(parent, name, origin);
  }

  private join(parent: string, child: string, origin: Origin): void {
    this.inventory.addChild(this.inventory.addGroup(parent, origin), this.inventory.addGroup(child, origin), origin);
  }

  private entry(line: string, place: Place): void {
    if (this.kind === 'hosts') this.hosts(line, place);
    else if (this.kind === 'vars') this.variable(line, place);
    else this.child(line, place.origin);
  }

  private hosts(line: string, place: Place): void {
    const words = shellWords(line);
    if (!words)
      throw inputError('a quote that opens is never closed', { origin: place.origin, expected: 'a closing quote' });
    const [first, ...rest] = words;
    if (!first) return;
    const { names, port } = expandHosts(hostWord(first.text, place.origin), place.origin);
    const vars = withPort(new Map(rest.map((word) => this.assignment(word, place))), port, place.origin);
    const group = this.inventory.addGroup(this.group, place.origin);
    for (const name of names) {
      const host = this.inventory.addHost(name, place.origin, this.file);
      warnOfPorts(host, vars, this.problems);
      addVars(host, vars);
      this.inventory.join(host, group);
    }
  }

  private assignment(word: { text: string; start: number }, place: Place) {
    const at = word.text.indexOf('=');
    const keyOrigin = shifted(place.origin, word.start);
    if (at < 1) throw notAssignment(word.text, keyOrigin);
    return [
      word.text.slice(0, at),
      { keyOrigin, node: this.value(word.text.slice(at + 1), shifted(keyOrigin, at + 1)) },
    ] as const;
  }

  private variable(line: string, place: Place): void {
    const at = line.indexOf('=');
    if (at < 1) throw notAssignment(line, place.origin);
    const value = line.slice(at + 1);
    const origin = shifted(place.origin, at + 1 + value.length - value.trimStart().length);
    const entry = { keyOrigin: place.origin, node: this.value(value.trim(), origin) };
    const vars: VarEntries = new Map([[line.slice(0, at).trim(), entry]]);
    addVars(this.inventory.addGroup(this.group, place.origin), vars);
  }

  private child(line: string, origin: Origin): void {
    const name = /^([^:\]\s]+)\s*(?:#.*)?$/.exec(line)?.[1];
    if (name === undefined) throw inputError(`'${line}' is no group name`, { origin, expected: 'one group name' });
    checkGroupName(name, origin);
    if (this.inventory.groups.has(name) && !this.pending.has(name)) this.join(this.group, name, origin);
    else {
      const waiting = this.pending.get(name) ?? { origin, by: `[${this.group}:children]`, parents: [] };
      waiting.parents.push({ parent: this.group, origin });
      this.pending.set(name, waiting);
    }
  }

  /** A value as Python reads it; what is no Python literal is the text itself. */
  private value(text: string, origin: Origin): Node {
    const value = literal(text);
    if (typeof value !== 'string' || !hasTemplate(value)) return { value, origin, source: text, literal: true };
    const start = this.text.indexOf(text, this.offsetOf(origin));
    const raw = start < 0 ? undefined : { text: this.text, start, end: start + text.length };
    return { value, origin, source: text, literal: false, ...(raw ? { raw } : {}) };
  }

  private offsetOf(origin: Origin): number {
    return this.text.lastIndexOf('\n', this.offset - 2) + origin.column;
  }
}

interface Pending {
  origin: Origin;
  /** The section that names it. */
  by: string;
  parents: { parent: string; origin: Origin }[];
}

interface Place {
  origin: Origin;
  start: number;
}

/** Python's own parser skips a comment behind a literal: `5 # five` is 5. */
function literal(text: string): Node['value'] {
  const value = parsePythonLiteral(text);
  if (value !== undefined || !text.includes('#')) return value === undefined ? text : value;
  return parsePythonLiteral(text.slice(0, text.indexOf('#')).trimEnd()) ?? text;
}

/** Python ends lines at these too, where editors show none: what stands behind one in a comment would be a host. */
const hiddenLineEnd = /[\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;

function refuseLineEnds(line: string, origin: Origin): void {
  const at = line.search(hiddenLineEnd);
  if (at < 0) return;
  const code = line.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  throw inputError(`a line end that does not show (U+${code})`, {
    origin: { ...origin, column: at + 1 },
    expected: 'lines that end in a newline',
  });
}

function hostWord(word: string, origin: Origin): string {
  if (word.endsWith(':') || word === '---')
    throw inputError(`'${word}' is no host name`, {
      origin,
      expected: 'a host',
      hint: 'a file with YAML in it needs the ending .yaml or .yml',
    });
  return word;
}

function shifted(origin: Origin, by: number): Origin {
  return { ...origin, column: origin.column + by };
}

function badHeader(line: string, origin: Origin): KpushError {
  return inputError(`'${line}' is no section`, {
    origin,
    expected: '[group], [group:children] or [group:vars], without spaces',
  });
}

function unknownKind(name: string, kind: string, origin: Origin): KpushError {
  const close = nearest(kind, kinds);
  return inputError(`the section [${name}:${kind}] has an unknown type`, {
    origin,
    ...(close ? { nearest: `[${name}:${close}]` } : { expected: 'hosts, children or vars' }),
  });
}

function notAssignment(text: string, origin: Origin): KpushError {
  return inputError(`'${text}' is no variable`, { origin, expected: 'name=value' });
}
