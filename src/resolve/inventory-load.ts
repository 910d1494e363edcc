import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inputError, type KpushError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import { Problems } from '../load/problems.ts';
import { expandHome } from '../load/search.ts';
import type { Sources } from '../load/sources.ts';
import { decodeText } from '../load/text.ts';
import { expandHosts } from './host-names.ts';
import { addVars, Inventory } from './inventory.ts';
import { readIniInventory } from './inventory-ini.ts';
import { readYamlInventory, withPort } from './inventory-yaml.ts';

/**
 * The inventory of all `-i`: files (YAML or INI), folders of them, host lists (`h1,h2,`). Throws an input error, or
 * InputErrors with everything found wrong.
 */
export function loadInventory(
  names: readonly string[],
  sources: Sources,
  warn: (warning: KpushError) => void = () => {},
): Inventory {
  const inventory = new Inventory();
  const problems = new Problems();
  for (const name of names) problems.attempt(() => readSource(name, { inventory, problems, sources }));
  problems.attempt(() => inventory.settle());
  problems.check();
  for (const warning of problems.warnings) warn(warning);
  return inventory;
}

interface Reading {
  inventory: Inventory;
  problems: Problems;
  sources: Sources;
}

function readSource(name: string, reading: Reading): void {
  const { sources, inventory } = reading;
  const path = sources.absolute(expandHome(name));
  const kind = sources.files.kind(path);
  if (kind === undefined && !name.includes(',')) throw missing(name, path, sources);
  if (kind === undefined) {
    readList(name, reading);
    return;
  }
  const folder = kind === 'directory' ? path : dirname(path);
  if (!inventory.folders.includes(folder)) inventory.folders.push(folder);
  if (kind === 'directory') readFolder(path, reading);
  else readFile(path, reading);
}

function missing(name: string, path: string, sources: Sources) {
  const close = nearest(
    name,
    sources.files.list(dirname(path)).map((each) => join(dirname(name), each)),
  );
  return inputError(`there is no inventory '${name}'`, {
    expected: 'a file, a folder, or a host list with a comma such as h1,h2 or h1,',
    ...(close ? { nearest: close } : {}),
  });
}

function readList(name: string, { inventory, problems }: Reading): void {
  const origin = { file: '-i', line: 1, column: 1 };
  for (const pattern of name
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''))
    problems.attempt(() => {
      const { names, port } = expandHosts(pattern, origin);
      for (const each of names) {
        const host = inventory.addHost(each, origin);
        addVars(host, withPort(new Map(), port, origin));
        inventory.join(host, inventory.addGroup('ungrouped', origin));
      }
    });
}

/** What Ansible leaves out of a folder. */
const leftOut =
  /^\.|^(?:host_vars|group_vars|vars_plugins)$|(?:\.pyc|\.pyo|\.swp|\.bak|~|\.rpm|\.md|\.txt|\.rst|\.orig|\.ini|\.cfg|\.retry)$/;

function readFolder(path: string, reading: Reading): void {
  const names = reading.sources.files.list(path).filter((name) => !leftOut.test(name));
  for (const name of names) {
    const full = join(path, name);
    if (reading.sources.isDirectory(full)) readFolder(full, reading);
    else reading.problems.attempt(() => readFile(full, reading));
  }
}

function readFile(path: string, reading: Reading): void {
  const { inventory, problems, sources } = reading;
  const origin = { file: sources.show(path), line: 1, column: 1 };
  if (isScript(path))
    throw inputError('inventory scripts are not supported', { origin, hint: 'save its output as a YAML file' });
  const text = decodeText(sources.bytes(path), sources.show(path));
  if (isYaml(path, text)) readYaml(path, reading);
  else readIniInventory(text, sources.show(path), path, inventory, problems);
}

function readYaml(path: string, { inventory, problems, sources }: Reading): void {
  const node = sources.yaml(path);
  const origin = { file: sources.show(path), line: 1, column: 1 };
  if (node.value === null) throw inputError('the inventory is empty', { origin, expected: 'groups with hosts' });
  readYamlInventory(node, path, inventory, problems);
}

function isScript(path: string): boolean {
  try {
    return (statSync(path).mode & 0o111) !== 0 && !/\.(ya?ml|json|ini|cfg)$/.test(path);
  } catch {
    return false;
  }
}

/** By its ending; without one, by its first line that says something. */
function isYaml(path: string, text: string): boolean {
  if (/\.(ya?ml|json)$/.test(path)) return true;
  if (/\.[A-Za-z]+$/.test(path)) return false;
  const first = text.split('\n').find((line) => line.trim() !== '' && !/^\s*[#;]/.test(line)) ?? '';
  return /^---|^\{|^[\w.-]+:\s*(\{.*)?(#.*)?$/.test(first.trimEnd());
}
