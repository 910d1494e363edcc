import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { type BytesFact, bytesLimit, rawBytes, rawBytesKey } from '../world/raw-bytes.ts';
import { defineModule } from './define.ts';
import { hostPath, pathKeys } from './lib/paths.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  src: { type: 'path', doc: 'File on the host', required: true, aliases: ['path'] },
} as const satisfies ParamSpecs;

export const slurpModule = defineModule({
  name: 'slurp',
  doc: {
    summary: 'Reads a file of the host into a variable',
    notes: [`At most ${bytesLimit / 1024} KiB; use fetch for more.`],
    examples: `- slurp: {src: /etc/kubernetes/pki/ca.crt}
  register: ca
- debug: {msg: "{{ ca.content | b64decode }}"}
`,
    returns: { content: 'the bytes in base64', encoding: 'base64', source: 'the path' },
  },
  params,
  facts: ({ src }, ctx) => keysOrNone(() => pathKeys(ctx, src, (path) => [rawBytesKey(path)])),
  plan: ({ src }, world, ctx) => planSlurp(src, world, ctx),
});

function planSlurp(src: string, world: WorldView, ctx: ModuleContext): Plan {
  const path = hostPath(world, ctx, src);
  const found = rawBytes(world, path);
  if (found.state !== 'bytes') throw refusal(path, found.state);
  return { steps: [], result: result(false, { content: found.base64, encoding: 'base64', source: path }) };
}

function refusal(path: string, state: Exclude<BytesFact['state'], 'bytes'>): TaskFailure {
  const messages = {
    absent: `file not found: ${path}`,
    'not-regular': `source is a directory and must be a file: ${path}`,
    long: `${path} is longer than ${bytesLimit / 1024} KiB`,
  };
  return new TaskFailure(messages[state], {}, state === 'long' ? 'fetch copies files of any size' : undefined);
}
