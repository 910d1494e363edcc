import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { wait } from '../core/waits.ts';
import { readKnown } from './read.ts';

/** A short text behind a URL, fetched by the host: its reachability is the host's. */
export type FetchedFact = { ok: true; text: string } | { ok: false; error: string };

export function fetched(world: WorldView, url: string): FetchedFact {
  return readKnown<FetchedFact>(world, 'fetched', url);
}

export function fetchedKey(url: string): FactKey {
  return { family: 'fetched', id: url };
}

/** At most 256 KiB and 30 seconds. */
export const fetchedFamily: FactFamily<FetchedFact> = {
  name: 'fetched',
  guarded: false,
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_fetched ${quote(key.id)}`).join('\n'),
  parse: (record) => {
    const text = utf8(record.slice(1));
    const value: FetchedFact = record.startsWith('=') ? { ok: true, text } : { ok: false, error: text.trim() };
    return { state: 'known', raw: record.slice(0, 64), value };
  },
};

/** Records: `=` and the text, or `!` and why not. */
const functions = `kf_fetched() {
  if command -v curl >/dev/null 2>&1; then kf_o=$(curl -fsSL --max-time ${wait('download').timeout} --max-filesize 262144 -- "$1" 2>&1)
  elif command -v wget >/dev/null 2>&1; then kf_o=$(wget -q -T ${wait('download').timeout} -O - -- "$1" 2>&1)
  else kf_o='neither curl nor wget is installed'; false
  fi && printf '=%s' "$kf_o" || printf '!%s' "$kf_o"
  kp_sep
}`;
