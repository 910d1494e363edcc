import type { FilePut } from '../core/effects.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { quote } from '../core/quote.ts';
import { result, TaskFailure } from '../core/result.ts';
import { fileKey } from '../world/file.ts';
import { fileFields } from '../world/file-fields.ts';
import { defineModule } from './define.ts';
import { accountKeys } from './lib/account.ts';
import { chmod } from './lib/attributes.ts';
import { followed } from './lib/links.ts';
import { ownership } from './lib/owners.ts';
import { hostPath, join, pathKeys } from './lib/paths.ts';
import { payloadFields, textPayload } from './lib/payload.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  state: { type: 'str', doc: 'What is made', default: 'file', choices: ['file', 'directory'] },
  path: { type: 'path', doc: 'Directory it is made in', default: '/tmp' },
  prefix: { type: 'str', doc: 'How its name begins', default: 'ansible.' },
  suffix: { type: 'str', doc: 'How its name ends', default: '' },
} as const satisfies ParamSpecs;

type TempParams = Params<typeof params>;

export const tempfileModule = defineModule({
  name: 'tempfile',
  doc: {
    summary: 'Makes a file or directory of its own under a random name',
    notes: ['The name is drawn once a run, so a plan shows the name that its apply makes.'],
    examples: '- tempfile: {state: directory, suffix: .build}\n  register: build\n',
    returns: { path: 'what was made' },
  },
  params,
  facts: ({ path }, ctx) => keysOrNone(() => [...pathKeys(ctx, path, (dir) => [fileKey(dir)]), ...accountKeys(ctx)]),
  plan: (given, world, ctx) => planTemp(given, world, ctx),
});

function planTemp(given: TempParams, world: WorldView, ctx: ModuleContext): Plan {
  const directory = hostPath(world, ctx, given.path);
  const { fact } = followed(world, directory);
  if (!fact.exists || fact.kind !== 'directory') throw new TaskFailure(`${directory} is not a directory`);
  const path = join(directory, `${given.prefix}${ctx.random(6)}${given.suffix}`);
  const setgid = fact.mode === undefined ? undefined : (fact.mode & 0o2000) !== 0;
  const absent = { exists: false, canonical: path, parent: 'directory', missing: 1, setgid } as const;
  const { effect: owners } = ownership(path, absent, {}, world, ctx);
  const put = { ...effectOf(given, path, setgid), ...owners };
  return {
    steps: [
      {
        title: `make ${path}`,
        run: { kind: 'sh', script: scriptOf(given, path, put) },
        effects: [put],
        always: true,
      },
    ],
    result: result(true, {
      path,
      ...fileFields(path, { exists: true, canonical: path, ...put, kind: put.kind as 'file' }),
    }),
  };
}

/** Never more than the owner's, and never something that is there already. */
function scriptOf({ state }: TempParams, path: string, { mode }: FilePut): string {
  if (state === 'file') return `umask 077 && set -C && : > ${quote(path)}`;
  return `mkdir -m 0700 ${quote(path)} && ${chmod(mode!, path)}`;
}

/** Below a setgid directory the bit is handed down, to directories. */
function effectOf({ state }: TempParams, path: string, setgid: boolean | undefined): FilePut {
  if (state === 'directory') return { type: 'file.put', path, kind: 'directory', mode: setgid ? 0o2700 : 0o700 };
  return { type: 'file.put', path, kind: 'file', mode: 0o600, ...payloadFields(textPayload('')), nlink: 1 };
}
