import type { ModuleContext, TemplateOptions } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { scalarText } from '../core/plain.ts';
import { Unknown } from '../jinja/values.ts';
import { UnknownRead } from '../world/read.ts';
import { defineModule } from './define.ts';
import { attributeParams } from './lib/attributes.ts';
import { oncePerTask } from './lib/once.ts';
import { basename } from './lib/paths.ts';
import { textPayload } from './lib/payload.ts';
import { planSingle, type SingleFile, singleKeys } from './lib/single.ts';
import { keysOrNone } from './lib/source.ts';
import { validateParams } from './lib/validate.ts';

const params = {
  src: { type: 'path', doc: 'Template on the controller, searched in templates/', required: true },
  dest: { type: 'path', doc: 'File on the host; a directory takes the name of src', required: true },
  force: { type: 'bool', doc: 'false: an existing file is left as it is', default: true },
  backup: { type: 'bool', doc: 'Keep a copy of what is replaced', default: false },
  follow: { type: 'bool', doc: 'Write to where a link leads instead of replacing the link', default: false },
  trim_blocks: { type: 'bool', doc: 'Drop the line end after a block tag', default: true },
  lstrip_blocks: { type: 'bool', doc: 'Drop the indentation before a block tag', default: false },
  newline_sequence: {
    type: 'str',
    doc: 'How lines end',
    default: '\n',
    choices: ['\n', '\r', '\r\n', '\\n', '\\r', '\\r\\n'],
  },
  block_start_string: { type: 'str', doc: 'Instead of {%' },
  block_end_string: { type: 'str', doc: 'Instead of %}' },
  variable_start_string: { type: 'str', doc: 'Instead of {{' },
  variable_end_string: { type: 'str', doc: 'Instead of }}' },
  comment_start_string: { type: 'str', doc: 'Instead of {#' },
  comment_end_string: { type: 'str', doc: 'Instead of #}' },
  output_encoding: { type: 'str', doc: 'Only utf-8', default: 'utf-8', choices: ['utf-8', 'UTF-8', 'utf8'] },
  ...validateParams,
  ...attributeParams,
} as const satisfies ParamSpecs;

type TemplateParams = Params<typeof params>;

export const templateModule = defineModule({
  name: 'template',
  doc: {
    summary: 'Renders a template of the controller into a file on the host',
    notes: ['A first line `#jinja2: lstrip_blocks:True` in the template wins over the parameters.'],
    examples: "- template: {src: kubelet.conf.j2, dest: /etc/kubernetes/kubelet.conf, mode: '0600'}\n",
    returns: {
      dest: 'path of the file',
      checksum: 'sha1 of the content',
      backup_file: 'where the old content was kept',
    },
  },
  params,
  facts: (given, ctx) => keysOrNone(() => singleKeys(rendered(given, ctx), ctx)),
  plan: (given, world, ctx) => planSingle(rendered(given, ctx), world, ctx),
});

/** Throws UnknownRead while the template uses what is not known yet. */
const rendered = oncePerTask((given: TemplateParams, ctx: ModuleContext): SingleFile => {
  const text = ctx.files.template(given.src, optionsOf(given));
  if (text instanceof Unknown) throw new UnknownRead(text.why);
  const { dest, mode, owner, group, force, backup, follow, validate, unsafe_writes: unsafeWrites } = given;
  const source = ctx.files.find('templates', given.src);
  return {
    dest,
    name: basename(given.src),
    src: source.path,
    payload: textPayload(scalarText(text) ?? ''),
    mode: mode === 'preserve' ? source.mode & 0o7777 : mode,
    owner,
    group,
    force,
    backup,
    follow,
    validate,
    unsafeWrites,
  };
});

function optionsOf(given: TemplateParams): TemplateOptions {
  return {
    trimBlocks: given.trim_blocks,
    lstripBlocks: given.lstrip_blocks,
    newline: newlines[given.newline_sequence]!,
    blockStart: given.block_start_string,
    blockEnd: given.block_end_string,
    variableStart: given.variable_start_string,
    variableEnd: given.variable_end_string,
    commentStart: given.comment_start_string,
    commentEnd: given.comment_end_string,
    dest: given.dest,
  };
}

/** In YAML's single quotes a backslash is itself. */
const newlines: Record<string, string> = {
  '\n': '\n',
  '\r': '\r',
  '\r\n': '\r\n',
  '\\n': '\n',
  '\\r': '\r',
  '\\r\\n': '\r\n',
};
