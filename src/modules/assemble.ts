import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { TaskFailure } from '../core/result.ts';
import { content } from '../world/content.ts';
import { listing, listingKey } from '../world/listing.ts';
import { defineModule } from './define.ts';
import { attributeParams } from './lib/attributes.ts';
import { hostPath, join, pathKeys } from './lib/paths.ts';
import { textPayload } from './lib/payload.ts';
import { regex } from './lib/regex.ts';
import { planSingle, type SingleFile, singleKeys } from './lib/single.ts';
import { keysOrNone } from './lib/source.ts';
import { validateParams } from './lib/validate.ts';

const params = {
  src: { type: 'path', doc: 'Folder of the parts', required: true },
  dest: { type: 'path', doc: 'The file they make', required: true },
  delimiter: { type: 'str', doc: 'Text between parts; `\\n` stands for a line break' },
  regexp: { type: 'str', doc: 'Only parts whose name matches' },
  remote_src: { type: 'bool', doc: 'The folder is on the host; false: on the controller', default: true },
  ignore_hidden: { type: 'bool', doc: 'Leave out parts whose name begins with a dot', default: false },
  backup: { type: 'bool', doc: 'Keep a copy of what is replaced', default: false },
  decrypt: { type: 'bool', doc: 'Accepted; parts of the controller that are vaulted are refused', default: true },
  ...validateParams,
  ...attributeParams,
} as const satisfies ParamSpecs;

type AssembleParams = Params<typeof params>;

export const assembleModule = defineModule({
  name: 'assemble',
  doc: {
    summary: 'Makes a file of the parts in a folder, in the order of their names',
    examples: '- assemble: {src: /etc/app/conf.d, dest: /etc/app/app.conf, regexp: "\\\\.conf$"}\n',
    returns: { src: 'the folder', dest: 'the file', checksum: 'sha1 of it' },
  },
  params,
  facts: (given, ctx) => keysOrNone(() => keysOf(given, ctx)),
  plan: (given, world, ctx) => planAssemble(given, world, ctx),
});

function keysOf(given: AssembleParams, ctx: ModuleContext): FactKey[] {
  const parts = given.remote_src ? pathKeys(ctx, given.src, (path) => [listingKey(path, query)]) : [];
  return [...parts, ...singleKeys(single(given, ''), ctx)];
}

const query = { depth: 1, kind: 'file', follow: true } as const;

function planAssemble(given: AssembleParams, world: WorldView, ctx: ModuleContext): Plan {
  const src = given.remote_src ? hostPath(world, ctx, given.src) : given.src;
  const all = given.remote_src ? hostParts(src, world) : controllerParts(given, ctx);
  const kept = all.filter(({ name }) => wanted(name, given)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = joined(
    kept.map((part) => part.text()),
    given.delimiter,
  );
  const plan = planSingle({ ...single(given, text), onHost: true }, world, ctx);
  const values = new Map([...plan.result.values, ['src', src] as const, ['msg', 'OK'] as const]);
  return { ...plan, result: { ...plan.result, values } };
}

interface Part {
  name: string;
  text(): string;
}

function hostParts(src: string, world: WorldView): Part[] {
  const { directory, entries, more } = listing(world, src, query);
  if (!directory) throw new TaskFailure(`Source (${src}) does not exist or is not a directory`);
  if (more) throw new TaskFailure(`${src} holds more files than can be listed`);
  return entries.map(({ path }) => ({ name: path, text: () => textOf(join(src, path), world) }));
}

function textOf(path: string, world: WorldView): string {
  const { text } = content(world, path, { text: true });
  if (text === undefined) throw new TaskFailure(`${path} is no UTF-8 text, or too long`);
  return text;
}

function controllerParts({ src }: AssembleParams, ctx: ModuleContext): Part[] {
  const folder = ctx.files.find('files', src);
  if (folder.kind !== 'directory') throw new TaskFailure(`Source (${src}) is not a directory`);
  const files = folder.walk().filter(({ path, file }) => file.kind === 'file' && !path.includes('/'));
  return files.map(({ path, file }) => ({ name: path, text: () => plainText(path, file.bytes()) }));
}

function plainText(name: string, bytes: Buffer): string {
  if (bytes.subarray(0, 14).equals(Buffer.from('$ANSIBLE_VAULT'))) throw new TaskFailure(`${name} is vaulted`);
  return bytes.toString('utf8');
}

function wanted(name: string, { regexp, ignore_hidden }: AssembleParams): boolean {
  if (ignore_hidden && name.startsWith('.')) return false;
  return regexp === undefined || regex(regexp, 'regexp').search(name) !== undefined;
}

/** A part that does not end a line is ended; so is a delimiter. */
function joined(parts: readonly string[], written: string | undefined): string {
  const between = written === undefined ? '' : ended(unescaped(written));
  return parts
    .map((part, i) =>
      i === parts.length - 1 ? part : `${part === '' || part.endsWith('\n') ? part : `${part}\n`}${between}`,
    )
    .join('');
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function unescaped(text: string): string {
  const known: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };
  return text.replace(/\\([ntr\\])/g, (_all, letter: string) => known[letter]!);
}

function single(given: AssembleParams, text: string): SingleFile {
  const { dest, owner, group, mode, backup, validate, unsafe_writes: unsafeWrites } = given;
  const fixed = { follow: false, force: true, payload: textPayload(text) };
  return { dest, owner, group, mode, backup, validate, unsafeWrites, ...fixed };
}
