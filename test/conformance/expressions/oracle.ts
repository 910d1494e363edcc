import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Typed } from './typed.ts';

export type Kind = 'value' | 'string' | 'template' | 'when';

export interface Question {
  kind: Kind;
  source: string;
  vars: Record<string, Typed>;
}

export type Answer = { ok: Typed } | { error: string; undefined: boolean };

const python = '/usr/bin/python3';

/** Installs Debian's ansible-core and what some of its filters need, when they are missing. */
export function ensureAnsible(): void {
  const probe = ['-c', 'import ansible.template, jmespath, netaddr, passlib'];
  if (spawnSync(python, probe, { cwd: '/' }).status === 0) return;
  const packages = ['ansible-core', 'ansible', 'python3-jmespath', 'python3-netaddr', 'python3-passlib'];
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

function run(command: string, args: string[]) {
  const { status, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${stderr}`);
}

/** A running Templar that answers questions in order. */
export class Oracle {
  private readonly child: ChildProcess;
  private readonly waiting: ((answer: Answer) => void)[] = [];
  private errors = '';

  constructor() {
    const script = new URL('./oracle.py', import.meta.url).pathname;
    this.child = spawn(python, ['-W', 'ignore', script], {
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: '/root', PYTHONHASHSEED: '0' },
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.waiting.shift()?.(JSON.parse(line)));
    this.child.stderr!.on('data', (data) => {
      this.errors += data;
    });
    this.child.on('exit', () => this.abandon());
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin!.write(`${JSON.stringify(question)}\n`);
    });
  }

  askAll(questions: Question[]): Promise<Answer[]> {
    return Promise.all(questions.map((question) => this.ask(question)));
  }

  close(): void {
    this.child.stdin!.end();
  }

  private abandon() {
    for (const resolve of this.waiting) resolve({ error: `the oracle ended: ${this.errors}`, undefined: false });
  }
}
