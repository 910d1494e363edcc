import type { Answer, FactKey } from '../core/facts.ts';
import { type AskBlock, SessionError } from '../core/session.ts';
import { families } from './families.ts';

/** Keys of one identity as one block per family, and the way back from records to answers. */
export interface Asked {
  blocks: AskBlock[];
  /** The keys in the order of their records. */
  order: FactKey[];
  /** In the order of the keys given. Throws a SessionError, which ends this host only, on text that is no answer. */
  answers(records: readonly (readonly string[])[]): { key: FactKey; answer: Answer }[];
}

export function asked(keys: readonly FactKey[]): Asked {
  const groups = new Map<string, FactKey[]>();
  for (const key of keys) groups.set(key.family, [...(groups.get(key.family) ?? []), key]);
  const blocks = [...groups].map(([name, group]) => blockOf(name, group));
  const order = [...groups.values()].flat();
  return {
    blocks,
    order,
    answers: (records) => [...groups].flatMap(([name, group], at) => parsed(name, group, records[at])),
  };
}

function blockOf(name: string, keys: FactKey[]): AskBlock {
  const { library, script } = familyOf(name);
  const block = { script: script(keys), records: keys.length };
  return library ? { ...block, library: { name, text: library() } } : block;
}

function parsed(name: string, keys: FactKey[], records: readonly string[] | undefined) {
  if (records?.length !== keys.length)
    throw new Error(`${records?.length ?? 0} answers to ${keys.length} questions about ${name}`);
  return keys.map((key, at) => ({ key, answer: understood(key, records[at]!) }));
}

/** A host may answer anything. What is asked and answered may be secret: neither is told. */
function understood(key: FactKey, record: string): Answer {
  try {
    return familyOf(key.family).parse(record, key);
  } catch (error) {
    throw new SessionError('protocol', 'answer', `an answer about ${key.family} cannot be understood`, {
      cause: error,
    });
  }
}

function familyOf(name: string) {
  const family = families.get(name);
  if (!family) throw new Error(`no fact family is called ${name}`);
  return family;
}
