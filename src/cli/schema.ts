import { actions } from '../actions/registry.ts';
import { gates } from '../gates/registry.ts';
import { gateKeywords } from '../load/gates.ts';
import {
  blockKeywords,
  type Form,
  importKeywords,
  innerKeywords,
  loopNames,
  playKeywords,
  sharedKeywords,
  taskKeywords,
} from '../load/keywords.ts';
import { openModules } from '../load/names.ts';
import { modules } from '../modules/registry.ts';
import { builtIn, forms, keywords, parameters, ref, type Schema } from './schema-values.ts';

const dialect = 'http://json-schema.org/draft-07/schema#';

/** The JSON Schema of playbooks or inventories, made from the declarations that also check them. */
export function schemaText(kind: 'playbook' | 'inventory'): string {
  return `${JSON.stringify(kind === 'playbook' ? playbookSchema() : inventorySchema(), null, 2)}\n`;
}

export function playbookSchema(): Schema {
  return {
    $schema: dialect,
    title: 'kpush playbook',
    type: 'array',
    items: { anyOf: [ref('play'), ref('import')] },
    definitions: {
      play: play(),
      import: importPlay,
      task: task(),
      block: block(),
      role,
      gate: gate(),
      ...moduleDefinitions(),
    },
  };
}

export function inventorySchema(): Schema {
  const names = { type: ['object', 'null'], additionalProperties: { type: ['object', 'null'] } };
  const group = {
    type: ['object', 'null'],
    properties: {
      hosts: { ...names, description: 'Hosts, each with its variables or nothing; ranges such as web[01:20]' },
      vars: { type: ['object', 'null'], description: 'Variables of the group' },
      children: { type: ['object', 'null'], additionalProperties: ref('group'), description: 'Groups in this group' },
    },
    additionalProperties: false,
  };
  return {
    $schema: dialect,
    title: 'kpush inventory',
    type: 'object',
    additionalProperties: ref('group'),
    definitions: { group },
  };
}

const importPlay: Schema = {
  type: 'object',
  properties: { ...keywords(importForms()), import_playbook: { type: 'string' } },
  required: ['import_playbook'],
  additionalProperties: false,
};

function importForms(): Record<string, Form> {
  return Object.fromEntries(importKeywords.map((name) => [name, innerKeywords[name]?.form ?? 'any']));
}

const role: Schema = {
  anyOf: [{ type: 'string' }, { type: 'object', anyOf: [{ required: ['role'] }, { required: ['name'] }] }],
};

function play(): Schema {
  const own = { ...keywords(forms(sharedKeywords)), ...keywords(playKeywords) };
  return { type: 'object', properties: own, required: ['hosts'], additionalProperties: false };
}

function block(): Schema {
  const properties = { ...keywords(forms(innerKeywords)), ...keywords(blockKeywords) };
  return { type: 'object', properties, required: ['block'], additionalProperties: false };
}

function task(): Schema {
  return {
    type: 'object',
    properties: { ...keywords(forms(innerKeywords)), ...keywords(taskKeywords), ...moduleNames(), ...builtIn },
    patternProperties: {
      [`^with_(${[...loopNames].join('|')})$`]: {},
      // Modules of other collections by their full names.
      '^(?!ansible\\.builtin\\.)[a-z_]+\\.[a-z_]+\\.[a-z_]+$': {},
    },
    additionalProperties: false,
  };
}

function moduleNames(): Schema {
  const names = specs().flatMap((spec) => spec.names.map((name) => [name, ref(`module ${spec.name}`)] as const));
  const full = [...names, ...Object.entries(builtIn)].map(([name, of]) => [`ansible.builtin.${name}`, of] as const);
  return Object.fromEntries([...names, ...full]);
}

/** One definition a module, which all its names refer to. */
function moduleDefinitions(): Schema {
  return Object.fromEntries(
    specs().map(({ name, doc, params, freeForm, open }) => [
      `module ${name}`,
      { ...parameters(params, freeForm, open || openModules.has(name)), description: doc.summary },
    ]),
  );
}

function specs() {
  return [
    ...modules.map((module) => ({ ...module, names: [module.name, ...(module.aliases ?? [])], open: false })),
    ...actions.map((action) => ({ ...action, names: [action.name], open: action.open ?? false })),
  ];
}

function gate(): Schema {
  const own = keywords(gateKeywords);
  const named = gates.map(
    ({ name, params, doc }) => [name, { ...parameters(params), description: doc.summary }] as const,
  );
  return { type: 'object', properties: { ...own, ...Object.fromEntries(named) }, additionalProperties: false };
}
