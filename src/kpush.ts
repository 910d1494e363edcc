import type { KpushError } from './core/errors.ts';
import type { Evaluator } from './core/evaluator.ts';
import type { EventBody, RunEvent } from './core/events.ts';
import type { RunControl, RunOptions } from './core/options.ts';
import type { Play } from './core/play.ts';
import type { Target } from './core/session.ts';
import { outcome } from './report/outcome.ts';
import { playPoint } from './resolve/waves.ts';
import { adHocPlaybook } from './run/ad-hoc.ts';
import { askTrust } from './run/host-trust.ts';
import { listing } from './run/listing.ts';
import { requireOpenFiles } from './run/open-files.ts';
import { askPassphrases } from './run/passphrases.ts';
import { runPlaybook } from './run/playbook.ts';
import { type Prepared, prepare, readInput } from './run/prepare.ts';
import { askPrompts } from './run/prompts.ts';
import { type PlanUse, planUse } from './run/saved-plan-run.ts';
import { askSecrets } from './run/secrets.ts';
import { openVault } from './run/vault.ts';

/**
 * A whole run: read and check everything, connect, plan, change, prove. Everything it says is an event. Throws input
 * errors before the first connection; what goes wrong afterwards is in the events and the exit code.
 */
export async function run(
  given: RunOptions,
  sink: (event: RunEvent) => void,
  givenControl: RunControl,
): Promise<{ exit: number }> {
  const start = Date.now();
  const use = planUse(given, givenControl);
  const { options, control } = use ?? { options: given, control: givenControl };
  const judged = outcome({ detailed: options.detailedExitcode });
  const emit = (event: EventBody) => {
    const timed: RunEvent = { time: Date.now(), ...event };
    judged.add(timed);
    sink(timed);
  };
  const secrets = await askSecrets(options, control);
  const vault = await openVault(options, control);
  const tools = { secrets, vault, warn: warning(emit), emit, conceal: control.conceal, chance: use?.chance };
  const all: (Prepared & { path: string })[] = [];
  for (const { path, files = use?.files } of playbooks(options)) {
    const input = readInput(path, options, { ...tools, files });
    // What is wrong is told before anything is asked.
    if (input.playbook.plays.some(({ varsPrompt }) => varsPrompt.length > 0))
      prepare(path, options, { ...tools, files }, input);
    const answers = await askPrompts(input.playbook, input.extraVars, options, control);
    all.push({ path, ...prepare(path, options, { ...tools, files, answers }, input) });
  }
  for (const prepared of all) {
    if (options.syntaxCheck) continue;
    if (options.list) emit(listing(options.list, prepared));
    else await one(prepared, options, control, emit, use);
    if (control.stop.aborted || judged.value().exit > 3) break;
  }
  const { exit, class: word } = judged.value();
  if (!options.syntaxCheck && !options.list)
    emit({ type: 'run-end', exit, class: word, seconds: (Date.now() - start) / 1000 });
  return { exit };
}

async function one(
  prepared: Prepared & { path: string },
  options: RunOptions,
  control: RunControl,
  emit: (event: EventBody) => void,
  use: PlanUse | undefined,
) {
  const { tools, plays, path } = prepared;
  const waves = plays.map((play) => tools.wave(play, new Set()));
  const hosts = [...new Set(waves.flatMap((wave) => wave.hosts))];
  requireOpenFiles(hosts.length);
  emit({
    type: 'run-start',
    run: options.runId,
    verb: options.verb,
    playbook: isAdHoc(options) ? (options.pattern ?? 'all') : path,
    inventory: options.inventories,
    hosts,
    check: options.check,
    plays: waves.map(({ play, name, hosts }) => ({ play: play.id, name, hosts })),
  });
  if (hosts.length === 0) emit({ type: 'warning', message: noHosts(options) });
  await askBeforeConnecting(prepared, hosts, control);
  const recorded = use?.begin(prepared);
  await runPlaybook(prepared, options, control, emit, recorded);
  if (!control.stop.aborted) recorded?.save();
}

/** Host keys nobody knows and passphrases of keys: one question each, before the first host is connected. */
async function askBeforeConnecting({ evaluator, plays, secrets }: Prepared, hosts: string[], control: RunControl) {
  const [play] = plays;
  if (!control.prompt || !play) return;
  const targets = hosts.flatMap((host) => targetOf(evaluator, host, play));
  await askPassphrases(targets, secrets.passphrases ?? {}, control);
  await askTrust(targets, control);
}

/** What is wrong with a host's variables is told where the host is connected. */
function targetOf(evaluator: Evaluator, host: string, play: Play): Target[] {
  try {
    return [evaluator.target(host, { ...playPoint(play), host })];
  } catch {
    return [];
  }
}

function noHosts({ inventories }: RunOptions): string {
  return inventories.length > 0 ? 'no host matches, nothing to do' : 'no host matches, nothing to do (is -i missing?)';
}

function playbooks(options: RunOptions) {
  return isAdHoc(options) ? [adHocPlaybook(options)] : options.playbooks.map((path) => ({ path, files: undefined }));
}

function isAdHoc({ verb }: RunOptions): boolean {
  return verb === 'exec' || verb === 'ping' || verb === 'facts';
}

function warning(emit: (event: EventBody) => void) {
  return (error: KpushError) => emit({ type: 'warning', message: error.message, origin: error.facts.origin });
}
