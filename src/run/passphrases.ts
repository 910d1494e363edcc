import type { RunControl } from '../core/options.ts';
import type { Target } from '../core/session.ts';
import { agentHolds, chain, needsPassphrase } from '../transports/trust.ts';

/** As often as ssh asks. */
const tries = 3;

/**
 * Asks for the passphrase of each encrypted key once, before anything is connected, unless the agent holds the key;
 * an empty answer leaves it out. They are put into `passphrases`. Without a terminal the keys are left out, and said
 * to be if nothing else gets in.
 */
export async function askPassphrases(
  targets: readonly Target[],
  passphrases: Record<string, string>,
  { prompt, conceal, stop }: RunControl,
): Promise<void> {
  if (!prompt) return;
  for (const file of await lockedKeys(targets)) {
    for (let n = 0; n < tries && !stop.aborted; n++) {
      const answer = await prompt(`Passphrase of ${file}${n > 0 ? ', again' : ''} (empty: without this key): `, {
        secret: true,
      });
      if (answer === '') break;
      if (await needsPassphrase(file, answer)) continue;
      conceal(answer);
      passphrases[file] = answer;
      break;
    }
  }
}

async function lockedKeys(targets: readonly Target[]): Promise<string[]> {
  const found = new Map<string, boolean>();
  for (const { transport, identityFiles, agent, passphrases } of targets.flatMap(chain)) {
    if (transport === 'local') continue;
    for (const file of identityFiles) {
      const key = `${file}\0${agent}`;
      if (found.has(key) || passphrases[file] !== undefined) continue;
      found.set(key, (await needsPassphrase(file)) && !(agent !== undefined && (await agentHolds(agent, file))));
    }
  }
  return [...new Set([...found].filter(([, locked]) => locked).map(([key]) => key.split('\0')[0] ?? ''))];
}
