import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import type { Value } from '../jinja/values.ts';
import { readKnown } from './read.ts';

/** `ansible_local`: files NAME.fact in a folder, JSON or INI, by name. */
export function customFacts(world: WorldView, folder: string): Map<Value, Value> {
  return readKnown<Map<Value, Value>>(world, 'custom-facts', folder);
}

export function customFactsKey(folder: string): FactKey {
  return { family: 'custom-facts', id: folder };
}

/** Executable files would have to be run to tell anything: they are named with that, never run. */
export const customFactsFamily: FactFamily<Map<Value, Value>> = {
  name: 'custom-facts',
  guarded: false,
  script: (keys) =>
    keys
      .map(
        ({ id }) =>
          `for kf_p in ${quote(id)}/*.fact; do [ -f "$kf_p" ] && [ -r "$kf_p" ] || continue; ` +
          `printf '%s\\037' "\${kf_p##*/}"; if [ -x "$kf_p" ]; then printf 'x\\037'; else printf f; head -c 65536 "$kf_p"; printf '\\037'; fi; ` +
          'done; kp_sep',
      )
      .join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: factsOf(utf8(record).split('\x1f').slice(0, -1)) }),
  reduce(effect, draft) {
    if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
    draft.each('custom-facts', (folder, _answer, set) => {
      if (effect.path.startsWith(`${folder}/`)) set({ state: 'unknown', why: `${effect.path} changed` });
    });
  },
};

function factsOf(parts: readonly string[]): Map<Value, Value> {
  const facts = new Map<Value, Value>();
  for (let i = 0; i + 1 < parts.length; i += 2) facts.set(parts[i]!.replace(/\.fact$/, ''), factOf(parts[i + 1]!));
  return facts;
}

function factOf(content: string): Value {
  if (content === 'x') return 'not run by kpush: executable facts would be code run while planning';
  const text = content.slice(1);
  try {
    return fromJson(JSON.parse(text));
  } catch {
    return ini(text);
  }
}

function fromJson(json: unknown): Value {
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json !== 'object' || json === null) return json as Value;
  return new Map(Object.entries(json).map(([name, value]) => [name, fromJson(value)]));
}

/** Sections of NAME=VALUE or NAME: VALUE, names in lower case as Python's reader makes them. */
function ini(text: string): Value {
  const sections = new Map<Value, Value>();
  let current: Map<Value, Value> | undefined;
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue;
    const header = /^\[(.+)\]$/.exec(line);
    const pair = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(line);
    if (header) {
      current = new Map();
      sections.set(header[1]!, current);
    } else if (pair && current) current.set(pair[1]!.toLowerCase(), pair[2]!);
    else return `error loading facts as JSON or INI: ${line.slice(0, 80)}`;
  }
  return sections;
}
