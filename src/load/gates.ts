import { checkNode } from '../core/check-node.ts';
import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { GateCall } from '../core/play.ts';
import { checkKeyword, unknownKeyword } from './check-keyword.ts';
import type { Context } from './context.ts';
import { field, listed, wrongType } from './expect.ts';
import type { Form } from './keywords.ts';

/** Keywords of a gate beside the gate itself. */
export const gateKeywords: Readonly<Record<string, Form>> = {
  name: 'any',
  hosts: 'any',
  from: 'any',
  when: 'conditions',
  interval: 'number',
  timeout: 'number',
  deadline: 'number',
};

/** `gates:` of a play: `- http: {url: …}` with its own keywords. */
export function gateCalls(node: Node | undefined, context: Context): GateCall[] {
  const { problems } = context.loading;
  return (node ? listed(node) : []).flatMap((entry) => problems.attempt(() => gateCall(entry, context)) ?? []);
}

function gateCall(entry: Node, context: Context): GateCall {
  if (!entry.entries) throw wrongType(entry, 'gates', "a gate such as '- http: {url: …}'");
  const { gate, origin, params } = gateOf(entry, context);
  const when = field(entry, 'when');
  return {
    origin,
    gate,
    name: field(entry, 'name'),
    params,
    hosts: field(entry, 'hosts'),
    from: field(entry, 'from'),
    when: when && [...(when.items ?? [when])],
    interval: field(entry, 'interval'),
    timeout: field(entry, 'timeout'),
    deadline: field(entry, 'deadline'),
  };
}

function gateOf(entry: Node, context: Context) {
  const { modules, problems } = context.loading;
  const others = [...(entry.entries ?? [])].filter(([name]) => !(name in gateKeywords));
  const known = others.filter(([name]) => modules.gate(name) !== undefined);
  const [first, second] = known;
  for (const [name, { keyOrigin }] of others)
    if (!modules.gate(name))
      problems.add(unknownKeyword(name, keyOrigin, 'a gate', [...Object.keys(gateKeywords), ...modules.gateNames()]));
  if (!first)
    throw inputError('this entry names no gate', {
      origin: entry.origin,
      expected: `one of: ${[...modules.gateNames()].join(', ')}`,
    });
  if (second)
    throw inputError(`two gates stand in one entry: '${first[0]}' and '${second[0]}'`, {
      origin: second[1].keyOrigin,
      expected: 'one gate',
    });
  checkGateKeywords(entry, context);
  const [gate, { keyOrigin, node }] = first;
  for (const error of checkNode(modules.gate(gate)!, node.value === null ? undefined : node, { origin: keyOrigin }))
    problems.add(error);
  return { gate, origin: keyOrigin, params: node.entries ? node : undefined };
}

function checkGateKeywords(entry: Node, { loading }: Context): void {
  for (const [name, { node }] of entry.entries ?? []) {
    const form = gateKeywords[name];
    const problem = form && checkKeyword(name, node, form);
    if (problem) loading.problems.add(problem);
  }
}
