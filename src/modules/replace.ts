import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { defineModule } from './define.ts';
import { editKeys, editParams, openText, saveText } from './lib/edit.ts';
import { editValues } from './lib/edit-values.ts';
import { regex, replacement } from './lib/regex.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  ...editParams,
  regexp: { type: 'str', doc: 'What is replaced; ^ and $ hold at every line', required: true },
  replace: { type: 'str', doc: 'What takes its place; \\1 and \\g<name> are groups', default: '' },
  after: { type: 'str', doc: 'Only behind the first match of this regexp (. matches line breaks too)' },
  before: { type: 'str', doc: 'Only up to a match of this regexp' },
  encoding: { type: 'str', doc: 'Only utf-8', default: 'utf-8', choices: ['utf-8', 'UTF-8', 'utf8'] },
} as const satisfies ParamSpecs;

export type ReplaceParams = Params<typeof params>;

export const replaceModule = defineModule({
  name: 'replace',
  doc: {
    summary: 'Replaces all matches of a regular expression in a text file',
    examples: "- replace: {path: /etc/fstab, regexp: '^([^#].*\\sswap\\s.*)$', replace: '# \\1'}\n",
    returns: { msg: 'how many replacements were made', backup_file: 'where the old file was kept' },
  },
  params,
  facts: (given, ctx) => keysOrNone(() => editKeys(given, ctx)),
  plan: (given, world, ctx) => planReplace(given, world, ctx),
});

function planReplace(given: ReplaceParams, world: WorldView, ctx: ModuleContext): Plan {
  const opened = openText(given, world, ctx);
  if (opened.text === undefined) throw new TaskFailure(`Path ${opened.path} does not exist !`, { rc: 257 });
  const change = replaceAll(opened.text, given);
  const saved = saveText(opened, change.text, given, world, ctx);
  const values = { rc: 0, ...editValues(change.msg, saved) };
  return { steps: saved.steps, result: result(saved.steps.length > 0, values), warnings: saved.warnings };
}

/** The text after all replacements, and Ansible's message. */
export function replaceAll(text: string, given: Pick<ReplaceParams, 'regexp' | 'replace' | 'after' | 'before'>) {
  const section = sectionOf(text, given);
  if (typeof section === 'string') return { text, msg: section };
  const pattern = regex(given.regexp, 'regexp', { multiline: true });
  const fill = replacement(pattern, given.replace);
  let count = 0;
  const inner = pattern.replace(section.text, (match) => {
    count++;
    return fill(match);
  });
  const next = text.slice(0, section.start) + inner + text.slice(section.start + section.text.length);
  return { text: next, msg: next === text ? '' : `${count} replacements made` };
}

/** The part of the text that may change; a message when `after` and `before` find none. */
function sectionOf(text: string, { after = '', before = '' }: Pick<ReplaceParams, 'after' | 'before'>) {
  if (after === '' && before === '') return { start: 0, text };
  const inner = `(?P<subsection>.*${after !== '' && before !== '' ? '?' : ''})`;
  const pattern = regex(`${after}(?P<rest>${inner}${before})`, 'after/before', { dotAll: true });
  const found = pattern.search(text);
  if (!found) return `Pattern for before/after params did not match the given file: ${after}${inner}${before}`;
  const group = (name: string) => found.groups[found.names.get(name)! - 1] ?? '';
  const begin = [...text].slice(0, found.start).join('').length;
  return { start: begin + found.text.length - group('rest').length, text: group('subsection') };
}
