import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { RunControl, RunOptions } from '../core/options.ts';
import type { Playbook } from '../core/play.ts';
import type { Value } from '../jinja/index.ts';
import { type Prompt, promptsOf } from '../resolve/prompts.ts';

/** Answers to vars_prompt, by play id. */
export type Answers = ReadonlyMap<string, ReadonlyMap<string, Value>>;

/**
 * Asks what the plays ask for, before anything is connected. A name that several plays ask for is asked for each, as
 * Ansible does. Where nothing runs, and without a terminal, the defaults answer; a question without one is then an
 * input error.
 */
export async function askPrompts(
  playbook: Playbook,
  extraVars: Node | undefined,
  options: Pick<RunOptions, 'list' | 'syntaxCheck'>,
  control: Pick<RunControl, 'prompt' | 'conceal'>,
): Promise<Answers> {
  const idle = options.syntaxCheck || options.list !== undefined;
  const answers = new Map<string, Map<string, Value>>();
  for (const play of playbook.plays) {
    const given = new Map<string, Value>();
    for (const prompt of promptsOf(play, extraVars))
      given.set(prompt.name, idle ? (prompt.default ?? '') : await answered(prompt, control));
    answers.set(play.id, given);
  }
  return answers;
}

async function answered(prompt: Prompt, control: Pick<RunControl, 'prompt' | 'conceal'>): Promise<string> {
  const answer = control.prompt ? await asked(prompt, control.prompt) : withoutTerminal(prompt);
  if (prompt.secret && answer !== '') control.conceal(answer);
  return answer;
}

async function asked(prompt: Prompt, ask: NonNullable<RunControl['prompt']>): Promise<string> {
  const { secret, text, confirm } = prompt;
  const shown = prompt.default === undefined || secret ? `${text}: ` : `${text} [${prompt.default}]: `;
  let before = '';
  for (;;) {
    const first = await ask(`${before}${shown}`, { secret });
    if (!confirm || (await ask(`confirm ${shown}`, { secret })) === first) return first || (prompt.default ?? '');
    before = 'the two differ; ';
  }
}

function withoutTerminal({ name, default: fallback, origin }: Prompt): string {
  if (fallback !== undefined) return fallback;
  throw inputError(`'${name}' is asked for, but there is no terminal to ask at`, {
    origin,
    expected: `a default, or '-e ${name}=…'`,
  });
}
