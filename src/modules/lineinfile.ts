import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { defineModule } from './define.ts';
import { editKeys, editParams, openText, saveText } from './lib/edit.ts';
import { message } from './lib/edit-values.ts';
import { lineAbsent, linePresent } from './lib/line-edit.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  ...editParams,
  state: { type: 'str', doc: 'Whether the line shall be there', default: 'present', choices: ['present', 'absent'] },
  line: { type: 'str', doc: 'The line', aliases: ['value'] },
  regexp: { type: 'str', doc: 'Finds the line to replace (the last match) or to remove (all)', aliases: ['regex'] },
  search_string: { type: 'str', doc: 'The same with plain text' },
  backrefs: { type: 'bool', doc: 'The line may use groups of regexp; without a match nothing changes', default: false },
  insertafter: { type: 'str', doc: 'Without a match: a regexp of the line before it, EOF or BOF' },
  insertbefore: { type: 'str', doc: 'Without a match: a regexp of the line after it, or BOF' },
  firstmatch: { type: 'bool', doc: 'The first match counts instead of the last', default: false },
  create: { type: 'bool', doc: 'Make the file when it is missing', default: false },
} as const satisfies ParamSpecs;

type LineParams = Params<typeof params>;

export const lineinfileModule = defineModule({
  name: 'lineinfile',
  doc: {
    summary: 'Keeps one line in a text file, or none',
    examples: `- lineinfile: {path: /etc/default/kubelet, regexp: '^KUBELET_EXTRA_ARGS=', line: KUBELET_EXTRA_ARGS=--v=2, create: true}
- lineinfile: {path: /etc/fstab, regexp: '\\sswap\\s', state: absent}
`,
    returns: { msg: 'what was done', backup: 'where the old file was kept', found: 'lines removed (state absent)' },
  },
  params,
  rules: {
    exclusive: [
      ['insertbefore', 'insertafter'],
      ['regexp', 'search_string'],
      ['backrefs', 'search_string'],
    ],
  },
  facts: (given, ctx) => keysOrNone(() => editKeys(given, ctx)),
  plan: (given, world, ctx) => planLine(given, world, ctx),
});

function planLine(given: LineParams, world: WorldView, ctx: ModuleContext): Plan {
  check(given);
  const opened = openText(given, world, ctx);
  if (opened.text === undefined && given.state === 'absent') return unchanged({ msg: 'file not present' });
  if (opened.text === undefined && !given.create)
    throw new TaskFailure(`Destination ${opened.path} does not exist !`, { rc: 257 }, 'create: true makes it');
  const change = (given.state === 'absent' ? lineAbsent : linePresent)(opened.text ?? '', given);
  const saved = saveText(opened, change.text, given, world, ctx);
  const values: Record<string, Value> = { msg: message(change.msg, saved.attributesChanged), backup: saved.backupFile };
  if (change.found !== undefined) values.found = change.found;
  return { steps: saved.steps, result: result(saved.steps.length > 0, values), warnings: saved.warnings };
}

function check(given: LineParams): void {
  const { line, regexp, search_string: search } = given;
  if (given.state === 'present') {
    if (given.backrefs && regexp === undefined) throw new TaskFailure('regexp is required with backrefs=true');
    if (line === undefined) throw new TaskFailure('line is required with state=present');
  } else if (line === undefined && regexp === undefined && search === undefined)
    throw new TaskFailure('one of line, search_string, or regexp is required with state=absent');
}

function unchanged(values: Record<string, Value>): Plan {
  return { steps: [], result: result(false, values) };
}
