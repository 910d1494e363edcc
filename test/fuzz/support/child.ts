/**
 * The process that tries inputs on one target: the kept ones, then mutations of these. An input is written down before
 * it is tried, so that the one that hangs or ends this process is known. The last line it prints is a `Report`.
 */
import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Dice } from '../../support/dice.ts';
import { mutated } from './mutate.ts';
import { smaller } from './smaller.ts';
import type { Target } from './target.ts';

export interface Orders {
  /** Folder of the kept inputs. */
  corpus: string;
  seed: number;
  /** Tries after the kept inputs. */
  cases: number;
  /** Fewer, when they take longer. */
  seconds: number;
  /** File that holds the input that is being tried. */
  current: string;
}

export interface Report {
  cases: number;
  /** Different things that came of them. */
  outcomes: number;
  /** Base64. */
  failure?: { input: string; message: string };
}

/** Memory that an input may cost. */
const limitKb = 400 * 1024;

export async function work(target: Target, orders: Orders): Promise<void> {
  const file = openSync(orders.current, 'w');
  const report = await new Hunt(target, orders, file).run();
  closeSync(file);
  console.log(JSON.stringify(report));
}

const own = countOwn();

function isPolluted(): boolean {
  return countOwn() !== own;
}

function countOwn(): number {
  const shared: object[] = [Object.prototype, Array.prototype, Function.prototype];
  return shared.flatMap((one) => Reflect.ownKeys(one)).length;
}

class Hunt {
  private readonly pool: Buffer[] = [];
  private readonly outcomes = new Set<string>();
  private readonly dice: Dice;
  private readonly target: Target;
  private readonly orders: Orders;
  private readonly file: number;
  private cases = 0;

  constructor(target: Target, orders: Orders, file: number) {
    this.target = target;
    this.orders = orders;
    this.file = file;
    this.dice = new Dice(orders.seed);
  }

  async run(): Promise<Report> {
    for (const name of readdirSync(this.orders.corpus).sort()) {
      const failure = await this.attempt(readFileSync(join(this.orders.corpus, name)), true);
      if (failure)
        return { ...failure, failure: { ...failure.failure!, message: `${name}: ${failure.failure!.message}` } };
    }
    const until = performance.now() + this.orders.seconds * 1000;
    while (this.cases < this.orders.cases && performance.now() < until) {
      const failure = await this.attempt(this.next(), false);
      if (failure) return failure;
    }
    return this.report();
  }

  private next(): Buffer {
    const { words, repair } = this.target;
    const made = mutated(this.dice.of(this.pool), this.dice, { words, other: this.dice.of(this.pool) });
    return repair && this.dice.chance(2) ? repair(made) : made;
  }

  private async attempt(input: Buffer, isKept: boolean): Promise<Report | undefined> {
    this.cases++;
    const told = await this.tried(input);
    if ('problem' in told) return this.failed(input, told.problem);
    if (isKept || !this.outcomes.has(told.outcome)) this.pool.push(input);
    this.outcomes.add(told.outcome);
    return undefined;
  }

  private async failed(input: Buffer, problem: string): Promise<Report> {
    const fails = async (less: Buffer) => {
      const told = await this.tried(less);
      return 'problem' in told && told.problem.slice(0, 30) === problem.slice(0, 30);
    };
    const least = problem.startsWith('slow') ? input : await smaller(input, fails);
    const told = await this.tried(least);
    const message = 'problem' in told ? told.problem : problem;
    return { ...this.report(), failure: { input: least.toString('base64'), message } };
  }

  /** Twice when it took too long: something else may have taken the time. */
  private async tried(input: Buffer): Promise<{ outcome: string } | { problem: string }> {
    this.writeDown(input);
    const limit = this.target.limitMs ?? 500;
    try {
      let took = 0;
      let outcome = '';
      for (let turn = 0; turn < 2 && (turn === 0 || took > limit); turn++) {
        const [time, memory] = [process.cpuUsage(), process.resourceUsage().maxRSS];
        outcome = await this.target.run(input);
        const { user, system } = process.cpuUsage(time);
        took = (user + system) / 1000;
        const grown = process.resourceUsage().maxRSS - memory;
        if (isPolluted()) return { problem: 'it changed what all objects have' };
        if (grown > limitKb) return { problem: `large: ${input.length} bytes cost ${Math.round(grown / 1024)} MiB` };
      }
      return took > limit ? { problem: `slow: ${input.length} bytes took ${Math.round(took)} ms` } : { outcome };
    } catch (error) {
      return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }

  private writeDown(input: Buffer): void {
    ftruncateSync(this.file, 0);
    writeSync(this.file, input, 0, input.length, 0);
  }

  private report(): Report {
    return { cases: this.cases, outcomes: this.outcomes.size };
  }
}
