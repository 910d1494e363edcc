import type { EvalPoint, VarState } from '../core/evaluator.ts';
import type { Identity } from '../core/identity.ts';
import type { GateCall } from '../core/play.ts';
import { playContext } from './context.ts';
import type { Driver, GateJudgement } from './driver.ts';
import type { PlayRun } from './environment.ts';
import { text } from './special/lib.ts';
import type { Wave, WaveTools } from './waves.ts';

export interface Gates {
  wave: Wave;
  /** The hosts that have just been worked on and still stand. */
  live: readonly string[];
  tools: WaveTools;
  driver: Driver;
  run: PlayRun;
  varsOf(host: string): VarState | undefined;
}

/** Every gate of the play, in order, on every host it names; the first that does not pass ends it. */
export async function passGates(gates: Gates): Promise<boolean> {
  for (const call of gates.wave.play.gates) {
    const judgements = judgementsOf(call, gates);
    const passed = await Promise.all(judgements.map((judgement) => gates.driver.gate(judgement)));
    if (passed.includes(false)) return false;
  }
  return true;
}

function judgementsOf(call: GateCall, gates: Gates): GateJudgement[] {
  return hostsOf(call, gates)
    .filter((host) => applies(call, pointOf(host, gates), gates))
    .flatMap((host) => {
      const point = pointOf(host, gates);
      const name = text(call.name && gates.tools.evaluator.value(call.name, point)) ?? call.gate;
      const about = { call, name, play: gates.wave.play.id, host, point, own: identityOf(host, gates) };
      return askersOf(call, host, gates).map((from) => ({ ...about, from, identity: identityOf(from, gates) }));
    });
}

/** A gate asks as the play's tasks do: what needs become there needs it here. */
function identityOf(host: string, gates: Gates): Identity {
  return gates.tools.evaluator.identity(gates.run.play.keywords, pointOf(host, gates));
}

function hostsOf(call: GateCall, { live, tools, run }: Gates): readonly string[] {
  if (!call.hosts) return live;
  const point = pointOf(live[0] ?? run.hostsAll[0] ?? 'localhost', { tools, run, varsOf: () => undefined });
  return tools.hosts(text(tools.evaluator.value(call.hosts, point)) ?? '');
}

/** `from`: hosts that ask instead of the judged host itself. */
function askersOf(call: GateCall, host: string, gates: Gates): readonly string[] {
  if (!call.from) return [host];
  return gates.tools.hosts(text(gates.tools.evaluator.value(call.from, pointOf(host, gates))) ?? '');
}

function applies(call: GateCall, point: EvalPoint, { tools }: Gates): boolean {
  return !call.when || tools.evaluator.condition(call.when, point) !== false;
}

function pointOf(host: string, { tools, run, varsOf }: Pick<Gates, 'tools' | 'run' | 'varsOf'>): EvalPoint {
  const context = playContext(run.play);
  return {
    host,
    play: run.play,
    playHosts: run.hosts(),
    playHostsAll: run.hostsAll,
    batch: run.batch,
    state: varsOf(host) ?? { facts: new Map(), set: new Map(), included: new Map() },
    blockVars: context.blockVars,
    includeParams: [],
    locals: new Map(),
    others: varsOf,
    checkMode: tools.options.checkMode,
  };
}
