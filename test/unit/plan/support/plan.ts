import { stringify } from 'yaml';
import type { EventBody, TaskEvent } from '../../../../src/core/events.ts';
import type { Answer, FactKey } from '../../../../src/core/facts.ts';
import type { Module } from '../../../../src/core/module.ts';
import type { Need, Reply } from '../../../../src/core/needs.ts';
import type { RunOptions } from '../../../../src/core/options.ts';
import type { Driver } from '../../../../src/plan/driver.ts';
import { planDriver } from '../../../../src/plan/plan-driver.ts';
import { runWaves } from '../../../../src/plan/waves.ts';
import { prepare } from '../../../../src/run/prepare.ts';
import { runOptions } from '../../../lab/support/run.ts';
import { memoryFiles } from '../../load/support/memory-files.ts';

/** A host that exists only as answers. */
export interface FakeHost {
  options?: Partial<RunOptions>;
  /** Beside the playbook. */
  files?: Record<string, string>;
  answer(key: FactKey): Answer;
  module?: (name: string, module: Module | undefined) => Module | undefined;
  /** What a run of steps comes to; absent: as predicted. */
  run?: (need: Extract<Need, { kind: 'run' }>) => Reply;
  /** Time passes between two attempts; absent: as in a plan, which tries once. */
  waits?: boolean;
}

export interface Planned {
  tasks: TaskEvent[];
  warnings: string[];
  /** The keys of each ask, as text. */
  asked: FactKey[][];
}

/** Plans plays (without facts) on hosts (one, h1, if not told) that all answer as told. */
export async function planOn(plays: object[], host: FakeHost, hosts = 'h1,'): Promise<Planned> {
  const text = stringify(plays.map((play) => ({ hosts: 'all', gather_facts: false, ...play })));
  const files = memoryFiles({ 'p.yaml': text, ...host.files });
  const { tools, plays: loaded } = prepare('/t/p.yaml', runOptions('plan', '/t/p.yaml', hosts, host.options), {
    files,
    warn: () => {},
    secrets: {},
  });
  const found: Planned = { tasks: [], warnings: [], asked: [] };
  const asker = {
    ask: async (_on: string, questions: readonly { identity: object; keys: FactKey[] }[]) => {
      found.asked.push(questions.flatMap(({ keys }) => keys));
      return questions.flatMap(({ identity, keys }) =>
        keys.map((key) => ({ identity, key, answer: host.answer(key) })),
      );
    },
  };
  const emit = (event: EventBody) => {
    if (event.type === 'task') found.tasks.push(event);
    if (event.type === 'warning') found.warnings.push(event.message);
  };
  const changed = { ...tools, module: (name: string) => (host.module ?? same)(name, tools.module(name)) };
  const predicting = planDriver(asker, changed, emit);
  const own = host.run ? { predicts: undefined } : {};
  const driver: Driver = {
    ...predicting,
    ...own,
    run: async (on, need) => host.run?.(need) ?? predicting.run(on, need),
    ...(host.waits ? { sleep: async (): Promise<Reply> => ({ kind: 'go' }) } : {}),
  };
  await runWaves({ plays: loaded, tools: changed, driver, emit, stop: new AbortController().signal });
  return found;
}

const same = (_name: string, module: Module | undefined) => module;
