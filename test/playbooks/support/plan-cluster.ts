import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { EventBody, TaskEvent } from '../../../src/core/events.ts';
import type { Answer, FactKey } from '../../../src/core/facts.ts';
import { planDriver } from '../../../src/plan/plan-driver.ts';
import { runWaves } from '../../../src/plan/waves.ts';
import { prepare } from '../../../src/run/prepare.ts';
import { runOptions } from '../../lab/support/run.ts';
import { tempFolder } from '../../support/temp.ts';
import { bareAnswer, type System } from './bare-host.ts';

/** A cluster that exists only as answers: what each machine is, in which groups it is, and variables for all. */
export interface PaperCluster {
  hosts: Record<string, System>;
  groups: Partial<Record<'pki' | 'etcd' | 'control_plane' | 'nodes', string[]>>;
  vars?: Record<string, unknown>;
  /** Below playbooks; absent: cluster.yaml. */
  playbook?: string;
  /** Answers that are not a bare machine's; undefined leaves it at that. */
  answer?(host: string, key: FactKey): unknown;
}

export interface PaperPlan {
  tasks: TaskEvent[];
  asked: (FactKey & { host: string })[];
  /** Names of the waves whose tasks were planned. */
  waves: string[];
  /** Gates as they would be asked, in order: `wave: gate, on HOST, from HOST`. */
  gates: string[];
  events: EventBody[];
}

/** A plan of playbooks/cluster.yaml, or of another one, on bare machines of any system, without a machine. */
export async function planCluster(cluster: PaperCluster): Promise<PaperPlan> {
  const inventory = join(tempFolder('paper'), 'inventory.yaml');
  writeFileSync(inventory, stringify(inventoryOf(cluster), { lineWidth: 0 }));
  const playbook = `playbooks/${cluster.playbook ?? 'cluster.yaml'}`;
  const { tools, plays } = prepare(playbook, runOptions('plan', playbook, inventory), {
    warn: () => {},
    secrets: {},
  });
  const found: PaperPlan = { tasks: [], asked: [], waves: [], gates: [], events: [] };
  const asker = {
    ask: async (host: string, questions: readonly { identity: object; keys: FactKey[] }[]) =>
      questions.flatMap(({ identity, keys }) =>
        keys.map((key) => {
          found.asked.push({ ...key, host });
          return { identity, key, answer: answer(cluster, host, key) };
        }),
      ),
  };
  const emit = (event: EventBody) => {
    found.events.push(event);
    if (event.type === 'task') found.tasks.push(event);
    if (event.type === 'play-start') found.waves.push(event.name);
    if (event.type === 'gate')
      found.gates.push(`${found.waves.at(-1)}: ${event.gate}, on ${event.host}, from ${event.from}`);
  };
  await runWaves({ plays, tools, driver: planDriver(asker, tools, emit), emit, stop: new AbortController().signal });
  return found;
}

function answer(cluster: PaperCluster, host: string, key: FactKey): Answer {
  const special = cluster.answer?.(host, key);
  if (special !== undefined) return { state: 'known', raw: '', value: special };
  return bareAnswer(cluster.hosts[host]!, key);
}

function inventoryOf({ hosts, groups, vars }: PaperCluster) {
  const members = (names: string[]) => ({ hosts: Object.fromEntries(names.map((name) => [name, {}])) });
  return {
    all: {
      vars: { ansible_user: 'root', ...vars },
      hosts: Object.fromEntries(Object.keys(hosts).map((name, i) => [name, { ansible_host: `198.18.0.${11 + i}` }])),
      children: Object.fromEntries(
        ['pki', 'etcd', 'control_plane', 'nodes'].map((group) => [group, members(groups[group as 'pki'] ?? [])]),
      ),
    },
  };
}
