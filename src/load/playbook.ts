import { dirname, resolve } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import type { Keywords, Play, Playbook } from '../core/play.ts';
import { unknownKeyword } from './check-keyword.ts';
import { type Context, Ids, type Loading, type ModuleTable, type NameTable } from './context.ts';
import { describe, mergeMappings, wrongType } from './expect.ts';
import { importKeywords, innerKeywords } from './keywords.ts';
import { loadPlay } from './play.ts';
import { Problems } from './problems.ts';
import { readKeywords } from './read-keywords.ts';
import { expandHome, nearestFile } from './search.ts';
import type { Sources } from './sources.ts';
import { staticRender } from './static-render.ts';
import { taskList } from './tasks.ts';

export interface LoadOptions {
  sources: Sources;
  modules: ModuleTable;
  /** `-e` variables: names of imports may use them. */
  extraVars?: Node;
  /** ansible.cfg's roles_path. Default: Ansible's own. */
  rolesPath?: readonly string[];
  strict?: boolean;
  /** Filters, tests and lookups that are not in it are errors. */
  names?: NameTable;
}

export interface Loaded {
  playbook: Playbook;
  loading: Loading;
}

const defaultRolesPath = ['~/.ansible/roles', '/usr/share/ansible/roles', '/etc/ansible/roles'];

/**
 * A playbook with all static imports in place. Throws an input error, or InputErrors with everything found wrong in
 * one pass. `loading.unknownModules` lists modules nothing knows; `loading.problems.warnings` what is doubtful.
 */
export function loadPlaybook(path: string, options: LoadOptions): Loaded {
  const loading = newLoading(options);
  const file = options.sources.absolute(path);
  const plays = loading.problems.attempt(() => playsOf(file, undefined, baseContext(file, loading))) ?? [];
  loading.problems.check();
  return { playbook: { file, plays }, loading };
}

export function newLoading(options: LoadOptions): Loading {
  return {
    sources: options.sources,
    modules: options.modules,
    problems: new Problems(),
    render: staticRender(options.extraVars),
    rolesPath: (options.rolesPath ?? defaultRolesPath).map((path) => options.sources.absolute(expandHome(path))),
    strict: options.strict ?? false,
    ...(options.names ? { names: options.names } : {}),
    checked: new WeakSet(),
    ranRoles: new Map(),
    unknownModules: [],
  };
}

type PlayContext = Omit<Context, 'play'>;

function baseContext(file: string, loading: Loading): PlayContext {
  return { loading, ids: new Ids(), playFile: file, file, handler: false, staticVars: [], importing: [file], taskList };
}

function playsOf(path: string, from: Origin | undefined, context: PlayContext): Play[] {
  const { sources, problems } = context.loading;
  const node = sources.yaml(path, from);
  if (!node.items)
    throw inputError(`this is ${describe(node)}`, { origin: node.origin, expected: "a list of plays: '- hosts: …'" });
  return node.items.flatMap((item) => problems.attempt(() => onePlay(item, context)) ?? []);
}

function onePlay(node: Node, context: PlayContext): Play[] {
  if (!node.entries) throw wrongType(node, 'play', "a play: 'hosts: …' and 'tasks: …'");
  const entry = node.entries.get('import_playbook') ?? node.entries.get('ansible.builtin.import_playbook');
  return entry ? importPlaybook(node, entry.node, context) : [loadPlay(node, context)];
}

function importPlaybook(node: Node, nameNode: Node, context: PlayContext): Play[] {
  checkImport(node, context);
  const keywords = readKeywords(node, innerKeywords);
  const vars = keywords.vars ? [...context.staticVars, keywords.vars] : context.staticVars;
  const path = playbookFile(nameNode, vars, context);
  const inner = { ...context, playFile: path, file: path, staticVars: vars, importing: [...context.importing, path] };
  return playsOf(path, nameNode.origin, inner).map((play) => ({
    ...play,
    keywords: underImport(play.keywords, keywords),
  }));
}

function playbookFile(nameNode: Node, vars: readonly Node[], context: PlayContext): string {
  const { sources, render } = context.loading;
  const name = render(nameNode, vars);
  const folder = dirname(context.file);
  const path = resolve(folder, expandHome(name));
  const at = context.importing.indexOf(path);
  if (at >= 0) {
    const circle = [...context.importing.slice(at), path].map((file) => sources.show(file)).join(' → ');
    throw inputError(`these playbooks import each other: ${circle}`, {
      origin: nameNode.origin,
      expected: 'imports without a cycle',
    });
  }
  if (sources.isFile(path)) return path;
  const close = nearestFile(sources, [folder], name);
  throw inputError(`there is no playbook '${name}'`, {
    origin: nameNode.origin,
    expected: `a file in ${sources.show(folder)}`,
    ...(close ? { nearest: close } : {}),
  });
}

function checkImport(node: Node, context: PlayContext): void {
  const valid = importKeywords;
  for (const [name, { keyOrigin }] of node.entries ?? [])
    if (!valid.includes(name) && name !== 'ansible.builtin.import_playbook')
      context.loading.problems.add(unknownKeyword(name, keyOrigin, 'import_playbook', valid));
}

/** Conditions and tags of the import come first; its variables win over the play's. */
function underImport(play: Keywords, outer: Keywords): Keywords {
  const vars = [play.vars, outer.vars].filter((node) => node !== undefined);
  return {
    ...play,
    ...(outer.when || play.when ? { when: [...(outer.when ?? []), ...(play.when ?? [])] } : {}),
    ...(outer.tags || play.tags ? { tags: [...(outer.tags ?? []), ...(play.tags ?? [])] } : {}),
    ...(vars.length ? { vars: mergeMappings(vars) } : {}),
  };
}
