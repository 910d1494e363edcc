import { coerceParams } from '../../../src/core/coerce.ts';
import type { Answer, Wants } from '../../../src/core/facts.ts';
import { loginIdentity } from '../../../src/core/identity.ts';
import type { Module, Plan, WorldView } from '../../../src/core/module.ts';
import type { AnsweredKey } from '../../../src/core/needs.ts';
import type { Value } from '../../../src/jinja/values.ts';
import { UnknownRead } from '../../../src/world/read.ts';
import { World } from '../../../src/world/world.ts';
import { answerOf, contextOf, type ModuleCase, templateValue } from './run-case.ts';

/** Modules whose cases hold all that planning again asks for. */
export const plannedAgain = new Set([
  'assemble',
  'authorized_key',
  'blockinfile',
  'copy',
  'cron',
  'deb822_repository',
  'dpkg_selections',
  'file',
  'get_url',
  'group',
  'git',
  'hostname',
  'ini_file',
  'known_hosts',
  'lineinfile',
  'modprobe',
  'mount',
  'replace',
  'selinux',
  'service',
  'sysctl',
  'systemd',
  'systemd_unit',
  'template',
  'timezone',
  'unarchive',
  'user',
  'yum_repository',
]);

/**
 * Folds the effects of a case's steps into a World of its answers and plans again: what has a lasting effect must find
 * nothing to do. Undefined: the case has no such steps (it fails, or may have changed anything).
 */
export function planAgain(module: Module<never>, test: ModuleCase): string | undefined {
  if (test.error !== undefined || test.waits !== undefined) return undefined;
  const given = templateValue(test.params ?? {}) as Map<Value, Value>;
  const { params } = coerceParams(module.params, given, { module: module.name, rules: module.rules });
  const plan = (world: World) => module.plan(params as never, viewOf(world), contextOf(test));
  const before = new World().withAnswers(answers(test));
  const first = plan(before);
  const effects = first.steps.flatMap((step) => step.effects);
  if (effects.length === 0 || effects.some(({ type }) => type === 'opaque' || type === 'world.open')) return undefined;
  return verdict(() => plan(before.after(effects)));
}

function verdict(plan: () => Plan): string {
  try {
    const { steps } = plan();
    const lasting = steps.filter((step) => !step.always);
    return lasting.length === 0 ? 'nothing' : `changes: ${lasting.map((step) => step.title).join('; ')}`;
  } catch (error) {
    if (error instanceof UnknownRead) return `unknown: ${error.why}`;
    throw error;
  }
}

function answers(test: ModuleCase): AnsweredKey[] {
  return Object.entries(test.world ?? {}).map(([key, value]) => {
    const at = key.indexOf(':');
    const [family, id] = [key.slice(0, at), key.slice(at + 1)];
    return { identity: loginIdentity, key: { family, id }, answer: answerOf(family, id, value) };
  });
}

function viewOf(world: World): WorldView {
  return {
    read(family: string, id: string, wants?: Wants): Answer {
      const answer = world.find(loginIdentity, wants ? { family, id, wants } : { family, id });
      if (!answer) throw new Error(`after its own effects it asks ${family}:${id} ${JSON.stringify(wants ?? '')}`);
      return answer;
    },
  };
}
