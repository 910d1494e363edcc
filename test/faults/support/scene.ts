import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { hostRoot } from '../../lab/support/host-root.ts';
import { labInventory, yamlFile } from '../../lab/support/inventory.ts';
import { complaints, kpush, type Ran, runOptions } from '../../lab/support/run.ts';
import type { Lab } from '../../lab-kit/index.ts';
import { tempFolder } from '../../support/temp.ts';
import { bundledKpush } from './bundle.ts';
import type { Fault } from './fault.ts';
import { processesSince } from './processes.ts';
import { until } from './until.ts';

export const fresh = 'new content\n'.repeat(2000);

const wait = 'while [ ! -e /srv/f/go ]; do : >/srv/f/waits; sleep 0.05; done; : >/srv/f/waited';
export const waiting = { name: 'wait', shell: wait, args: { creates: '/srv/f/waited' } };
export const usual = [
  { name: 'write', copy: { dest: '/srv/f/a', content: fresh, mode: '0644' } },
  waiting,
  { name: 'line', lineinfile: { path: '/srv/f/c', line: 'added' } },
];

/** One row on one host: kpush as a user runs it, what is done to it, and what there is afterwards. */
export class Scene {
  readonly lab: Lab;
  readonly host: string;
  readonly cwd = tempFolder('fault');
  /** The most memory kpush ever had, in MB. */
  peak = 0;
  readonly fault: Fault;
  child!: ChildProcess;
  private readonly program: Promise<string>;
  private before = new Set<number>();
  private ended: Promise<number | NodeJS.Signals> = Promise.resolve(0);

  /** `program`: another kpush for the run that is disturbed. */
  constructor(lab: Lab, host: string, fault: Fault, program = bundledKpush()) {
    this.program = program;
    this.lab = lab;
    this.host = host;
    this.fault = fault;
  }

  /** Throws what does not hold; resolves to how kpush ended. */
  async play(): Promise<number | NodeJS.Signals> {
    const { fault } = this;
    await this.sh('rm -rf /srv/f; mkdir -p /srv/f; cd /srv/f; echo old >a; echo old >c; systemctl reset-failed');
    if (!fault.inject) await this.sh(': >/srv/f/go');
    try {
      await fault.before?.(this);
      await this.start();
      if (fault.inject) await this.injected();
      await this.end();
    } finally {
      this.child?.kill('SIGKILL');
      await fault.heal?.(this);
    }
    const exit = await this.ended;
    this.judge(exit);
    await fault.observe?.(this);
    await this.converges();
    return exit;
  }

  sh(command: string): Promise<string> {
    return this.lab.sh(this.host, command, { timeoutMs: 60_000 });
  }

  get root(): string {
    return hostRoot(this.lab, this.host);
  }

  text(path: string): string {
    return existsSync(this.root + path) ? readFileSync(this.root + path, 'utf8') : '';
  }

  get output(): string {
    return readFileSync(join(this.cwd, 'output'), 'utf8');
  }

  get address(): string {
    return this.lab.hosts.find(({ name }) => name === this.host)!.address;
  }

  /** Whether kpush has ended. */
  isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** ~/.ssh/config of who runs kpush. */
  sshConfig(text: string) {
    mkdirSync(join(this.cwd, '.ssh'), { mode: 0o700 });
    writeFileSync(join(this.cwd, '.ssh/config'), text, { mode: 0o600 });
  }

  go(): Promise<string> {
    return this.sh(': >/srv/f/go');
  }

  /** A run in this process, for second operators and next runs. */
  run(tasks: unknown[] = this.fault.tasks ?? usual): Promise<Ran> {
    const vars = { ...this.fault.vars, ...this.fault.mended };
    return kpush(runOptions('apply', this.playbook(tasks), this.inventory(vars), { limit: [this.host] }));
  }

  private async start() {
    const { fault } = this;
    const program = await this.program;
    const site = this.playbook(fault.tasks ?? usual);
    const words = ['apply', '-i', this.inventory(), '-l', this.host, '--yes', site];
    const [file, ...args] = fault.start?.(program, words) ?? [process.execPath, program, ...words];
    const said = openSync(join(this.cwd, 'output'), 'w');
    this.before = new Set(this.lab.processes(this.host).map(({ pid }) => pid));
    const env = { ...process.env, HOME: this.cwd, KPUSH_DEADLINE: '5', ...fault.env };
    this.child = spawn(file!, args, { cwd: this.cwd, env, stdio: ['ignore', said, said] });
    closeSync(said);
    this.ended = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve(signal ?? code ?? -1)));
  }

  private async injected() {
    const held = () => existsSync(`${this.root}/srv/f/waits`);
    await until(
      () => held() || this.isOver(),
      60,
      () => `the step was never reached:\n${this.output.slice(-2000)}`,
    );
    assert.ok(held(), `kpush ended before the step:\n${this.output.slice(-2000)}`);
    await this.fault.inject!(this);
  }

  private async end() {
    const seconds = this.fault.within ?? 30;
    const over = () => {
      const found = /^VmHWM:\s+(\d+) kB/m.exec(readOr(`/proc/${this.child.pid}/status`));
      this.peak = Math.max(this.peak, Number(found?.[1] ?? 0) / 1024);
      return this.isOver();
    };
    await until(over, seconds, () => `kpush goes on after ${seconds} s:\n${this.output.slice(-2000)}`);
  }

  private judge(exit: number | NodeJS.Signals) {
    const { fault, output } = this;
    assert.is(exit, fault.exit, `exit code; it said:\n${output.slice(-3000)}`);
    if (fault.says) assert.ok(fault.says.test(output), `${fault.says} is nowhere in:\n${output.slice(-3000)}`);
  }

  /** Nothing of ours runs on, no file is half-written; the next run does the rest and leaves nothing. */
  private async converges() {
    await this.lab.ready(this.host);
    const left = () => processesSince(this.lab, this.host, this.before, /fault-spared/);
    await until(
      () => left().length === 0,
      12,
      () => `still runs: ${left().join(' | ')}`,
    );
    assert.ok(['', 'old\n', fresh].includes(this.text('/srv/f/a')), '/srv/f/a is half-written');
    assert.ok(['', 'old\n', 'old\nadded\n'].includes(this.text('/srv/f/c')), '/srv/f/c is half-written');
    await this.sh('mkdir -p /srv/f; : >/srv/f/go');
    const next = await this.run();
    assert.is(next.exit, 0, `the next run: ${complaints(next)}`);
    const again = await this.run();
    assert.equal(
      again.tasks.filter(({ status }) => status !== 'ok' && status !== 'skipped').map(({ name }) => name),
      [],
      'what a third run changes',
    );
    await until(
      () => this.leftovers().length === 0,
      5,
      () => `left behind: ${this.leftovers().join(' ')}`,
    );
  }

  private leftovers(): string[] {
    const below = (path: string) => (existsSync(this.root + path) ? readdirSync(this.root + path) : []);
    const temps = ['/srv/f', '/etc/systemd/system', '/tmp', '/root'].flatMap(below);
    const locks = below('/run').filter((name) => name.startsWith('kpush.lock'));
    return [...temps.filter((name) => name.includes('.kpush-')), ...below('/run/kpush'), ...locks];
  }

  private playbook(tasks: unknown[]): string {
    return yamlFile(this.cwd, 'site.yml', [{ hosts: 'all', gather_facts: false, tasks }]);
  }

  private inventory(vars = this.fault.vars): string {
    return labInventory(this.cwd, this.lab, { [this.host]: { ansible_host: this.address, ...vars } });
  }
}

function readOr(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
