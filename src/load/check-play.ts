import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Node } from '../core/node.ts';
import { checkKeyword, unknownKeyword } from './check-keyword.ts';
import { field, isTemplated, listed, wrongType } from './expect.ts';
import {
  idleKeywords,
  innerKeywords,
  playChoices,
  playKeywords,
  promptKeys,
  sharedKeywords,
  taskKeywords,
} from './keywords.ts';
import type { Problems } from './problems.ts';

/** Keywords of a play: known, of the right form, of the right value where they are literal. */
export function checkPlay(node: Node, problems: Problems): void {
  const valid = [...Object.keys(playKeywords), ...Object.keys(sharedKeywords)];
  for (const [name, { keyOrigin, node: value }] of node.entries ?? []) {
    const form = playKeywords[name] ?? sharedKeywords[name]?.form;
    if (form === undefined && !idleKeywords.has(name)) problems.add(notOfPlay(name, keyOrigin, valid));
    const problem = form && checkKeyword(name, value, form);
    if (problem) problems.add(problem);
  }
  checkHosts(node, problems);
  for (const [name, choices] of Object.entries(playChoices)) checkChoice(node, name, choices, problems);
  checkSerial(field(node, 'serial'), problems);
  checkPrompts(field(node, 'vars_prompt'), problems);
}

/** A task's keyword in a play deserves its own words: the task is probably indented wrongly. */
function notOfPlay(name: string, keyOrigin: { file: string; line: number; column: number }, valid: string[]) {
  if (!(name in innerKeywords) && !(name in taskKeywords)) return unknownKeyword(name, keyOrigin, 'a play', valid);
  return inputError(`'${name}' is not a keyword of a play`, {
    origin: keyOrigin,
    hint: 'it is a keyword of a task: put it there, or put the tasks into a block',
  });
}

function checkHosts(node: Node, problems: Problems): void {
  const hosts = field(node, 'hosts');
  if (!hosts) return;
  const patterns = listed(hosts);
  if (patterns.length === 0)
    problems.add(inputError("'hosts' is empty", { origin: hosts.origin, expected: 'a host pattern' }));
  for (const pattern of hosts.entries ? [hosts] : patterns)
    if (pattern.entries || pattern.items || pattern.value === null || typeof pattern.value === 'boolean')
      problems.add(wrongType(pattern, 'hosts', 'a host pattern or a list of them'));
}

function checkChoice(node: Node, name: string, choices: readonly string[], problems: Problems): void {
  const value = field(node, name);
  if (!value || isTemplated(value) || value.value === null || choices.includes(String(value.value))) return;
  const close = nearest(String(value.value), choices);
  const expected = `one of: ${choices.join(', ')}`;
  problems.add(wrongType(value, name, expected, close ? { nearest: close } : {}));
}

const serialForms = "a number of hosts, a percentage such as '25%', a list of them, or {by: VARIABLE, max: N}";

function checkSerial(serial: Node | undefined, problems: Problems): void {
  if (!serial || isTemplated(serial)) return;
  if (serial.entries) checkDomains(serial, problems);
  else
    for (const item of listed(serial))
      if (!isTemplated(item) && !/^\d+%?$/.test(String(item.value)))
        problems.add(wrongType(item, 'serial', serialForms));
}

function checkDomains(serial: Node, problems: Problems): void {
  for (const [name, { keyOrigin }] of serial.entries ?? [])
    if (name !== 'by' && name !== 'max') problems.add(unknownKeyword(name, keyOrigin, 'serial', ['by', 'max']));
  const by = field(serial, 'by');
  if (!by || typeof by.value !== 'string')
    problems.add(
      inputError("'serial' lacks the variable that names a host's domain", {
        origin: serial.origin,
        expected: "'by: VARIABLE'",
      }),
    );
}

function checkPrompts(prompts: Node | undefined, problems: Problems): void {
  for (const prompt of prompts ? listed(prompts) : []) {
    for (const [name, { keyOrigin }] of prompt.entries ?? [])
      if (!promptKeys.some((key) => key === name))
        problems.add(unknownKeyword(name, keyOrigin, 'vars_prompt', promptKeys));
    if (!field(prompt, 'name'))
      problems.add(
        inputError('this prompt names no variable', { origin: prompt.origin, expected: "'name: VARIABLE'" }),
      );
  }
}
