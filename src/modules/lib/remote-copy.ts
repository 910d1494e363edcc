import type { Answer, FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import { Unknown } from '../../jinja/values.ts';
import { content, contentKey } from '../../world/content.ts';
import { digestKey } from '../../world/digest.ts';
import { fileKey, type PresentFile } from '../../world/file.ts';
import { accountKeys } from './account.ts';
import { destination, destinationKeys } from './destination.ts';
import { followed, type Located } from './links.ts';
import { basename, hostPath, pathKeys } from './paths.ts';
import { hostPayload, type Payload, textPayload } from './payload.ts';
import { copyRemoteTree } from './remote-tree.ts';
import { planSingle, type RemoteCopy } from './single.ts';

export function remoteCopyKeys(copy: RemoteCopy, ctx: ModuleContext): FactKey[] {
  const source = pathKeys(ctx, copy.src, (path) => [
    fileKey(path),
    contentKey(path, {}),
    ...(['sha1', 'md5'] as const).map((algorithm) => digestKey(path, algorithm)),
  ]);
  const wants = (path: string) => destinationKeys(path, basename(copy.src), {});
  return [...source, ...pathKeys(ctx, copy.dest, wants), ...accountKeys(ctx, copy)];
}

export function planRemoteCopy(copy: RemoteCopy, world: WorldView, ctx: ModuleContext): Plan {
  const path = hostPath(world, ctx, copy.src);
  const source = followed(world, path);
  if (!source.fact.exists) throw new TaskFailure(`Source ${copy.src} not found`);
  if (source.fact.kind === 'directory') return copyRemoteTree(copy, source, world, ctx);
  const mode = copy.mode === 'preserve' ? source.fact.mode : copy.mode;
  const payload = payloadOf(source, path, copy, world, ctx);
  return planSingle({ ...copy, mode, payload, src: path, onHost: true, name: basename(path) }, world, ctx);
}

/** Short text is read and written like any other; all else is copied on the host. */
function payloadOf(source: Located, path: string, copy: RemoteCopy, world: WorldView, ctx: ModuleContext): Payload {
  const held = content(world, source.path, {});
  if (held.sha256 === undefined) throw new TaskFailure(`${copy.src} is not a regular file`);
  const at = destination(world, hostPath(world, ctx, copy.dest), { name: basename(source.path), follow: copy.follow });
  const same = at.fact.exists && at.fact.kind === 'file' && content(world, at.path, {}).sha256 === held.sha256;
  const text = same ? undefined : content(world, source.path, { text: true }).text;
  return text === undefined
    ? hostPayload(source.path, held.sha256, (source.fact as PresentFile).size, (algorithm) => {
        const answer = world.read('digest', digestKey(path, algorithm).id);
        return answer.state === 'known' ? ((answer.value as { hex?: string }).hex ?? null) : new Unknown(whyOf(answer));
      })
    : textPayload(text);
}

function whyOf(answer: Answer): string {
  return answer.state === 'unknown' ? answer.why : 'the file may be read';
}
