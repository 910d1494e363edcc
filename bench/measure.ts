import { spawn } from 'node:child_process';

/** A command as it is timed: the whole process, from start to end. */
export interface Command {
  argv: string[];
  env?: Record<string, string>;
  /** Runs before it, not timed. */
  before?: () => Promise<void>;
}

export interface Contender {
  name: string;
  command: Command;
  /** Runs that count; slow ones get fewer. */
  runs: number;
}

export interface Timing {
  name: string;
  /** Seconds, in the order they were measured. */
  seconds: number[];
  failed?: string;
}

/** Every contender in turn, round after round, so that a machine that drifts drifts for all of them. */
export async function sideBySide(contenders: Contender[], say: (text: string) => void): Promise<Timing[]> {
  const timings = contenders.map(({ name }): Timing => ({ name, seconds: [] }));
  const rounds = Math.max(...contenders.map(({ runs }) => runs));
  for (let round = 0; round < rounds; round++)
    for (const [at, { name, command, runs }] of contenders.entries()) {
      const timing = timings[at]!;
      if (round >= runs || timing.failed) continue;
      // A connection that was refused in the rush says nothing about speed: everybody has a second try.
      const first = await timed(command);
      const { seconds, error } = first.error ? await timed(command) : first;
      if (error) timing.failed = error;
      else timing.seconds.push(seconds);
      say(`    ${name}: ${error ?? `${seconds.toFixed(2)} s`}`);
    }
  return timings;
}

export async function timed({
  argv,
  env,
  before,
}: Command): Promise<{ seconds: number; error?: string; output: string }> {
  await before?.();
  const start = performance.now();
  const { code, output } = await run(argv, env);
  const seconds = (performance.now() - start) / 1000;
  return {
    seconds,
    output,
    ...(code === 0 ? {} : { error: `exit ${code}: ${output.trim().split('\n').slice(-3).join(' ')}` }),
  };
}

export function run(argv: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(argv[0]!, argv.slice(1), {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** `1.23 (1.20–1.40)`: median, least and most. */
export function spread({ seconds, failed }: Timing): string {
  if (failed) return `failed (${failed.slice(0, 60)})`;
  if (seconds.length === 0) return '–';
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
  return `${median(seconds).toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}
