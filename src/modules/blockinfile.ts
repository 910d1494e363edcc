import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { defineModule } from './define.ts';
import { changeBlock } from './lib/block-edit.ts';
import { editKeys, editParams, openText, saveText } from './lib/edit.ts';
import { editValues } from './lib/edit-values.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  ...editParams,
  state: { type: 'str', doc: 'Whether the block shall be there', default: 'present', choices: ['present', 'absent'] },
  block: { type: 'str', doc: 'The lines; an empty block is removed', default: '', aliases: ['content'] },
  marker: {
    type: 'str',
    doc: 'Line before and after the block; {mark} becomes marker_begin and marker_end',
    default: '# {mark} ANSIBLE MANAGED BLOCK',
  },
  marker_begin: { type: 'str', doc: 'Word for {mark} before the block', default: 'BEGIN' },
  marker_end: { type: 'str', doc: 'Word for {mark} after the block', default: 'END' },
  insertafter: { type: 'str', doc: 'Where a new block goes: after the last line that this regexp finds, or EOF' },
  insertbefore: { type: 'str', doc: 'Where a new block goes: before the last line that this regexp finds, or BOF' },
  create: { type: 'bool', doc: 'Make the file when it is missing', default: false },
} as const satisfies ParamSpecs;

type BlockParams = Params<typeof params>;

export const blockinfileModule = defineModule({
  name: 'blockinfile',
  doc: {
    summary: 'Keeps a block of lines between two marker lines of a text file',
    notes: ['A block that is there stays in its place, whatever insertafter and insertbefore say.'],
    examples: `- blockinfile:
    path: /etc/hosts
    block: |
      10.0.0.10 api.cluster.example
`,
    returns: { msg: 'what was done', backup_file: 'where the old file was kept' },
  },
  params,
  rules: { exclusive: [['insertbefore', 'insertafter']] },
  facts: (given, ctx) => keysOrNone(() => editKeys(given, ctx)),
  plan: (given, world, ctx) => planBlock(given, world, ctx),
});

function planBlock(given: BlockParams, world: WorldView, ctx: ModuleContext): Plan {
  const opened = openText(given, world, ctx);
  if (opened.text === undefined && !given.create)
    throw new TaskFailure(`Path ${opened.path} does not exist !`, { rc: 257 }, 'create: true makes it');
  const change = changeBlock(opened.text ?? '', given);
  const saved = saveText(opened, change.text, given, world, ctx);
  const msg = opened.text === undefined ? 'File created' : change.msg;
  return {
    steps: saved.steps,
    result: result(saved.steps.length > 0, editValues(msg, saved)),
    warnings: saved.warnings,
  };
}
