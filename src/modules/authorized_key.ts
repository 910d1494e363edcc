import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { type FileFact, fileKey } from '../world/file.ts';
import { fileFields } from '../world/file-fields.ts';
import { type PresentUser, user, userKey } from '../world/user.ts';
import { defineModule } from './define.ts';
import { attributeSteps } from './lib/attributes.ts';
import { type KeyLine, readKeys, readOptions, sameKey, wantedKeys, writeKeys } from './lib/authorized-keys.ts';
import { makeDirectories } from './lib/directories.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { followed } from './lib/links.ts';
import { dirname } from './lib/paths.ts';

const params = {
  user: { type: 'str', operand: true, doc: 'Whose logins the key is for', required: true },
  key: { type: 'str', doc: 'The public key; several on lines of their own', required: true },
  path: { type: 'path', doc: 'The file; default: .ssh/authorized_keys in the home of the user' },
  manage_dir: { type: 'bool', doc: 'Make the folder of the file, and give it to the user', default: true },
  state: { type: 'str', doc: 'Whether the key shall be there', choices: ['present', 'absent'], default: 'present' },
  key_options: { type: 'str', doc: 'Options before the key' },
  exclusive: { type: 'bool', doc: 'No other keys', default: false },
  comment: { type: 'str', doc: 'In place of the comment of the key' },
  validate_certs: { type: 'bool', doc: 'Accepted; keys are not fetched from URLs', default: true },
  follow: { type: 'bool', doc: 'Follow a link at the path', default: false },
} as const satisfies ParamSpecs;

type KeyParams = Params<typeof params>;

export const authorizedKeyModule = defineModule({
  name: 'authorized_key',
  doc: {
    summary: 'Keeps keys with which a user may log in',
    examples: "- authorized_key: {user: admin, key: \"{{ lookup('file', 'admin.pub') }}\"}\n",
    returns: { keyfile: 'the file', key: 'as given', exclusive: 'as given' },
  },
  params,
  facts: (given, ctx) => keysOf(given, ctx),
  plan: (given, world, ctx) => planKeys(given, world, ctx),
});

function keysOf(given: KeyParams, ctx: ModuleContext): FactKey[] {
  const files = given.path === undefined ? [] : [...editKeys(editOf(given.path), ctx), fileKey(dirname(given.path))];
  return [userKey(given.user), ...files];
}

function planKeys(given: KeyParams, world: WorldView, ctx: ModuleContext): Plan {
  if (/^https?:/.test(given.key)) throw urlRefused();
  const owner = user(world, given.user);
  if (!owner.exists) throw new TaskFailure(`Failed to lookup user ${given.user}: no such user`);
  const path = given.path ?? `${owner.home}/.ssh/authorized_keys`;
  const opened = openText(editOf(path), world, ctx);
  const after = writeKeys(edited(readKeys(opened.text ?? ''), given).values());
  const values = {
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? null])),
    keyfile: path,
  };
  const fields = (fact: FileFact) => (given.path !== undefined && fact.exists ? fileFields(path, fact) : {});
  if (after === (opened.text ?? '')) return { steps: [], result: result(false, { ...values, ...fields(opened.fact) }) };
  const attributes = { owner: owner.name, group: owner.group, mode: 0o600 };
  const folder = given.manage_dir ? folderSteps(dirname(path), owner, world, ctx) : [];
  const there =
    folder.length > 0 && !opened.fact.exists
      ? { ...opened, fact: { ...opened.fact, parent: 'directory' as const, missing: 1 } }
      : opened;
  const saved = saveText(there, after, { ...editOf(path), ...attributes }, world, ctx);
  return {
    steps: [...folder, ...saved.steps],
    result: result(true, { ...values, ...fields(saved.after ?? opened.fact) }),
    warnings: saved.warnings,
  };
}

/** The keys as they shall be, in their order: what differs in options or comment goes to the end. */
function edited(keys: Map<string, KeyLine>, given: KeyParams): Map<string, KeyLine> {
  const wanted = wantedKeys(given.key).map((key) => ({
    ...key,
    ...(given.key_options === undefined ? {} : { options: readOptions(given.key_options) }),
    ...(given.comment === undefined ? {} : { comment: given.comment }),
  }));
  for (const key of wanted) {
    const there = keys.get(key.id);
    if (given.state === 'present' && there && sameKey(there, key)) continue;
    keys.delete(key.id);
    if (given.state === 'present') keys.set(key.id, key);
  }
  if (given.state === 'absent' || !given.exclusive) return keys;
  const names = new Set(wanted.map(({ id }) => id));
  return new Map([...keys].filter(([id]) => names.has(id)));
}

function folderSteps(folder: string, owner: PresentUser, world: WorldView, ctx: ModuleContext): Step[] {
  const wanted = { owner: owner.name, group: owner.group, mode: 0o700 };
  const { path, fact } = followed(world, folder);
  return fact.exists ? attributeSteps(path, fact, wanted, world) : [makeDirectories(path, fact, wanted, world, ctx)];
}

function editOf(path: string): EditParams {
  return { path, backup: false, unsafe_writes: false };
}

function urlRefused(): TaskFailure {
  const hint = "read it on the controller: key: \"{{ lookup('file', 'keys.pub') }}\", or fetch it with get_url before";
  return new TaskFailure('kpush does not fetch keys from URLs', {}, hint);
}
