import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../../src/core/events.ts';
import { hostRoot } from '../../lab/support/host-root.ts';
import { labInventory, scratch, yamlFile } from '../../lab/support/inventory.ts';
import { complaints, kpush, runOptions } from '../../lab/support/run.ts';
import { Lab } from '../../lab-kit/index.ts';
import { bundledKpush } from './bundle.ts';
import { fresh, holdScript, packageScript, playbook, resetScript, steps, unitName, unitText } from './held.ts';
import { processesSince } from './processes.ts';
import { pause, until } from './until.ts';

/** Seconds of silence after which a host has ended what ran, in these runs. */
export const deadline = 5;

export interface Cut {
  name: string;
  inject(lab: Lab, host: string, kpush: ChildProcess): Promise<unknown>;
  heal?(lab: Lab, host: string): Promise<unknown>;
  /** Seconds until nothing of ours may run any more. */
  within: number;
  deadline?: number;
  /** The host is off afterwards, and with it all that ran there. */
  off?: boolean;
  /** No cut: kpush goes on until it cannot. */
  goesOn?: boolean;
  /** The host, once. */
  prepare?(lab: Lab, host: string): Promise<unknown>;
}

/** What cuts a run off: the columns of the table. Its rows are the steps of a run. */
export const cuts: Cut[] = [
  { name: 'kpush killed -9', inject: async (_lab, _host, child) => void child.kill('SIGKILL'), within: 5 },
  { name: 'the channel closed', inject: (_lab, _host, child) => interruptTwice(child), within: 5 },
  // A busy machine gets two seconds to notice.
  {
    name: 'the link down',
    inject: (lab, host) => lab.cut(host),
    heal: (lab, host) => lab.heal(host),
    within: deadline + 2,
  },
  {
    name: 'silence',
    inject: (lab, host) => lab.drop(host),
    heal: (lab, host) => lab.undrop(host),
    within: deadline + 2,
  },
  {
    name: 'the host crashed',
    inject: (lab, host) => lab.crash(host),
    heal: (lab, host) => lab.boot(host),
    within: 0,
    off: true,
  },
  {
    name: 'the host powered off',
    inject: (lab, host) => lab.poweroff(host),
    heal: (lab, host) => lab.boot(host),
    within: 0,
    off: true,
  },
  {
    name: 'the disk full',
    prepare: (lab, host) => lab.sh(host, oneDisk),
    inject: (lab, host) => lab.sh(host, 'cat /dev/zero >/disk/fill 2>/dev/null; : >/srv/go/all'),
    heal: (lab, host) => lab.sh(host, 'rm -f /disk/fill'),
    within: 5,
    goesOn: true,
  },
];

/** One small disk for all that the steps, dpkg and kpush write. */
const oneDisk = `mkdir /disk; mount -t tmpfs -o size=64m tmpfs /disk
for dir in /srv/kb /etc/systemd/system /run/kpush /tmp /var/lib/dpkg; do
  mkdir -p "$dir" "/disk$dir"; cp -a "$dir/." "/disk$dir/"; mount --bind "/disk$dir" "$dir"
done`;

/** A lab with a host for each cut, each able to hold every step; and the steps that an uninterrupted run told. */
export class CutLab {
  private readonly inventory: string;
  private readonly site: string;
  readonly lab: Lab;

  private constructor(lab: Lab) {
    const dir = scratch('cuts');
    this.lab = lab;
    this.inventory = labInventory(
      dir,
      lab,
      Object.fromEntries(lab.hosts.map(({ name, address }) => [name, { ansible_host: address }])),
    );
    this.site = yamlFile(dir, 'site.yml', playbook);
  }

  static async up(): Promise<CutLab> {
    const lab = await Lab.up({ hosts: cuts.length });
    for (const { name } of lab.hosts) await lab.sh(name, ['sh', '-ec', `${holdScript}\n${packageScript}`]);
    for (const [n, { prepare }] of cuts.entries()) await prepare?.(lab, `h${n + 1}`);
    return new CutLab(lab);
  }

  /** The steps that the journal of an uninterrupted run tells, by key. */
  async boundaries(host = 'h1'): Promise<{ key: string; name: string }[]> {
    await this.reset(host, steps);
    const ran = await kpush(runOptions('apply', this.site, this.inventory, { limit: [host] }));
    assert.is(ran.exit, 0, complaints(ran));
    return ran.events.flatMap((event) => (event.type === 'step-start' ? [{ key: event.key, name: event.name }] : []));
  }

  /** One field of the table: `cut` comes while step `key` is held on `host`. Throws what does not hold. */
  async cutAt(cut: Cut, host: string, { key, name: step }: { key: string; name: string }): Promise<void> {
    const what = `${cut.name} in "${step}"`;
    await this.reset(host, steps.slice(0, steps.indexOf(step)));
    const [cwd, before] = [scratch('cut'), new Set(this.lab.processes(host).map(({ pid }) => pid))];
    const child = await this.start(host, cwd, cut.deadline ?? deadline);
    try {
      await until(
        () => this.isHeld(host, step),
        60,
        () => `${what}: the step is never reached:\n${output(cwd)}`,
      );
      // Its frame takes a moment to come here.
      const told = () => begun(cwd).at(-1);
      await until(
        () => told() === key,
        10,
        () => `${what}: the journal says that ${told()} was the last to begin`,
      );
      await cut.inject(this.lab, host, child);
      if (cut.goesOn) await wentOn(child, cwd, what);
      if (!cut.off) await this.ended(cut, host, step, before, what);
    } finally {
      child.kill('SIGKILL');
      await cut.heal?.(this.lab, host);
    }
    this.whole(host, what);
    await this.converges(host, step === 'package' && !cut.off && !cut.goesOn, what);
  }

  private async ended(cut: Cut, host: string, step: string, before: ReadonlySet<number>, what: string) {
    const left = () => processesSince(this.lab, host, before, spared[step]);
    await until(
      () => left().length === 0,
      cut.within,
      () => `${what}: still there: ${left().join(' | ')}`,
    );
    if (step === 'package' && !cut.goesOn) assert.ok(this.holds(host, step), `${what}: the transaction was cut off`);
  }

  /** Each file is what it was, or what it shall be. */
  whole(host: string, what: string): void {
    const root = hostRoot(this.lab, host);
    const text = (path: string) => (existsSync(root + path) ? readFileSync(root + path, 'utf8') : '');
    assert.ok(['old\n', fresh].includes(text('/srv/kb/a')), `${what}: /srv/kb/a is half-written`);
    assert.ok(['old\n', 'old\nadded\n'].includes(text('/srv/kb/c')), `${what}: /srv/kb/c is half-written`);
    assert.ok(['', unitText].includes(text(`/etc/systemd/system/${unitName}`)), `${what}: the unit is half-written`);
  }

  /** Temps, records and locks of ours. */
  leftovers(host: string): string[] {
    const root = hostRoot(this.lab, host);
    const below = (path: string) => (existsSync(root + path) ? readdirSync(root + path) : []);
    const temps = ['/srv/kb', '/etc/systemd/system'].flatMap(below).filter((name) => name.startsWith('.kpush-'));
    return [...temps, ...below('/run/kpush'), ...below('/run').filter((name) => name.startsWith('kpush.lock'))];
  }

  /** The host as before the first run, with leave to go on for these steps. */
  async reset(host: string, free: string[]): Promise<void> {
    await this.lab.sh(host, ['sh', '-c', resetScript, 'sh', ...free], { timeoutMs: 60_000 });
  }

  /** Without force, the next run takes the lock and ends the work; then nothing is left to do, nor of us. */
  private async converges(host: string, hasToFinish: boolean, what: string) {
    await this.lab.sh(host, ': >/srv/go/all');
    await this.lab.ready(host);
    const next = await kpush(runOptions('apply', this.site, this.inventory, { limit: [host] }));
    assert.is(next.exit, 0, `${what}: the next run: ${complaints(next)}`);
    if (hasToFinish) assert.match(complaints(next), /was cut off while a step had to finish; it ended well/, what);
    const again = await kpush(runOptions('plan', this.site, this.inventory, { limit: [host] }));
    const open = again.tasks.filter(({ status }) => status !== 'ok' && status !== 'skipped');
    assert.equal(
      open.map(({ name, status }) => `${name}: ${status}`),
      [],
      `${what}: what is left to do`,
    );
    await until(
      () => this.leftovers(host).length === 0,
      5,
      () => `${what}: left: ${this.leftovers(host).join(' ')}`,
    );
  }

  /** kpush as a user runs it, on one host, with a journal of its own in `cwd`. */
  private async start(host: string, cwd: string, silence: number): Promise<ChildProcess> {
    const program = await bundledKpush();
    const env = { ...process.env, KPUSH_DEADLINE: String(silence) };
    const said = openSync(join(cwd, 'output'), 'w');
    const words = [program, 'apply', '-i', this.inventory, '-l', host, '--yes', this.site];
    const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', said, said] });
    closeSync(said);
    return child;
  }

  private isHeld(host: string, step: string): boolean {
    return existsSync(`${hostRoot(this.lab, host)}/srv/held/${step}`);
  }

  private holds(host: string, step: string): boolean {
    return this.lab
      .processes(host)
      .some(({ cmdline }) => cmdline.includes('/usr/local/bin/hold') && cmdline.at(-1) === step);
  }
}

/** Not ours to end: the unit's own process, which systemd started, and a transaction that must finish. */
const spared: Record<string, RegExp> = { start: /hold start$/, package: /kp_e=\$KP_D/ };

/** It ends by itself: all was done by then, or it says what there was no room for. */
async function wentOn(child: ChildProcess, cwd: string, what: string) {
  await until(
    () => child.exitCode !== null,
    60,
    () => `${what}: kpush goes on:\n${output(cwd)}`,
  );
  assert.ok([0, 2].includes(child.exitCode!), `${what}: exit ${child.exitCode}:\n${output(cwd)}`);
  if (child.exitCode === 2) assert.match(output(cwd), /no space/i, what);
}

async function interruptTwice(child: ChildProcess) {
  child.kill('SIGINT');
  await pause(300);
  child.kill('SIGINT');
}

/** Keys of the steps that the run's journal says have begun. */
function begun(cwd: string): string[] {
  const lines = journal(cwd).split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as RunEvent);
  return events.flatMap((event) => (event.type === 'step-start' ? [event.key] : []));
}

function journal(cwd: string): string {
  const runs = join(cwd, '.kpush/runs');
  const run = readdirSync(runs).find((name) => /^\d/.test(name));
  return readFileSync(join(runs, run ?? '', 'events.jsonl'), 'utf8');
}

function output(cwd: string): string {
  return readFileSync(join(cwd, 'output'), 'utf8').slice(-2000);
}
