import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { type PayloadFact, payload, payloadKey } from '../world/payload.ts';
import { defineModule } from './define.ts';
import { type Binaries, binariesKeys, needs, pushSteps } from './lib/binaries.ts';
import { downloadSteps } from './lib/binaries-download.ts';
import { stagedSteps } from './lib/binaries-staged.ts';

const params = {
  names: {
    type: 'list',
    elements: 'str',
    operand: true,
    doc: 'The programs, in the order they take their names',
    required: true,
  },
  version: { type: 'version', doc: 'Their release, like v1.20.2', required: true },
  bin_dir: { type: 'path', doc: 'Where they go', default: '/usr/local/bin' },
  src: { type: 'path', doc: 'A folder that holds them, or a release tarball, on the controller' },
  url: { type: 'str', operand: true, doc: 'Where the host fetches each, with {name} in it' },
  staged: { type: 'path', doc: 'A folder on the host that kube_binaries has put them into before; they are copied' },
  sha256: {
    type: 'dict',
    doc: 'Checksums by name; with url, published `.sha256` files stand in for missing ones',
    default: {},
  },
} as const satisfies ParamSpecs;

type BinariesParams = Params<typeof params>;

export const kubeBinariesModule = defineModule({
  name: 'kube_binaries',
  doc: {
    summary: 'Programs of a Kubernetes release in a folder of the host',
    notes: [
      'A program is installed when it is missing, cannot be executed, is of another release, or is not what was installed.',
      'With `staged` all that takes time is done before: what is left is a copy on the same machine.',
      'It is staged beside its place, verified (a program of this machine that says it is of the release, and has the checksum), and then renamed, so that a running one is replaced without an interruption.',
    ],
    examples: `- kube_binaries: {names: [kubelet, kubectl], version: v1.20.2, src: bin}
- kube_binaries:
    names: [kube-proxy]
    version: v1.30.1
    url: https://dl.k8s.io/release/v1.30.1/bin/linux/amd64/{name}
`,
    returns: { installed: 'the programs that were installed, with the reason' },
  },
  params,
  rules: { exclusive: [['src', 'url', 'staged']], oneOf: [['src', 'url', 'staged']] },
  facts: (given, ctx) => [...binariesKeys(placeOf(given)), ...sourceKeys(given, ctx)],
  plan: (given, world, ctx) => planBinaries(given, world, ctx),
});

function placeOf({ bin_dir: binDir, names }: BinariesParams) {
  return { binDir, names, marker: `${binDir}/.kpush-binaries` };
}

function sourceKeys(given: BinariesParams, ctx: ModuleContext): FactKey[] {
  return given.src === undefined || given.names.length === 0 ? [] : [payloadKey(queryOf(given, ctx))];
}

function queryOf({ src, names }: BinariesParams, ctx: ModuleContext) {
  return { source: ctx.files.find('files', src!).path, kind: 'files' as const, names };
}

function planBinaries(given: BinariesParams, world: WorldView, ctx: ModuleContext): Plan {
  if (given.names.length === 0) return { steps: [], result: result(false, { installed: new Map() }) };
  const source = given.src === undefined ? {} : checked(payload(world, queryOf(given, ctx)), given);
  const known = given.names.map((name) => [name, source.files?.[name]?.sha256 ?? given.sha256[name]] as const);
  const sha256 = Object.fromEntries(known) as Record<string, string | undefined>;
  const wanted: Binaries = { ...placeOf(given), version: given.version, sha256 };
  const reasons = needs(wanted, world);
  const steps = reasons.size === 0 ? [] : stepsOf(given, wanted, source, reasons);
  return { steps, result: result(reasons.size > 0, { installed: new Map(reasons) }) };
}

function stepsOf(given: BinariesParams, wanted: Binaries, source: PayloadFact, reasons: Map<string, string>) {
  if (given.src !== undefined) return pushSteps(wanted, source.files ?? {}, reasons);
  return given.staged === undefined
    ? downloadSteps(wanted, given.url!, reasons)
    : stagedSteps(wanted, given.staged, reasons);
}

function checked(found: PayloadFact, { sha256 }: BinariesParams): PayloadFact {
  if (found.problem !== undefined) throw new TaskFailure(found.problem);
  for (const [name, file] of Object.entries(found.files ?? {}))
    if (sha256[name] !== undefined && sha256[name] !== file.sha256)
      throw new TaskFailure(`${name} has the SHA-256 ${file.sha256}, not ${String(sha256[name])}`);
  return found;
}
