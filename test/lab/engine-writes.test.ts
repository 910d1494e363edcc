import * as assert from 'uvu/assert';
import type { FactKey, Question } from '../../src/core/facts.ts';
import { keyText } from '../../src/core/facts.ts';
import type { Session } from '../../src/core/session.ts';
import { modules } from '../../src/modules/registry.ts';
import { makeAsker } from '../../src/plan/asker.ts';
import { planDriver } from '../../src/plan/plan-driver.ts';
import { runWaves } from '../../src/plan/waves.ts';
import { openSession } from '../../src/remote/session.ts';
import { playPoint } from '../../src/resolve/waves.ts';
import { prepare } from '../../src/run/prepare.ts';
import { anyTransport } from '../../src/transports/index.ts';
import { asked } from '../../src/world/ask.ts';
import { families, onController } from '../../src/world/families.ts';
import { compareFiles, Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { everyModule, needCluster, needPrograms } from './support/every-module.ts';
import { labInventory, scratch, yamlFile } from './support/inventory.ts';
import { moreQuestions, moving } from './support/questions.ts';
import { complaints, kpush, type Ran, runOptions } from './support/run.ts';

const test = suite('a plan writes nothing', { timeout: 300_000 });
const dir = scratch('writes');
let lab: Lab;
let inventory: string;
let playbook: string;

test('the lab is up, with package lists and some state', async () => {
  lab = await Lab.up({ hosts: 1 });
  inventory = labInventory(dir, lab, { h1: { ansible_host: lab.hosts[0]!.address } });
  playbook = yamlFile(dir, 'every.yaml', [everyModule(dir, 'h1')]);
  await lab.sh(
    'h1',
    'apt-get -q update && mkdir -p /srv/tree && tar -czf /srv/there.tgz -C /etc hostname hosts && cd /srv && apt-get -q download hostname && mv *.deb x.deb',
  );
});

test('every registered module is planned, missing packages included', async () => {
  const before = await everything();
  const ran = await kpush(runOptions('plan', playbook, inventory));
  const after = await everything();
  assert.equal(compareFiles(before.disk, after.disk), { added: [], removed: [], changed: {} });
  assert.equal(after.elsewhere, before.elsewhere);
  assert.equal(unplanned(ran), [], complaints(ran));
  assert.ok(packageSteps(ran).includes('socat'), 'the missing package is planned');
});

test('under --check as well', async () => {
  const before = await everything();
  const ran = await kpush(runOptions('apply', playbook, inventory, { check: true }));
  const after = await everything();
  assert.equal(compareFiles(before.disk, after.disk), { added: [], removed: [], changed: {} });
  assert.equal(after.elsewhere, before.elsewhere);
  assert.equal(unplanned(ran), [], complaints(ran));
});

test('every registered question is answered on a read-only root file system as on a writable one', async () => {
  const questions = [...(await planned()), ...moreQuestions];
  const unasked = [...families.values()].filter(
    ({ name, onController }) => !onController && !questions.some(({ keys }) => keys.some((k) => k.family === name)),
  );
  assert.equal(unasked, [], 'families that neither the plan nor the list asks');
  const writable = await answers(questions);
  await remount('ro');
  try {
    assert.is.not((await lab.exec('h1', 'touch /etc/x')).code, 0);
    const readOnly = await answers(questions);
    const other = Object.keys(writable).filter((key) => readOnly[key] !== writable[key]);
    assert.equal(
      other.map((key) => [key, writable[key], readOnly[key]]),
      [],
    );
  } finally {
    await remount('rw');
  }
  await lab.sh('h1', 'touch /etc/x && rm /etc/x');
});

test('everything is put away', () => lab.down());

test.run();

/** The disk, and what lies beside it: names, modes, sizes and times of what is on /run, /tmp and /dev/shm. */
async function everything() {
  const own = ['systemd', 'user', 'log', 'utmp', 'sshd.pid', 'dbus', 'mount', 'initctl', 'motd.dynamic'].map(
    (name) => `-path /run/${name} -o`,
  );
  const find = `find /run /tmp /dev/shm \\( ${own.join(' ')} -path /run/host \\) -prune -o ! -type d -printf '%p %m %u %s %T@\\n'`;
  return { disk: await lab.snapshotFiles('h1'), elsewhere: await lab.sh('h1', `${find} | sort`) };
}

/** Modules of which no task was planned to its end. */
function unplanned({ tasks }: Ran): string[] {
  const mayFail = new Set(['fail', ...needCluster, ...needPrograms]);
  const fine = tasks.filter(({ module, status }) => (status === 'failed' ? mayFail.has(module) : status !== 'skipped'));
  const seen = new Set(fine.map(({ module }) => module));
  // The planner does these itself; their events bear the same names.
  return modules.map(({ name }) => name).filter((name) => !seen.has(name));
}

function packageSteps({ tasks }: Ran): string {
  return JSON.stringify(tasks.filter(({ module }) => module === 'apt').flatMap(({ steps }) => steps));
}

/** All that the plan of the playbook asks, while it asks it. */
async function planned(): Promise<Question[]> {
  const found: Question[] = [];
  const { tools, plays, session } = opened();
  const asker = makeAsker(
    () => session,
    (work) => work(),
    new AbortController().signal,
    async () => '',
  );
  const recording = {
    ask: (host: string, questions: readonly Question[]) => {
      found.push(
        ...questions.map(({ identity, keys }) => ({ identity, keys: keys.filter((key) => !onController(key)) })),
      );
      return asker.ask(host, questions);
    },
  };
  const emit = (_event: object) => {};
  await runWaves({
    plays,
    tools,
    driver: planDriver(recording, tools, emit),
    emit,
    stop: new AbortController().signal,
  });
  await session.close();
  return found;
}

function opened() {
  const prepared = prepare(playbook, runOptions('plan', playbook, inventory), { warn: () => {}, secrets: {} });
  const target = prepared.evaluator.target('h1', { ...playPoint(prepared.plays[0]!), host: 'h1' });
  return { ...prepared, session: openSession(target, { transport: anyTransport }) };
}

/** The host's own words to each question, without what moves by itself. */
async function answers(questions: readonly Question[]): Promise<Record<string, string>> {
  const { session } = opened();
  const found: Record<string, string> = {};
  for (const { identity, keys } of questions)
    for (const [key, record] of await records(session, identity, keys)) found[keyText(key)] = moving(key, record);
  await session.close();
  return found;
}

async function records(
  session: Session,
  identity: Question['identity'],
  keys: FactKey[],
): Promise<[FactKey, string][]> {
  const { blocks, order } = asked(keys);
  const all = (await session.ask(identity, blocks)).flat();
  return order.map((key, at) => [key, all[at]!]);
}

/** journald would keep the file system busy; it writes to memory meanwhile. */
async function remount(how: 'ro' | 'rw') {
  const [before, after] = how === 'ro' ? ['journalctl --relinquish-var &&', ''] : ['', '&& journalctl --flush'];
  await lab.sh('h1', `${before} mount -o remount,bind,${how} / ${after}`);
}
