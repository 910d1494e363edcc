import pLimit from 'p-limit';
import type { RunControl } from '../core/options.ts';
import { SessionError, type Target } from '../core/session.ts';
import { chain, compare, isKnown, knownAs, meet, readKnownHosts, type Stranger, trust } from '../transports/trust.ts';

/** Hosts met at once. */
const atOnce = 16;

/**
 * Shows the keys of all hosts that nobody knows yet in one table and asks once, as far as they can be seen: hosts
 * behind a jump host that is new itself come in a second table. Without a terminal nothing is asked, and the
 * connection refuses. Who says no is refused there, too.
 */
export async function askTrust(targets: readonly Target[], { prompt, stop }: RunControl): Promise<void> {
  if (!prompt) return;
  const asked = new Set<string>();
  for (;;) {
    const { strangers } = await meetStrangers(targets.filter(mayAsk), stop, asked);
    if (strangers.length === 0 || stop.aborted) return;
    for (const { name } of strangers) asked.add(name);
    const answer = await prompt(`${strangersTable(strangers)}\n${question(strangers)} [y/N] `, { secret: false });
    if (!/^y(es)?$/i.test(answer.trim())) return;
    for (const stranger of strangers) await trust(stranger);
  }
}

export interface Meeting {
  strangers: Stranger[];
  /** Hosts that could not be met, with the reason. */
  failed: { target: Target; error: Error }[];
}

/** Meets every host on the way to the targets that is not known, and whose own way is. `except`: names to leave out. */
export async function meetStrangers(
  targets: readonly Target[],
  signal: AbortSignal,
  except: ReadonlySet<string> = new Set(),
): Promise<Meeting> {
  const read = readOnce();
  const next = new Map<string, Target>();
  for (const target of targets) {
    const first = await firstUnknown(target, read);
    if (first && !except.has(knownAs(first))) next.set(knownAs(first), first);
  }
  const limit = pLimit(atOnce);
  const meeting: Meeting = { strangers: [], failed: [] };
  const one = (target: Target) =>
    meet(target, signal).then(
      (stranger) => void meeting.strangers.push(stranger),
      (error: Error) => void meeting.failed.push({ target, error }),
    );
  await Promise.all([...next.values()].map((target) => limit(() => one(target))));
  meeting.strangers.sort((a, b) => (a.name < b.name ? -1 : 1));
  return meeting;
}

/** Known hosts that show another key than the known one, or, `isKeyError` false, that cannot be reached to be compared. */
export async function compareKnown(targets: readonly Target[], signal: AbortSignal) {
  const read = readOnce();
  const limit = pLimit(atOnce);
  const hosts = new Map(targets.map((target) => [knownAs(target), target]));
  const one = async (target: Target) => {
    if (await firstUnknown(target, read)) return [];
    return compare(target, signal).then(
      () => [],
      (error: Error) => [{ target, error, isKeyError: error instanceof SessionError && error.kind === 'host-key' }],
    );
  };
  return (await Promise.all([...hosts.values()].map((target) => limit(() => one(target))))).flat();
}

/** One line a host: name, type, fingerprint. */
export function strangersTable(strangers: readonly Stranger[]): string {
  const columns = strangers.map(({ target, name, type, fingerprint }) => [
    name === target.host ? name : `${target.host} (${name})`,
    type,
    fingerprint,
  ]);
  const width = (n: number) => Math.max(...columns.map((cells) => cells[n]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  const line = ([host = '', type = '', print = '']: string[]) =>
    `  ${host.padEnd(first)}  ${type.padEnd(second)}  ${print}`;
  const noun = strangers.length === 1 ? 'The key of this host is' : 'The keys of these hosts are';
  return [`${noun} not known:`, ...columns.map(line)].join('\n');
}

function question(strangers: readonly Stranger[]): string {
  const files = [...new Set(strangers.map(({ target }) => target.knownHostsFiles[0] ?? 'no file'))];
  return `Compare the fingerprints. Trust ${strangers.length === 1 ? 'it' : 'them'} from now on (${files.join(', ')})?`;
}

/** With 'yes' ssh does not ask either, with 'no' and 'accept-new' there is nothing to ask. */
function mayAsk({ transport, strictHostKeyChecking }: Target): boolean {
  return transport !== 'local' && strictHostKeyChecking === 'ask';
}

async function firstUnknown(target: Target, read: typeof readKnownHosts): Promise<Target | undefined> {
  for (const hop of chain(target)) if (!(await isKnown(hop, read))) return hop;
  return undefined;
}

/** Hosts share their files. */
function readOnce(): typeof readKnownHosts {
  const known = new Map<string, ReturnType<typeof readKnownHosts>>();
  return (files) => {
    const key = files.join('\0');
    const found = known.get(key) ?? readKnownHosts(files);
    known.set(key, found);
    return found;
  };
}
