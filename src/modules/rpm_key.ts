import { quote } from '../core/quote.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Step, StepOutcome } from '../core/steps.ts';
import { Unknown } from '../jinja/values.ts';
import { type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { completeTold, oneStep } from './lib/one-step.ts';

const changedMark = 'kpush: imported';

export const rpmKeyModule = defineModule({
  name: 'rpm_key',
  doc: {
    summary: 'Keeps keys by which rpm checks packages',
    notes: [
      'Which key a file or URL holds shows only when it is imported: a plan says unknown then, unless `fingerprint` tells.',
    ],
    examples: '- rpm_key: {key: https://pkgs.example/rpm/key.asc, state: present}\n',
  },
  params: {
    key: { type: 'str', operand: true, doc: 'URL or path of the key, or its id', required: true },
    state: { type: 'str', doc: 'Whether it shall be there', choices: ['absent', 'present'], default: 'present' },
    fingerprint: { type: 'str', doc: 'Its fingerprint' },
    validate_certs: { type: 'bool', doc: 'Check the certificate of the server', default: true },
  },
  facts: () => [toolKey(query)],
  plan({ key, state, fingerprint }, world, ctx) {
    const { rc, stdout = '' } = tool(world, query);
    if (rc === 127) throw new TaskFailure('this host has no rpm');
    const id = keyId(key, fingerprint);
    const there = id !== undefined && stdout.split('\n').some((line) => line.startsWith(`gpg-pubkey-${id}-`));
    if (id !== undefined && there === (state === 'present')) return { steps: [], result: result(false) };
    if (state === 'present')
      return { steps: [importStep(key, id)], result: result(id ? true : new Unknown(ctx.taskName)) };
    if (id === undefined)
      throw new TaskFailure('which key to remove is not known', {}, 'give its id, or its fingerprint');
    return { steps: [removeStep(id)], result: result(true) };
  },
  complete: (_params, predicted, outcomes) => completed(predicted, outcomes),
});

const query: ToolQuery = { argv: ['rpm', '-qa', 'gpg-pubkey*'] };

/** rpm names keys by the last eight digits of their ids, in lower case. */
function keyId(key: string, fingerprint: string | undefined): string | undefined {
  const hex = (fingerprint ?? key).replace(/\s+/g, '').replace(/^0x/i, '');
  return /^[0-9A-Fa-f]{8,}$/.test(hex) ? hex.slice(-8).toLowerCase() : undefined;
}

/** rpm says nothing of a key that it has already: the list before and after does. */
function importStep(key: string, id: string | undefined): Step {
  const list = `rpm -qa 'gpg-pubkey*' | sort`;
  const script = `b=$(${list}); rpm --import ${quote(key)} || exit $?; [ "$b" = "$(${list})" ] || echo ${quote(changedMark)}`;
  return {
    title: `import key ${key}`,
    run: { kind: 'sh', script },
    effects: [{ type: 'fact.unknown', family: 'tool', id: toolKey(query).id, why: `key ${key} is imported` }],
    diff: [{ kind: 'fields', subject: 'keys of rpm', fields: [{ name: id ?? key, before: null, after: 'present' }] }],
    ...(id === undefined ? { always: true } : {}),
  };
}

function removeStep(id: string): Step {
  return oneStep({
    title: `remove key ${id}`,
    argv: ['sh', '-c', `rpm -e --allmatches $(rpm -qa 'gpg-pubkey-${id}-*')`],
    ...{ subject: 'keys of rpm', field: id, before: 'present', after: null },
    effects: [{ type: 'fact.unknown', family: 'tool', id: toolKey(query).id, why: `key ${id} is removed` }],
  });
}

function completed(predicted: Result, outcomes: readonly StepOutcome[]): Result {
  const told = completeTold(predicted, outcomes);
  if (!(predicted.changed instanceof Unknown) || told.failed) return told;
  return { ...told, changed: outcomes.some(({ stdout }) => stdout.includes(changedMark)) };
}
