import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { fileFields } from '../world/file-fields.ts';
import { defineModule } from './define.ts';
import { editKeys, editParams, openText, saveText } from './lib/edit.ts';
import { editValues } from './lib/edit-values.ts';
import { changeIni } from './lib/ini-edit.ts';
import { keysOrNone } from './lib/source.ts';

const { path: _path, ...others } = editParams;
const params = {
  path: { type: 'path', doc: 'The file', required: true, aliases: ['dest'] },
  ...others,
  section: { type: 'str', doc: 'Section; absent: the options before the first one' },
  option: { type: 'str', doc: 'Option; absent with state absent: the whole section goes' },
  value: { type: 'str', doc: 'Its value' },
  values: { type: 'list', elements: 'str', doc: 'Its values, a line each' },
  state: { type: 'str', doc: 'Whether the option shall be there', default: 'present', choices: ['present', 'absent'] },
  exclusive: { type: 'bool', doc: 'No other lines of this option', default: true },
  no_extra_spaces: { type: 'bool', doc: 'Write k=v instead of k = v', default: false },
  allow_no_value: { type: 'bool', doc: 'The option may stand alone', default: false },
  create: { type: 'bool', doc: 'Make the file when it is missing', default: true },
} as const satisfies ParamSpecs;

type IniParams = Params<typeof params>;

export const iniFileModule = defineModule({
  name: 'ini_file',
  doc: {
    summary: 'Keeps options of an INI file',
    examples:
      "- ini_file: {path: /etc/containerd.ini, section: grpc, option: address, value: /run/c.sock, mode: '0644'}\n",
    returns: { msg: 'what was done', path: 'the file', backup_file: 'where the old file was kept' },
  },
  params,
  rules: { exclusive: [['value', 'values']] },
  facts: (given, ctx) => keysOrNone(() => editKeys(given, ctx)),
  plan: (given, world, ctx) => planIni(given, world, ctx),
});

function planIni(given: IniParams, world: WorldView, ctx: ModuleContext): Plan {
  if (given.state === 'present' && !given.allow_no_value && given.value === undefined && !given.values?.length)
    throw new TaskFailure("Parameter 'value(s)' must be defined if state=present and allow_no_value=False.");
  const opened = openText(given, world, ctx);
  if (opened.text === undefined && !given.create)
    throw new TaskFailure(`Destination ${opened.path} does not exist!`, { rc: 257 }, 'create: true makes it');
  const change = changeIni(opened.text ?? '', given);
  const after = change.msg === 'OK' ? undefined : change.text;
  const saved = saveText(opened, after, given, world, ctx);
  const fields = saved.after ? fileFields(opened.path, saved.after) : {};
  const values = { path: opened.path, ...fields, ...editValues(change.msg, saved), msg: change.msg };
  return { steps: saved.steps, result: result(saved.steps.length > 0, values), warnings: saved.warnings };
}
