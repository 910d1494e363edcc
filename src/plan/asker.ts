import type { FactKey, Question } from '../core/facts.ts';
import type { AnsweredKey } from '../core/needs.ts';
import { type Session, SessionError } from '../core/session.ts';
import { asked } from '../world/ask.ts';
import { families, onController } from '../world/families.ts';
import { Ahead } from './ahead.ts';

/** Puts questions to hosts. What a plan knows of a session is only this. */
export interface Asker {
  /** A host that will be asked next: the way to it is made meanwhile. Resolves when there is room for its questions. */
  expect?(host: string): Promise<void> | undefined;
  /** It will not be asked any more. */
  left?(host: string): void;
  ask(host: string, questions: readonly Question[]): Promise<AnsweredKey[]>;
}

/** Answers what is asked of the controller: the record of one key. */
export type ControllerAnswers = (key: FactKey) => Promise<string>;

export type SessionOf = (host: string) => Pick<Session, 'ask' | 'warm'>;

/** Hosts that are connected to before it is known what to ask them: of many, the first keep everybody busy. */
const expectedAtOnce = 16;

export function makeAsker(
  sessionOf: SessionOf,
  slot: <T>(work: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
  controller?: ControllerAnswers,
  forks = Number.POSITIVE_INFINITY,
): Asker {
  const expected = new Set<string>();
  // As many again as are asked at once stand ready.
  const ahead = new Ahead(2 * forks);
  const ask: Asker['ask'] = async (host, questions) => {
    const answers: AnsweredKey[] = [];
    expected.delete(host);
    for (const { identity, keys: all } of questions) {
      for (const key of all.filter(onController))
        answers.push({ identity, key, answer: await fromController(key, controller) });
      const keys = all.filter((key) => !onController(key));
      if (keys.length === 0) continue;
      const question = asked(keys);
      const records = await slot(() => sessionOf(host).ask(identity, question.blocks, signal));
      for (const { key, answer } of question.answers(records)) answers.push({ identity, key, answer });
    }
    return answers;
  };
  return {
    expect: (host) => {
      const room = ahead.enter(host);
      if (room || expected.size >= expectedAtOnce) return room;
      expected.add(host);
      warm(() => sessionOf(host), signal);
      return undefined;
    },
    left: (host) => ahead.leave(host),
    ask: (host, questions) => ask(host, questions).finally(() => ahead.leave(host)),
  };
}

/** Of a host that is said to be where nothing can be, the first question tells. */
function warm(sessionOf: () => ReturnType<SessionOf>, signal: AbortSignal): void {
  try {
    sessionOf().warm?.(signal);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
}

async function fromController(key: FactKey, controller: ControllerAnswers | undefined) {
  if (!controller) throw new Error(`nobody answers ${key.family} on the controller`);
  return families.get(key.family)!.parse(await controller(key), key);
}
