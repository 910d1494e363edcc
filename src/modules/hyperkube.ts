import type { FactKey } from '../core/facts.ts';
import { imageReference } from '../core/image-reference.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { quoteAll } from '../core/quote.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { fileKey } from '../world/file.ts';
import { type PayloadFact, payload, payloadKey } from '../world/payload.ts';
import { defineModule } from './define.ts';
import { type Binaries, binariesKeys, needs, pushSteps } from './lib/binaries.ts';
import { isUnpublished, refuseUnpublished } from './lib/hyperkube-source.ts';
import { replaced } from './lib/replaced.ts';

const params = {
  source: {
    type: 'str',
    doc: "With via push: a docker-archive or OCI layout on the controller (a tar file, plain or under gzip or zstd, or a folder), or an image of a registry that anybody may read, by tag or digest. With via host: the name of an image in the host's docker or containerd",
    required: true,
  },
  version: { type: 'version', doc: 'The release, like v1.16.15', required: true },
  via: {
    type: 'str',
    doc: 'Who unpacks the image: the controller, once for all hosts, or each host',
    choices: ['push', 'host'],
    default: 'push',
  },
  bin_dir: { type: 'path', doc: 'Where kubelet and kubectl go', default: '/usr/local/bin' },
  extractor: { type: 'path', doc: 'With via host: kube-extract on the host', default: '/usr/local/bin/kube-extract' },
} as const satisfies ParamSpecs;

type HyperkubeParams = Params<typeof params>;

export const hyperkubeModule = defineModule({
  name: 'hyperkube',
  doc: {
    summary: 'kubelet and kubectl out of a hyperkube image',
    notes: [
      'How the programs lie in the image is judged by what is in it, whatever its version: real ones in /usr/local/bin (1.17 and 1.18), or one Go program that acts by its name (up to 1.16). A script is never installed as a kubelet.',
      'Both are installed when either is missing, cannot be executed, is of another release or image, or was changed. They are staged, verified, renamed kubelet first and kubectl second, and a marker is written last: cut off anywhere, the next run ends it.',
      'From 1.19 on upstream published no such image: asking a registry for one fails at once. An archive that holds one is used.',
    ],
    examples: `- hyperkube: {source: hyperkube-v1.16.15.tar, version: v1.16.15}
- hyperkube: {source: "k8s.gcr.io/hyperkube:v1.18.20", version: v1.18.20, via: host}
`,
    returns: {
      installed: 'kubelet and kubectl with the reason, where they were installed',
      layout: 'how they lie in the image',
    },
  },
  params,
  facts: (given, ctx) => [...binariesKeys(placeOf(given)), ...imageKeys(given, ctx)],
  plan: (given, world, ctx) => (given.via === 'host' ? planHost(given, world) : planPush(given, world, ctx)),
});

function placeOf({ bin_dir: binDir }: HyperkubeParams) {
  return { binDir, names: ['kubelet', 'kubectl'], marker: `${binDir}/.kpush-hyperkube` };
}

function imageKeys(given: HyperkubeParams, ctx: ModuleContext): FactKey[] {
  return given.via === 'host' || isUnpublished(given) ? [] : [payloadKey(queryOf(given, ctx))];
}

function queryOf({ source }: HyperkubeParams, ctx: ModuleContext) {
  const names = ['kubelet', 'kubectl'];
  if (imageReference(source)) return { source, kind: 'registry' as const, names };
  return { source: ctx.files.find('files', source).path, kind: 'image' as const, names };
}

function planPush(given: HyperkubeParams, world: WorldView, ctx: ModuleContext): Plan {
  refuseUnpublished(given);
  const image = payload(world, queryOf(given, ctx));
  if (image.problem !== undefined) throw new TaskFailure(image.problem);
  return planned(wantedOf(given, image), image, world, (wanted, reasons) => pushSteps(wanted, image.files!, reasons));
}

function planHost(given: HyperkubeParams, world: WorldView): Plan {
  refuseUnpublished(given);
  return planned(wantedOf(given, {}), {}, world, (wanted, reasons) => [extractStep(given, wanted, reasons)]);
}

function wantedOf(given: HyperkubeParams, image: PayloadFact): Binaries {
  const digest = given.via === 'host' ? given.source : image.digest;
  const sha256 = { kubelet: image.files?.kubelet?.sha256, kubectl: image.files?.kubectl?.sha256 };
  return { ...placeOf(given), version: given.version, sha256, ...(digest === undefined ? {} : { digest }) };
}

/** Both or none: they are of one image. */
function planned(
  wanted: Binaries,
  image: PayloadFact,
  world: WorldView,
  stepsOf: (wanted: Binaries, reasons: Map<string, string>) => Step[],
): Plan {
  const some = needs(wanted, world);
  const why = [...some].map(([name, reason]) => `${name} is ${reason}`).join(', ');
  const reasons = new Map(
    some.size === 0 ? [] : wanted.names.map((name) => [name, some.get(name) ?? `with the other: ${why}`]),
  );
  const values = { installed: reasons, layout: image.layout ?? '' };
  return { steps: reasons.size === 0 ? [] : stepsOf(wanted, reasons), result: result(reasons.size > 0, values) };
}

function extractStep(given: HyperkubeParams, wanted: Binaries, reasons: Map<string, string>): Step {
  const subject = `${wanted.binDir}/kubelet, kubectl`;
  const before = [...reasons.values()][0]!;
  return {
    title: `extract kubelet and kubectl ${wanted.version} out of ${given.source}`,
    run: { kind: 'sh', script: quoteAll([given.extractor, given.source, given.version, given.bin_dir]) },
    effects: [
      ...wanted.names.flatMap((name) => replaced(`${wanted.binDir}/${name}`, { mode: 0o755 })),
      { type: 'file.unknown', path: wanted.marker, why: 'the programs are extracted' },
    ],
    diff: [{ kind: 'fields', subject, fields: [{ name: 'release', before, after: wanted.version }] }],
    proof: wanted.names.map((name) => fileKey(`${wanted.binDir}/${name}`)),
    onCut: 'finish',
    timeout: 1800,
  };
}
