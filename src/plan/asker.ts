import type { Question } from '../core/facts.ts';
import type { AnsweredKey } from '../core/needs.ts';
import type { Session } from '../core/session.ts';
import { asked } from '../world/ask.ts';

/** Puts questions to hosts. What a plan knows of a session is only this. */
export interface Asker {
  ask(host: string, questions: readonly Question[]): Promise<AnsweredKey[]>;
}

export type SessionOf = (host: string) => Pick<Session, 'ask'>;

export function makeAsker(
  sessionOf: SessionOf,
  slot: <T>(work: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Asker {
  return {
    ask: async (host, questions) => {
      const answers: AnsweredKey[] = [];
      for (const { identity, keys } of questions) {
        const question = asked(keys);
        const records = await slot(() => sessionOf(host).ask(identity, question.blocks, signal));
        for (const { key, answer } of question.answers(records)) answers.push({ identity, key, answer });
      }
      return answers;
    },
  };
}
