import type { FactKey } from '../core/facts.ts';
import type { ControllerFile, ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { TaskFailure } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { defineModule } from './define.ts';
import { attributeParams } from './lib/attributes.ts';
import { contentText } from './lib/content-text.ts';
import { copyTree, treeKeys } from './lib/copy-tree.ts';
import { oncePerTask } from './lib/once.ts';
import { basename } from './lib/paths.ts';
import { filePayload, hash, textPayload } from './lib/payload.ts';
import { planRemoteCopy, remoteCopyKeys } from './lib/remote-copy.ts';
import { planSingle, type SingleFile, singleKeys } from './lib/single.ts';
import { keysOrNone } from './lib/source.ts';
import { validateParams } from './lib/validate.ts';

const params = {
  src: {
    type: 'path',
    doc: 'File or directory on the controller (searched in files/), or on the host with remote_src; a trailing slash means the content of the directory',
  },
  content: { type: 'raw', doc: 'Text to write instead of src; a list or mapping is written as JSON' },
  dest: { type: 'path', doc: 'Where it goes on the host; a directory takes the name of src', required: true },
  remote_src: { type: 'bool', doc: 'src is on the host', default: false },
  force: { type: 'bool', doc: 'false: an existing file is left as it is', default: true, aliases: ['thirsty'] },
  backup: { type: 'bool', doc: 'Keep a copy of what is replaced', default: false },
  directory_mode: { type: 'mode', doc: 'Mode of directories that a recursive copy makes' },
  follow: { type: 'bool', doc: 'Write to where a link leads instead of replacing the link', default: false },
  local_follow: { type: 'bool', doc: 'Copy what links in a source directory lead to', default: true },
  checksum: { type: 'str', doc: 'sha1 that src must have' },
  decrypt: { type: 'bool', doc: 'Decrypt a source that is vaulted', default: true },
  ...validateParams,
  ...attributeParams,
} as const satisfies ParamSpecs;

type CopyParams = Params<typeof params>;

export const copyModule = defineModule({
  name: 'copy',
  doc: {
    summary: 'Puts a file, a text or a directory tree on the host',
    notes: [
      'A file is replaced by rename, never written in place. Without a mode, a new file gets 0644 whatever the umask of the host is, and an existing one keeps what it has.',
      'A directory is copied file by file; what stands in the destination besides stays there.',
    ],
    examples: `- copy: {src: kubelet.conf, dest: /etc/kubelet.conf, mode: '0600', owner: root}
- copy:
    content: "net.ipv4.ip_forward = 1\\n"
    dest: /etc/sysctl.d/99-kubernetes.conf
    mode: '0644'
`,
    returns: {
      dest: 'path of the file or directory',
      checksum: 'sha1 of the content',
      backup_file: 'where the old content was kept',
      mode: 'four octal digits; owner, group, uid, gid, size and state likewise',
    },
  },
  params,
  rules: { exclusive: [['src', 'content']], oneOf: [['src', 'content']] },
  facts: (given, ctx) => keysOrNone(() => copyKeys(given, ctx)),
  plan: (given, world, ctx) => planCopy(given, world, ctx),
});

function copyKeys(given: CopyParams, ctx: ModuleContext): FactKey[] {
  if (given.remote_src && given.src !== undefined) return remoteCopyKeys(remote(given), ctx);
  const { source, one } = copied(given, ctx);
  return one ? singleKeys(one, ctx) : treeKeys(tree(given, source), ctx);
}

function planCopy(given: CopyParams, world: WorldView, ctx: ModuleContext): Plan {
  if (given.remote_src && given.src !== undefined) return planRemoteCopy(remote(given), world, ctx);
  const { source, one } = copied(given, ctx);
  return one ? planSingle(one, world, ctx) : copyTree(tree(given, source), world, ctx);
}

type Copied = { source: ControllerFile; one?: undefined } | { source: ControllerFile | undefined; one: SingleFile };

const copied = oncePerTask((given: CopyParams, ctx: ModuleContext): Copied => {
  const source = given.src === undefined ? undefined : ctx.files.find('files', given.src);
  return source?.kind === 'directory' ? { source } : { source, one: single(given, source) };
});

function single(given: CopyParams, source: ControllerFile | undefined): SingleFile {
  const payload = source ? filePayload(source) : textPayload(contentText(given.content as Value));
  checkSum(given.checksum, source);
  return {
    ...common(given),
    ...(source ? { name: basename(given.src!), src: source.path } : {}),
    mode: given.mode === 'preserve' ? preserved(source) : given.mode,
    payload,
  };
}

function common(given: CopyParams) {
  const { dest, owner, group, follow, force, backup, validate, directory_mode: directoryMode, unsafe_writes } = given;
  return { dest, owner, group, follow, force, backup, validate, directoryMode, unsafeWrites: unsafe_writes };
}

function tree(given: CopyParams, source: ControllerFile) {
  return { ...common(given), mode: given.mode, src: given.src!, source };
}

function remote(given: CopyParams) {
  return { ...common(given), mode: given.mode, src: given.src! };
}

function preserved(source: ControllerFile | undefined): number {
  if (!source) throw new TaskFailure('mode: preserve needs a src to take the mode from');
  return source.mode & 0o7777;
}

function checkSum(wanted: string | undefined, source: ControllerFile | undefined): void {
  if (wanted === undefined || !source) return;
  const checksum = hash('sha1', source.bytes());
  if (checksum !== wanted)
    throw new TaskFailure('Copied file does not match the expected checksum. Transfer failed.', {
      checksum,
      expected_checksum: wanted,
    });
}
