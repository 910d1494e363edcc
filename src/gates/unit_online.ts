import type { Verdict } from '../core/gate.ts';
import { evidenceKey } from '../world/evidence.ts';
import { type UnitFact, unit, unitKey } from '../world/unit.ts';
import { defineGate } from './define.ts';

export const unitOnlineGate = defineGate({
  name: 'unit_online',
  doc: {
    summary: 'Units run, or ended well',
    notes: [
      'A job (Type=oneshot) that does not remain is online when its last run was a success, as long as systemd remembers it: of a job that no target pulls in it forgets at once. At an end at once: a unit that failed, is masked, broken or not there.',
    ],
    examples: '- unit_online: {name: [etcd, kube-apiserver]}\n',
  },
  params: { name: { type: 'list', elements: 'str', doc: 'The units', required: true, aliases: ['unit', 'units'] } },
  interval: 2,
  timeout: 10,
  deadline: 120,
  facts: (params) => params.name.map((name) => unitKey(name)),
  judge(params, world) {
    const verdicts = params.name.map((name) => judge(name, unit(world, name)));
    return (
      verdicts.find(({ verdict }) => verdict === 'fail') ??
      verdicts.find(({ verdict }) => verdict === 'wait') ?? { verdict: 'pass' }
    );
  },
  evidence: (params) => params.name.map((name) => evidenceKey(name)),
});

function judge(name: string, fact: UnitFact): Verdict {
  const { ExecMainStatus, Result, SubState } = fact.properties;
  if (fact.load === 'not-found') return { verdict: 'fail', reason: `there is no unit ${name}` };
  if (fact.load !== 'loaded')
    return { verdict: 'fail', reason: `${name} is ${fact.load}${fact.loadError ? `: ${fact.loadError}` : ''}` };
  if (fact.active === 'active' || fact.active === 'reloading') return { verdict: 'pass' };
  if (fact.active === 'failed') {
    const status = ExecMainStatus && ExecMainStatus !== '0' ? `, exit status ${ExecMainStatus}` : '';
    return { verdict: 'fail', reason: `${name} failed (${Result ?? 'no result'}${status})` };
  }
  if (fact.active === 'inactive' && fact.type === 'oneshot') return ended(name, fact);
  return {
    verdict: 'wait',
    reason: `${name} is ${fact.active}${SubState && SubState !== 'dead' ? ` (${SubState})` : ''}`,
  };
}

/** A job that never ran has no invocation; nor has one that systemd has forgotten, since nothing pulls it in. */
function ended(name: string, fact: UnitFact): Verdict {
  if (!fact.invocation)
    return { verdict: 'wait', reason: `${name} has not run yet, or systemd has forgotten that it did` };
  const { Result, ExecMainStatus } = fact.properties;
  if (Result === 'success' && ExecMainStatus === '0') return { verdict: 'pass', detail: `${name} ended well` };
  return { verdict: 'wait', reason: `${name} is inactive (${Result})` };
}
