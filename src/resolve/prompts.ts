import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import type { Play } from '../core/play.ts';
import { field, textOf } from '../load/expect.ts';

/** One question of a play's vars_prompt. */
export interface Prompt {
  name: string;
  text: string;
  /** Not echoed (the default, as in Ansible). */
  secret: boolean;
  /** Asked twice. */
  confirm: boolean;
  default?: string;
  origin: Origin;
}

/** What a play asks for: variables that `-e` gives are not asked. Throws an input error for what cannot be done. */
export function promptsOf(play: Play, extraVars: Node | undefined): Prompt[] {
  return play.varsPrompt.flatMap((node) => {
    const name = textOf(field(node, 'name'));
    if (name === undefined || extraVars?.entries?.has(name)) return [];
    refuseHashing(node);
    const fallback = field(node, 'default');
    return [
      {
        name,
        text: textOf(field(node, 'prompt')) ?? name,
        secret: field(node, 'private')?.value !== false,
        confirm: field(node, 'confirm')?.value === true,
        origin: node.origin,
        ...(fallback && fallback.value !== null ? { default: fallback.source ?? String(fallback.value) } : {}),
      },
    ];
  });
}

function refuseHashing(node: Node): void {
  const encrypt = field(node, 'encrypt');
  if (!encrypt || encrypt.value === null) return;
  throw inputError("vars_prompt's 'encrypt' is not supported", {
    origin: encrypt.origin,
    hint: 'use the filter password_hash where the variable is used',
  });
}
