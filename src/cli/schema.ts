import { actions } from '../actions/registry.ts';
import type { ParamSpec, ParamSpecs } from '../core/params.ts';
import { gates } from '../gates/registry.ts';
import {
  blockKeywords,
  type Form,
  innerKeywords,
  playKeywords,
  sharedKeywords,
  taskKeywords,
} from '../load/keywords.ts';
import { openModules } from '../load/names.ts';
import { modules } from '../modules/registry.ts';
import { keywordDocs } from './keyword-docs.data.ts';

type Schema = Record<string, unknown>;

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
    definitions: { template, play: play(), import: importPlay, task: task(), block: block(), role, gate: gate() },
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

/** A text that is rendered: what it becomes is known later, so it fits everywhere. */
const template: Schema = { type: 'string', pattern: '\\{\\{|\\{%' };

const importPlay: Schema = {
  type: 'object',
  properties: { import_playbook: { type: 'string' }, name: {}, vars: { type: 'object' }, tags: {}, when: {} },
  required: ['import_playbook'],
};

const role: Schema = {
  anyOf: [{ type: 'string' }, { type: 'object', anyOf: [{ required: ['role'] }, { required: ['name'] }] }],
};

function play(): Schema {
  const own = { ...keywords(forms(sharedKeywords)), ...keywords(playKeywords) };
  const properties = {
    ...own,
    roles: { type: 'array', items: ref('role') },
    gates: { type: 'array', items: ref('gate') },
  };
  return { type: 'object', properties, required: ['hosts'], additionalProperties: false };
}

function block(): Schema {
  const properties = { ...keywords(forms(innerKeywords)), ...keywords(blockKeywords) };
  return { type: 'object', properties, required: ['block'], additionalProperties: false };
}

function task(): Schema {
  const specs = [
    ...modules.map((m) => ({ names: [m.name, ...(m.aliases ?? [])], ...m })),
    ...actions.map((a) => ({ names: [a.name], ...a })),
  ];
  const named = specs.flatMap(({ names, doc, params, ...spec }) => {
    const open = openModules.has(names[0] ?? '') || ('open' in spec && spec.open === true);
    return names.map(
      (name) => [name, { ...parameters(params, spec.freeForm, open), description: doc.summary }] as const,
    );
  });
  return {
    type: 'object',
    properties: {
      ...keywords(forms(innerKeywords)),
      ...keywords(taskKeywords),
      ...Object.fromEntries([...named, ...builtIn]),
    },
    // Loops by lookup, and modules by their full names.
    patternProperties: { '^with_[a-z_]+$': {}, '^[a-z_]+\\.[a-z_]+\\.[a-z_]+$': {} },
    additionalProperties: false,
  };
}

const builtIn = ['import_tasks', 'include_tasks', 'import_role', 'include_role', 'include_vars', 'meta'].map(
  (name) => [name, {}] as const,
);

function gate(): Schema {
  const own = { name: {}, hosts: {}, from: {}, when: {}, interval: {}, timeout: {}, deadline: {} };
  const named = gates.map(
    ({ name, params, doc }) => [name, { ...parameters(params), description: doc.summary }] as const,
  );
  return { type: 'object', properties: { ...own, ...Object.fromEntries(named) }, additionalProperties: false };
}

function keywords(table: Readonly<Record<string, Form>>): Schema {
  return Object.fromEntries(
    Object.entries(table).map(([name, form]) => [name, { ...ofForm[form], description: keywordDocs[name] ?? '' }]),
  );
}

function forms(table: Readonly<Record<string, { form: Form }>>): Record<string, Form> {
  return Object.fromEntries(Object.entries(table).map(([name, { form }]) => [name, form]));
}

const tasks: Schema = { type: ['array', 'null'], items: { anyOf: [ref('task'), ref('block')] } };

const ofForm: Record<Form, Schema> = {
  any: {},
  text: { type: ['string', 'number', 'null'] },
  name: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
  bool: { anyOf: [{ type: 'boolean' }, { enum: ['yes', 'no', 'on', 'off'] }, ref('template')] },
  int: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[0-9]+$' }, ref('template')] },
  number: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^[0-9.]+$' }, ref('template')] },
  percent: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^[0-9.]+%?$' }, ref('template')] },
  list: { type: ['array', 'string', 'number', 'null'] },
  conditions: { type: ['array', 'string', 'boolean', 'number', 'null'] },
  mapping: { anyOf: [{ type: 'object' }, ref('template')] },
  vars: { type: ['object', 'array', 'null'] },
  tasks,
};

/** A mapping of parameters, or text: free-form, `k=v`, or a template. */
function parameters(specs: ParamSpecs, freeForm?: string, open = false): Schema {
  const named = Object.entries(specs).flatMap(([name, spec]) =>
    [name, ...(spec.aliases ?? [])].map((one) => [one, parameter(spec)] as const),
  );
  const required = Object.entries(specs).filter(([name, spec]) => spec.required && name !== freeForm);
  const allOf = required.map(([name, spec]) => ({
    anyOf: [name, ...(spec.aliases ?? [])].map((one) => ({ required: [one] })),
  }));
  const mapping = {
    type: 'object',
    properties: Object.fromEntries(named),
    additionalProperties: open,
    ...(allOf.length ? { allOf } : {}),
  };
  return { anyOf: [mapping, { type: ['string', 'null'] }] };
}

function parameter(spec: ParamSpec): Schema {
  const description = spec.doc;
  if (spec.choices) return { description, anyOf: [{ enum: spec.choices }, ref('template')] };
  return { description, ...ofType[spec.type] };
}

const ofType: Record<ParamSpec['type'], Schema> = {
  str: { type: ['string', 'number', 'boolean', 'null'] },
  path: { type: 'string' },
  version: { type: 'string' },
  mode: { type: ['string', 'integer'] },
  bytes: { type: ['string', 'integer'] },
  raw: {},
  bool: { anyOf: [{ type: 'boolean' }, { enum: ['yes', 'no', 'on', 'off'] }, ref('template')] },
  int: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]+$' }, ref('template')] },
  float: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^-?[0-9.]+$' }, ref('template')] },
  list: { type: ['array', 'string', 'number'] },
  dict: { anyOf: [{ type: 'object' }, ref('template')] },
};

function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}
