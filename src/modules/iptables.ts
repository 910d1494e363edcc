import type { FactKey } from '../core/facts.ts';
import type { Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { type ToolFact, type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { ruleArguments, ruleParams } from './lib/iptables-rule.ts';
import { type Change, completeTold, oneStep } from './lib/one-step.ts';

const params = {
  chain: { type: 'str', operand: true, doc: 'The chain' },
  table: {
    type: 'str',
    doc: 'The table',
    choices: ['filter', 'nat', 'mangle', 'raw', 'security'],
    default: 'filter',
  },
  state: { type: 'str', doc: 'Whether the rule shall be there', choices: ['absent', 'present'], default: 'present' },
  action: { type: 'str', doc: 'Where a new rule goes', choices: ['append', 'insert'], default: 'append' },
  rule_num: { type: 'str', operand: true, doc: 'Its number when inserted' },
  ip_version: { type: 'str', doc: 'iptables or ip6tables', choices: ['ipv4', 'ipv6'], default: 'ipv4' },
  flush: { type: 'bool', doc: 'Remove all rules of the chain, or of the table', default: false },
  policy: { type: 'str', doc: 'Policy of the chain', choices: ['ACCEPT', 'DROP', 'QUEUE', 'RETURN'] },
  chain_management: { type: 'bool', doc: 'Make the chain where it is missing; absent: remove it', default: false },
  ...ruleParams,
} as const satisfies ParamSpecs;

type IptablesParams = Params<typeof params>;

export const iptablesModule = defineModule({
  name: 'iptables',
  doc: {
    summary: 'Keeps rules of the running packet filter',
    notes: ['They are gone after a restart, unless something saves them.'],
    examples: "- iptables: {chain: INPUT, protocol: tcp, destination_port: '6443', jump: ACCEPT, comment: api}\n",
    returns: { rule: 'arguments of the rule', chain: 'the chain', table: 'the table' },
  },
  params,
  rules: {
    exclusive: [
      ['set_dscp_mark', 'set_dscp_mark_class'],
      ['flush', 'policy'],
    ],
  },
  facts: (given) => keysOf(given),
  plan: (given, world) => planRule(given, world),
  complete: (_given, predicted, outcomes) => completeTold(predicted, outcomes),
});

function keysOf(given: IptablesParams): FactKey[] {
  if (given.flush) return [toolKey({ argv: [program(given), '--version'] })];
  if (given.policy !== undefined) return [toolKey(listed(given))];
  return [toolKey(checked(given)), ...(given.chain_management ? [toolKey(listed(given))] : [])];
}

function planRule(given: IptablesParams, world: WorldView): Plan {
  const rule = rulesOf(given);
  if (!given.flush && given.chain === undefined)
    throw new TaskFailure('Either chain or flush parameter must be specified.');
  if (given.jump !== undefined && given.jump !== 'LOG' && (given.log_prefix ?? given.log_level) !== undefined)
    throw new TaskFailure('Logging options can only be used with the LOG jump target.');
  const steps = stepsOf(given, rule, world);
  const { ip_version, table, chain = null, flush, state, chain_management } = given;
  const values = { ip_version, table, chain, flush, rule: rule.join(' '), state, chain_management };
  return { steps, result: result(steps.length > 0, { ...values, failed: false }) };
}

function stepsOf(given: IptablesParams, rule: string[], world: WorldView): Step[] {
  if (given.flush) return [{ ...step(given, 'flush', ['-F', ...chainOf(given)], 'rules', null), always: true }];
  if (given.policy !== undefined) return policySteps(given, answered(listed(given), world));
  if (rule.length === 0) return chainSteps(given, world);
  const there = answered(checked(given), world).rc === 0;
  if (there === (given.state === 'present')) return [];
  const made = given.state === 'present' && given.chain_management ? chainSteps(given, world) : [];
  return [...made, ruleStep(given, rule)];
}

function ruleStep(given: IptablesParams, rule: string[]): Step {
  const text = rule.join(' ');
  const answer = (rc: number): Pick<Change, 'answers'> => ({ answers: [[checked(given), { rc }]] });
  if (given.state === 'absent')
    return step(given, `remove rule ${text}`, ['-D', ...chainOf(given), ...rule], 'rule', text, answer(1));
  const at =
    given.action === 'insert'
      ? ['-I', ...chainOf(given), ...(given.rule_num ? [given.rule_num] : [])]
      : ['-A', ...chainOf(given)];
  return step(given, `add rule ${text}`, [...at, ...rule], 'rule', text, answer(0));
}

function policySteps(given: IptablesParams, { rc, stdout = '' }: ToolFact): Step[] {
  const now = /\(policy ([A-Z]+)/.exec(stdout.split('\n')[0] ?? '')?.[1];
  if (rc !== 0 || now === undefined) throw new TaskFailure("Can't detect current policy");
  if (now === given.policy) return [];
  const list = stdout.replace(`(policy ${now}`, `(policy ${given.policy}`);
  return [
    step(given, `policy ${given.policy}`, ['-P', ...chainOf(given), given.policy!], 'policy', now, {
      answers: [[listed(given), { rc: 0, stdout: list }]],
    }),
  ];
}

/** A chain by itself: without rules in the parameters, state absent removes it. */
function chainSteps(given: IptablesParams, world: WorldView): Step[] {
  const there = answered(listed(given), world).rc === 0;
  if (there === (given.state === 'present')) return [];
  if (!given.chain_management && given.state === 'present') return [];
  const [verb, rc] = given.state === 'present' ? (['-N', 0] as const) : (['-X', 1] as const);
  const title = `${given.state === 'present' ? 'make' : 'remove'} chain ${given.chain}`;
  return [step(given, title, [verb, ...chainOf(given)], 'chain', null, { answers: [[listed(given), { rc }]] })];
}

function step(
  given: IptablesParams,
  title: string,
  argv: string[],
  field: string,
  before: string | null,
  more: Pick<Change, 'answers'> = {},
): Step {
  const gone = given.state === 'absent' && field !== 'policy';
  const after = field === 'policy' ? given.policy! : gone ? null : (before ?? given.chain ?? given.table);
  const known = field === 'policy' || gone ? before : null;
  const subject = `${program(given)} ${[given.table, given.chain].filter(Boolean).join(' ')}`;
  return oneStep({
    title,
    argv: [program(given), '-t', given.table, ...argv],
    subject,
    field,
    before: known,
    after,
    ...more,
  });
}

function answered(query: ToolQuery, world: WorldView): ToolFact {
  const fact = tool(world, query);
  if (fact.rc === 127)
    throw new TaskFailure(`this host has no ${query.argv[0]}`, {}, 'install iptables in an earlier task');
  return fact;
}

function checked(given: IptablesParams): ToolQuery {
  return { argv: [program(given), '-t', given.table, '-C', ...chainOf(given), ...rulesOf(given)] };
}

function listed(given: IptablesParams): ToolQuery {
  return { argv: [program(given), '-n', '-t', given.table, '-L', ...chainOf(given)] };
}

function rulesOf(given: IptablesParams): string[] {
  return ruleArguments(given, given.ip_version as 'ipv4');
}

function chainOf({ chain }: IptablesParams): string[] {
  return chain === undefined ? [] : [chain];
}

function program({ ip_version }: IptablesParams): string {
  return ip_version === 'ipv4' ? 'iptables' : 'ip6tables';
}
