import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Case } from './corpus.ts';
import type { Answer } from './oracle.ts';

const file = new URL('./recorded.json', import.meta.url);
const key = ({ kind, source }: Case) => `${kind} ${source}`;

/** What the oracle said to each case when it was last asked: the unit tests compare with it where there is no Ansible. */
export function recordedAnswers(cases: Case[]): { item: Case; answer: Answer | undefined }[] {
  const known = read();
  return cases.map((item) => ({ item, answer: known[key(item)] }));
}

export function record(cases: Case[], answers: Answer[]): void {
  const entries = new Map(cases.map((item, i) => [key(item), withoutText(answers[i]!)] as const));
  const lines = [...entries].map(([name, answer]) => `${JSON.stringify(name)}: ${JSON.stringify(answer)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/** Error texts are Ansible's own and change with its versions; that there is an error is what counts. */
export function withoutText(answer: Answer): Answer {
  return 'error' in answer ? { error: '', undefined: answer.undefined } : answer;
}

function read(): Record<string, Answer> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Answer>) : {};
}
