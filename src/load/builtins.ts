import type { Parameterized } from '../core/check-node.ts';
import type { ParamSpecs } from '../core/params.ts';
import type { Loading } from './context.ts';

/** A module by name: the loader's own words first, then the table handed in. */
export function findModule(name: string, loading: Loading): Parameterized | undefined {
  const params = builtinModules.get(name);
  return params ? { name, params, freeForm: freeForms.get(name) } : loading.modules.find(name);
}

const freeForms = new Map([
  ['import_tasks', 'file'],
  ['include_tasks', 'file'],
  ['include_vars', 'file'],
  ['include', 'file'],
]);

/** Whether a key of a task can only be a module: known, or a full collection name. */
export function isModule(name: string, loading: Loading): boolean {
  return name.includes('.') || findModule(name, loading) !== undefined;
}

export function moduleNames(loading: Loading): string[] {
  return [...builtinModules.keys(), ...loading.modules.names()];
}

const roleParams: ParamSpecs = {
  name: { type: 'str', required: true, aliases: ['role'], doc: 'The role.' },
  tasks_from: { type: 'str', default: 'main', doc: 'File of its tasks folder.' },
  vars_from: { type: 'str', default: 'main', doc: 'File of its vars folder.' },
  defaults_from: { type: 'str', default: 'main', doc: 'File of its defaults folder.' },
  handlers_from: { type: 'str', default: 'main', doc: 'File of its handlers folder.' },
  allow_duplicates: { type: 'bool', default: true, doc: 'Run it again although it already ran.' },
  rolespec_validate: { type: 'bool', default: true, doc: 'Accepted, without effect.' },
};

export const builtinModules: ReadonlyMap<string, ParamSpecs> = new Map<string, ParamSpecs>([
  ['import_tasks', { file: { type: 'str', doc: 'The file, next to this one or in the tasks folder.' } }],
  [
    'include_tasks',
    {
      file: { type: 'str', doc: 'The file, next to this one or in the tasks folder.' },
      apply: { type: 'dict', doc: 'Keywords for every task of the file.' },
    },
  ],
  ['import_role', { ...roleParams, public: { type: 'bool', default: true, doc: 'Always so for a static import.' } }],
  [
    'include_role',
    {
      ...roleParams,
      apply: { type: 'dict', doc: 'Keywords for every task of the role.' },
      public: { type: 'bool', default: false, doc: 'Whether later tasks of the play see its variables.' },
    },
  ],
  [
    'include_vars',
    {
      file: { type: 'path', doc: 'One file of variables.' },
      dir: { type: 'path', doc: 'A folder of them.' },
      name: { type: 'str', doc: 'Put them into this one variable.' },
      depth: { type: 'int', default: 0, doc: 'Levels of folders read; 0: all.' },
      files_matching: { type: 'str', doc: 'Regular expression for file names in the folder.' },
      ignore_files: { type: 'list', elements: 'str', doc: 'File names left out.' },
      extensions: {
        type: 'list',
        elements: 'str',
        default: ['yaml', 'yml', 'json'],
        doc: 'Extensions read in a folder.',
      },
      ignore_unknown_extensions: { type: 'bool', default: false, doc: 'Skip other files instead of failing.' },
      hash_behaviour: { type: 'str', choices: ['replace', 'merge'], doc: 'How dicts of several files combine.' },
    },
  ],
  ['include', { file: { type: 'str', doc: 'The old name of import_tasks and include_tasks.' } }],
  ['meta', {}],
]);
