import type { ParamSpecs, Params } from '../../core/params.ts';

const matched = {
  protocol: { type: 'str', doc: 'tcp, udp, icmp …; `!` before it: all others' },
  source: { type: 'str', doc: 'Address, network or name it comes from' },
  destination: { type: 'str', doc: 'Address, network or name it goes to' },
  match: { type: 'list', elements: 'str', doc: 'Extensions to load', default: [] },
  tcp_flags: { type: 'dict', doc: 'Lists flags (looked at) and flags_set' },
  in_interface: { type: 'str', doc: 'Interface it comes in by' },
  out_interface: { type: 'str', doc: 'Interface it leaves by' },
  fragment: { type: 'str', operand: true, doc: 'Only later fragments' },
  source_port: { type: 'str', doc: 'Port or range it comes from' },
  destination_port: { type: 'str', doc: 'Port or range it goes to' },
  destination_ports: { type: 'list', elements: 'str', doc: 'Ports, one of which it goes to', default: [] },
  syn: {
    type: 'str',
    doc: 'match: only first packets of TCP',
    choices: ['ignore', 'match', 'negate'],
    default: 'ignore',
  },
  ctstate: { type: 'list', elements: 'str', doc: 'States of the connection', default: [] },
  src_range: { type: 'str', doc: 'Range of addresses it comes from' },
  dst_range: { type: 'str', doc: 'Range of addresses it goes to' },
  match_set: { type: 'str', doc: 'An ipset' },
  match_set_flags: {
    type: 'str',
    doc: 'What of it is looked up in the set',
    choices: ['src', 'dst', 'src,dst', 'dst,src'],
  },
  limit: { type: 'str', doc: 'Rate, such as 5/minute' },
  limit_burst: { type: 'str', doc: 'Burst' },
  uid_owner: { type: 'str', doc: 'User that sends it' },
  gid_owner: { type: 'str', doc: 'Group that sends it' },
  icmp_type: { type: 'str', doc: 'Type of ICMP' },
  comment: { type: 'str', doc: 'A comment' },
} as const satisfies ParamSpecs;

const done = {
  jump: { type: 'str', doc: 'What is done: ACCEPT, DROP, a chain …' },
  goto: { type: 'str', doc: 'Chain to go on in' },
  gateway: { type: 'str', doc: 'Address for TEE' },
  log_prefix: { type: 'str', doc: 'Text before what is logged; jump is LOG then' },
  log_level: { type: 'str', doc: 'Level of what is logged; jump is LOG then' },
  to_destination: { type: 'str', doc: 'Address for DNAT' },
  to_source: { type: 'str', doc: 'Address for SNAT' },
  to_ports: { type: 'str', doc: 'Ports for REDIRECT and MASQUERADE' },
  set_counters: { type: 'str', operand: true, doc: 'Counters to begin with' },
  set_dscp_mark: { type: 'str', doc: 'DSCP value' },
  set_dscp_mark_class: { type: 'str', doc: 'DSCP class' },
  reject_with: { type: 'str', doc: 'Answer of REJECT; jump is REJECT then' },
  wait: { type: 'str', operand: true, doc: 'Seconds to wait for the lock' },
} as const satisfies ParamSpecs;

export const ruleParams = { ...matched, ...done } as const satisfies ParamSpecs;

export type RuleParams = Params<typeof ruleParams>;

/** The rule as iptables' arguments, in the order in which Ansible gives them. */
export function ruleArguments(given: RuleParams, version: 'ipv4' | 'ipv6'): string[] {
  const { jump = given.log_prefix !== undefined || given.log_level !== undefined ? 'LOG' : undefined } = given;
  const has = (name: string) => given.match.includes(name);
  const extension = (name: string, wanted: unknown) => (wanted && !has(name) ? ['-m', name] : []);
  return [
    ...(given.wait === undefined ? [] : ['-w', given.wait]),
    ...flag('-p', given.protocol),
    ...flag('-s', given.source),
    ...flag('-d', given.destination),
    ...given.match.flatMap((name) => flag('-m', name)),
    ...tcpFlags(given.tcp_flags),
    ...flag('-j', jump),
    ...(jump?.toLowerCase() === 'tee' ? flag('--gateway', given.gateway) : []),
    ...flag('--log-prefix', given.log_prefix),
    ...flag('--log-level', given.log_level),
    ...flag('--to-destination', given.to_destination),
    ...(given.destination_ports.length ? ['-m', 'multiport', '--dports', given.destination_ports.join(',')] : []),
    ...flag('--to-source', given.to_source),
    ...flag('-g', given.goto),
    ...flag('-i', given.in_interface),
    ...flag('-o', given.out_interface),
    ...flag('-f', given.fragment),
    ...flag('-c', given.set_counters),
    ...flag('--source-port', given.source_port),
    ...flag('--destination-port', given.destination_port),
    ...flag('--to-ports', given.to_ports),
    ...flag('--set-dscp', given.set_dscp_mark),
    ...flag('--set-dscp-class', given.set_dscp_mark_class),
    ...{ ignore: [], match: ['--syn'], negate: ['!', '--syn'] }[given.syn as 'ignore'],
    ...states(given),
    ...extension('iprange', given.src_range ?? given.dst_range),
    ...flag('--src-range', given.src_range),
    ...flag('--dst-range', given.dst_range),
    ...extension('set', given.match_set),
    ...flag('--match-set', given.match_set),
    ...(given.match_set_flags === undefined ? [] : [given.match_set_flags]),
    ...(given.limit || given.limit_burst ? ['-m', 'limit'] : []),
    ...flag('--limit', given.limit),
    ...flag('--limit-burst', given.limit_burst),
    ...owner('--uid-owner', given.uid_owner),
    ...owner('--gid-owner', given.gid_owner),
    ...(jump === undefined && given.reject_with ? ['-j', 'REJECT'] : []),
    ...flag('--reject-with', given.reject_with),
    ...flag(version === 'ipv4' ? '--icmp-type' : '--icmpv6-type', given.icmp_type),
    ...(given.comment ? ['-m', 'comment'] : []),
    ...flag('--comment', given.comment),
  ];
}

/** `!x` is everything but x. */
function flag(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith('!') ? ['!', name, value.slice(1)] : [name, value];
}

function tcpFlags(given: Record<string, unknown> | undefined): string[] {
  const { flags, flags_set: set } = (given ?? {}) as { flags?: string[]; flags_set?: string[] };
  return flags && set ? ['--tcp-flags', flags.join(','), set.join(',')] : [];
}

function states({ match, ctstate }: RuleParams): string[] {
  if (ctstate.length === 0) return [];
  const value = ctstate.join(',');
  if (match.includes('conntrack')) return ['--ctstate', value];
  if (match.includes('state')) return ['--state', value];
  return ['-m', 'conntrack', '--ctstate', value];
}

function owner(name: string, value: string | undefined): string[] {
  return value ? ['-m', 'owner', ...flag(name, value)] : [];
}
