import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Something a reader of a page does. */
export type Move =
  | { kind: 'run'; command: string; line: number; exit: number; shown: string[] }
  | { kind: 'write'; file: string; text: string; line: number };

const comment = /^<!-- (not run: .+|exit code \d+|file: .+) -->$/;

/**
 * What a page of the guide has its reader do, in order: `$ ` lines of console blocks, each with what it is said to
 * print, and files to write. A comment before a block says what its reader knows: the name of the file, an exit code
 * that is not 0, or why a block is not run.
 */
export function moves(page: string): Move[] {
  const found: Move[] = [];
  const lines = page.split('\n');
  let said = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (!line.startsWith('```')) {
      if (line !== '') said = comment.exec(line)?.[1] ?? '';
      continue;
    }
    const end = lines.indexOf('```', at + 1);
    const body = lines.slice(at + 1, end);
    if (said.startsWith('file: '))
      found.push({ kind: 'write', file: said.slice(6), text: `${body.join('\n')}\n`, line: at + 1 });
    else if (line === '```console' && !said.startsWith('not run')) found.push(...commands(body, at + 2, exitOf(said)));
    said = '';
    at = end;
  }
  return found;
}

function exitOf(said: string): number {
  return Number(/^exit code (\d+)$/.exec(said)?.[1] ?? 0);
}

function commands(body: readonly string[], first: number, exit: number): Move[] {
  const found: Extract<Move, { kind: 'run' }>[] = [];
  for (const [at, text] of body.entries())
    if (text.startsWith('$ ')) found.push({ kind: 'run', command: text.slice(2), line: first + at, exit, shown: [] });
    else found.at(-1)?.shown.push(text);
  return found;
}

/** Why an output is not what a page shows; undefined: it is. `…` is any text in a line, alone any number of lines. */
export function differs(shown: readonly string[], output: string): string | undefined {
  if (shown.length === 0) return undefined;
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = shown.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escaped).join('.*')}\\n`));
  const actual = output.replaceAll(/[ \t]+$/gm, '').replace(/\n*$/, '\n');
  return new RegExp(`^${pattern.join('')}$`).test(actual)
    ? undefined
    : `shown:\n${shown.join('\n')}\n\nprinted:\n${actual}`;
}

/** Somebody who does what the pages say, in a folder. `adapt` gives files the addresses of real machines. */
export class Reader {
  constructor(
    private dir: string,
    private readonly env: Record<string, string | undefined>,
    private readonly adapt: (text: string) => string,
  ) {}

  /** Throws where a page is not right. */
  async read(file: string): Promise<void> {
    for (const move of moves(readFileSync(file, 'utf8')))
      if (move.kind === 'write') writeFileSync(join(this.dir, move.file), this.adapt(move.text));
      else await this.run(move, file);
  }

  private async run({ command, line, exit, shown }: Extract<Move, { kind: 'run' }>, file: string): Promise<void> {
    if (command.startsWith('cd ')) {
      this.dir = resolve(this.dir, command.slice(3));
      return;
    }
    this.adaptInventory();
    const done = await shell(command, this.dir, this.env);
    const wrong = done.code === exit ? differs(shown, done.output) : `exit code ${done.code}:\n${done.output}`;
    if (wrong !== undefined) throw new Error(`${file}:${line}: ${command}\n${wrong}`);
  }

  /** What the guide says in words: put your addresses there. */
  private adaptInventory() {
    const path = join(this.dir, 'inventory.yaml');
    try {
      writeFileSync(path, this.adapt(readFileSync(path, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

function shell(command: string, cwd: string, more: Record<string, string | undefined>) {
  const bin = resolve(import.meta.dirname, '../../bin');
  const env = {
    ...process.env,
    NO_COLOR: '1',
    ...more,
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
  };
  return new Promise<{ code: number | null; output: string }>((done, fail) => {
    const child = spawn('bash', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (text: string) => (output += text);
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.on('error', fail);
    child.on('close', (code) => done({ code, output }));
  });
}
