import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { fileFields } from '../world/file-fields.ts';
import { defineModule } from './define.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { hashed, linesOf, partsOf } from './lib/known-hosts.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  name: { type: 'str', operand: true, doc: 'The host, as ssh will be told it', required: true, aliases: ['host'] },
  key: { type: 'str', doc: 'Its line, beginning with the host; without one and absent, all its keys go' },
  path: { type: 'path', doc: 'The file', default: '~/.ssh/known_hosts' },
  hash_host: { type: 'bool', doc: 'Hash the name of the host', default: false },
  state: { type: 'str', doc: 'Whether the key shall be there', choices: ['absent', 'present'], default: 'present' },
} as const satisfies ParamSpecs;

type HostParams = Params<typeof params>;

export const knownHostsModule = defineModule({
  name: 'known_hosts',
  doc: {
    summary: 'Keeps keys of other hosts that ssh shall know',
    examples:
      '- known_hosts: {name: git.example.org, key: "git.example.org ssh-ed25519 AAAA…", path: /etc/ssh/ssh_known_hosts}\n',
    returns: { name: 'the host', path: 'the file', key: 'as given', state: 'as asked', hash_host: 'as given' },
  },
  params,
  facts: (given, ctx) => keysOrNone(() => editKeys(editOf(given), ctx)),
  plan: (given, world, ctx) => planHost(given, world, ctx),
});

function planHost(given: HostParams, world: WorldView, ctx: ModuleContext): Plan {
  const name = given.name.toLowerCase();
  check(name, given);
  const opened = openText(editOf(given), world, ctx);
  const after = edited(opened.text ?? '', name, given, ctx);
  const { key = null, path, hash_host, state } = given;
  const values = { name: given.name, key, path, hash_host, state };
  const saved = saveText(opened, after, editOf(given), world, ctx);
  const fields = saved.after ? fileFields(opened.path, saved.after) : {};
  const told = result(saved.steps.length > 0, { ...values, ...fields });
  return { steps: saved.steps, result: told, warnings: saved.warnings };
}

/** Undefined: as it is. A key of the same type gives way to the new one, which stands at the end. */
function edited(
  text: string,
  name: string,
  { key, state, hash_host }: HostParams,
  ctx: ModuleContext,
): string | undefined {
  const there = linesOf(text, name);
  const [marker, , type, body] = partsOf(key ?? '');
  const first = there.find((line) => line.type === type);
  const same = first && first.key === body && first.marker === marker;
  if (state === 'absent') {
    const gone = key === undefined ? there : first ? [first] : [];
    return gone.length
      ? without(
          text,
          gone.map(({ index }) => index),
        )
      : undefined;
  }
  if (same) return undefined;
  const rest = first ? without(text, [first.index]) : text;
  const line = hash_host ? hashed(key!, name, Buffer.from(ctx.random(20), 'hex')) : key!.replace(/\n$/, '');
  return `${rest}${line}\n`;
}

function without(text: string, indexes: number[]): string {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).filter((_line, index) => !indexes.includes(index)).join('');
}

function check(name: string, { key, state }: HostParams): void {
  if (key === undefined && state === 'present') throw new TaskFailure('No key specified when adding a host');
  if (key === undefined) return;
  if (/\S\s*,\s*/.test(name))
    throw new TaskFailure(
      'Comma separated list of names is not supported. Please pass a single name to lookup in the known_hosts file.',
    );
  if (linesOf(key, name).length === 0)
    throw new TaskFailure('Host parameter does not match hashed host field in supplied key');
}

function editOf({ path }: HostParams): EditParams {
  return { path, backup: false, unsafe_writes: false };
}
