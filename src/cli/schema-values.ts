import type { ParamSpec, ParamSpecs } from '../core/params.ts';
import { metaWords } from '../core/play.ts';
import { type Form, loopControls, playChoices, promptKeys } from '../load/keywords.ts';
import { keywordDocs } from './keyword-docs.data.ts';

export type Schema = Record<string, unknown>;

export function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}

/** A text that is rendered: what it becomes is known later, so it fits everywhere. */
export const template: Schema = { type: 'string', pattern: '\\{\\{|\\{%' };

/** A property for each keyword of a table, with what `kpush doc` says of it. */
export function keywords(table: Readonly<Record<string, Form>>): Schema {
  return Object.fromEntries(
    Object.entries(table).map(([name, form]) => [
      name,
      { description: keywordDocs[name] ?? '', ...(ofKeyword[name] ?? ofForm[form]) },
    ]),
  );
}

export function forms(table: Readonly<Record<string, { form: Form }>>): Record<string, Form> {
  return Object.fromEntries(Object.entries(table).map(([name, { form }]) => [name, form]));
}

const variableName = '^[A-Za-z_][A-Za-z0-9_]*$';
const variables: Schema = { type: 'object', propertyNames: { pattern: variableName } };
const some = (...any: Schema[]): Schema => ({ anyOf: [...any, template] });
const texts: Schema = { type: ['string', 'number', 'array'], items: { type: ['string', 'number'] } };

const ofForm: Record<Form, Schema> = {
  any: {},
  text: { type: ['string', 'number', 'null'] },
  name: { type: 'string', pattern: variableName },
  bool: some({ type: 'boolean' }, { enum: ['yes', 'no', 'on', 'off'] }),
  int: some({ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]+$' }),
  number: some({ type: 'number' }, { type: 'string', pattern: '^[0-9.]+$' }),
  percent: some({ type: 'number', minimum: 0, maximum: 100 }, { type: 'string', pattern: '^[0-9.]+%?$' }),
  list: { type: ['array', 'string', 'number', 'null'] },
  conditions: { type: ['array', 'string', 'boolean', 'number', 'null'] },
  mapping: some({ type: 'object' }),
  vars: { type: ['object', 'array', 'null'], propertyNames: { pattern: variableName }, items: variables },
  environment: some({ type: ['object', 'null'] }, { type: 'array', items: some({ type: 'object' }) }),
  tasks: { type: ['array', 'null'], items: { anyOf: [ref('task'), ref('block')] } },
};

/** Keywords that take less than their form. */
const ofKeyword: Record<string, Schema> = {
  hosts: texts,
  handlers: { type: ['array', 'null'], items: ref('task') },
  roles: { type: ['array', 'null'], items: ref('role') },
  gates: { type: ['array', 'null'], items: ref('gate') },
  serial: some(
    { type: ['integer', 'array'], items: some({ type: 'integer' }, { type: 'string', pattern: '^[0-9]+%?$' }) },
    { type: 'string', pattern: '^[0-9]+%?$' },
    { type: 'object', properties: { by: { type: 'string' }, max: {} }, required: ['by'], additionalProperties: false },
  ),
  ...Object.fromEntries(Object.entries(playChoices).map(([name, choices]) => [name, some({ enum: choices })])),
  vars_prompt: {
    type: ['array', 'null'],
    items: {
      type: 'object',
      properties: Object.fromEntries(promptKeys.map((key) => [key, {}])),
      required: ['name'],
      additionalProperties: false,
    },
  },
  loop: some({ type: 'array' }),
  loop_control: {
    type: 'object',
    properties: Object.fromEntries(loopControls.map((key) => [key, {}])),
    additionalProperties: false,
  },
};

/** What the engine itself does: words of `meta`, and what takes in other files. */
export const builtIn: Schema = {
  meta: { description: 'A word to the engine itself', anyOf: [{ enum: metaWords }, template] },
  ...Object.fromEntries(
    ['import_tasks', 'include_tasks', 'import_role', 'include_role', 'include_vars'].map((name) => [
      name,
      { type: ['string', 'object'] },
    ]),
  ),
};

/** A mapping of parameters, or text: free-form, `k=v`, or a template. */
export function parameters(specs: ParamSpecs, freeForm?: string, open = false): Schema {
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
  if (spec.choices) return { description, anyOf: [{ enum: spec.choices }, template] };
  return { description, ...ofType[spec.type] };
}

const ofType: Record<ParamSpec['type'], Schema> = {
  str: { type: ['string', 'number', 'boolean', 'null'] },
  path: { type: 'string' },
  version: { type: 'string' },
  mode: { type: ['string', 'integer'] },
  bytes: { type: ['string', 'integer'] },
  raw: {},
  bool: some({ type: 'boolean' }, { enum: ['yes', 'no', 'on', 'off'] }),
  int: some({ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]+$' }),
  float: some({ type: 'number' }, { type: 'string', pattern: '^-?[0-9.]+$' }),
  list: { type: ['array', 'string', 'number'] },
  dict: some({ type: 'object' }),
};
