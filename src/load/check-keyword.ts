import { inputError, type KpushError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { Float } from '../jinja/values.ts';
import { isTemplated, wrongType } from './expect.ts';
import type { Form } from './keywords.ts';

/** Whether a keyword's value has its form; the error when not. `null` values count as not given. */
export function checkKeyword(name: string, node: Node, form: Form): KpushError | undefined {
  if (node.value === null || form === 'any') return undefined;
  if (isTemplated(node)) return templateProblem(name, node, form);
  const rule = rules[form];
  if (!rule.fits(node)) return wrongType(node, name, rule.expected);
  return form === 'vars' ? badVariable(node) : undefined;
}

export function unknownKeyword(name: string, origin: Origin, where: string, valid: Iterable<string>): KpushError {
  const close = nearest(name, valid);
  return inputError(`'${name}' is not a keyword of ${where}`, {
    origin,
    lacks: { kind: 'keyword', name },
    ...(close ? { nearest: close } : { expected: `one of: ${[...valid].sort().join(', ')}` }),
  });
}

/** Ansible refuses them too, here though not in files of variables. */
function badVariable(node: Node): KpushError | undefined {
  for (const mapping of node.items ?? [node])
    for (const [name, { keyOrigin }] of mapping.entries ?? [])
      if (!variableName.test(name))
        return inputError(`'${name}' is no name of a variable`, { origin: keyOrigin, expected: rules.name.expected });
  return undefined;
}

function templateProblem(name: string, node: Node, form: Form): KpushError | undefined {
  if (form === 'name' || form === 'tasks' || form === 'mapping' || form === 'vars')
    return inputError(`'${name}' cannot be a template`, { origin: node.origin, expected: rules[form].expected });
  return undefined;
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

interface Rule {
  expected: string;
  fits(node: Node): boolean;
}

const boolWords = new Set(['y', 'yes', 'on', '1', 'true', 't', 'n', 'no', 'off', '0', 'false', 'f']);

const rules: Record<Exclude<Form, 'any'>, Rule> = {
  text: { expected: 'a text', fits: (node) => isScalar(node) },
  name: {
    expected: 'a variable name: letters, digits and _, not starting with a digit',
    fits: (node) => typeof node.value === 'string' && variableName.test(node.value),
  },
  bool: {
    expected: 'true or false',
    fits: (node) =>
      typeof node.value === 'boolean' || (isScalar(node) && boolWords.has(String(node.value).toLowerCase())),
  },
  int: { expected: 'a whole number', fits: (node) => isScalar(node) && /^-?\d+$/.test(numeric(node)) },
  number: { expected: 'a number', fits: (node) => isScalar(node) && /^-?\d+(\.\d*)?$/.test(numeric(node)) },
  percent: {
    expected: 'a percentage from 0 to 100',
    fits: (node) => /^\d+(\.\d*)?%?$/.test(numeric(node)) && Number.parseFloat(numeric(node)) <= 100,
  },
  list: { expected: 'a list', fits: (node) => node.items !== undefined || isScalar(node) },
  conditions: {
    expected: 'an expression or a list of expressions',
    fits: (node) => isScalar(node) || node.items?.every((item) => isScalar(item)) === true,
  },
  mapping: { expected: 'a mapping', fits: (node) => node.entries !== undefined },
  vars: {
    expected: 'a mapping of variables',
    fits: (node) => node.entries !== undefined || node.items?.every((item) => item.entries !== undefined) === true,
  },
  environment: {
    expected: 'a mapping of variables, or a list of them',
    fits: (node) => (node.items ?? [node]).every((item) => item.entries !== undefined || isTemplated(item)),
  },
  tasks: { expected: 'a list of tasks', fits: (node) => node.items !== undefined },
};

function isScalar(node: Node): boolean {
  return node.entries === undefined && node.items === undefined;
}

function numeric(node: Node): string {
  return node.value instanceof Float ? String(node.value.value) : String(node.value);
}
