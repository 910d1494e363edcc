import { quote, quoteAll } from '../core/quote.ts';
import { type Blob, type BlobSource, type Pulled, type Served, SessionError } from '../core/session.ts';
import { wait } from '../core/waits.ts';
import { askTrip } from './ask.ts';
import { blobWord } from './blob-store.ts';
import type { Shell } from './shell.ts';
import { stageLibrary } from './stage.sh.ts';
import { treeLibrary } from './tree.sh.ts';

/** The question that brings a server for a blob up; `address` is one of the host's, or the name of an interface. */
export function serveTrip(blob: Blob, address: string, token: string, shell: Shell | undefined) {
  const have = `kp_have ${blobWord(blob.path)} ${quote(blob.sha256)}\n`;
  const words = quoteAll([address, token, `${blob.size}`, `${wait('serve').deadline}`]);
  const script = `${have}kp_serve ${blobWord(blob.path)} ${words}\n`;
  const trip = askTrip([{ script, records: 2, names: [blob.path, 'server'] }], false);
  return { ...trip, text: missing(shell) + trip.text };
}

/** `answers` are those of `serveTrip`. Without `at` the host cannot serve: no Perl, no such address. */
export function servedOf(answers: string[][]): Served {
  const [have = '', server = ''] = answers[0] ?? [];
  const [address, port, pid] = server.trim().split(' ');
  const at = address && port && pid ? { address, port: Number(port) } : undefined;
  return { has: have.trim() === 'done', part: !have.trim().startsWith('0 '), at };
}

/** Takes a blob from the server of another host. */
export function pullTrip(blob: Blob, from: BlobSource, shell: Shell | undefined) {
  const { address, port, token, patience, fresh } = from;
  const words = [address, `${port}`, token, `${blob.size}`, `${patience}`, blob.sha256, fresh ? 'fresh' : ''];
  const script = `kp_pull ${blobWord(blob.path)} ${quoteAll(words)}\n`;
  const trip = askTrip([{ script, records: 1, names: [blob.path] }], false);
  return { ...trip, text: missing(shell) + trip.text };
}

export function pulledOf(answers: string[][], blob: Blob): Pulled {
  const said = answers[0]?.[0]?.trim() ?? '';
  if (said === 'full') throw new SessionError('protocol', 'stage', `cannot write ${blob.path}.part: is the disk full?`);
  if (said === 'done' || said === 'wrong' || said === 'short' || said === 'refused') return said;
  throw new SessionError('protocol', 'stage', `${blob.path}: not understood: ${said}`);
}

function missing(shell: Shell | undefined): string {
  const loaded = shell?.alive ? shell.has : new Set();
  return (loaded.has('stage') ? '' : stageLibrary) + (loaded.has('tree') ? '' : treeLibrary);
}
