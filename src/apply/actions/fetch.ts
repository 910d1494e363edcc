import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import type { ActionCall } from '../../core/needs.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { FileFact } from '../../world/file.ts';
import { fileKey } from '../../world/file.ts';
import type { ActionRun, ActionTools } from '../actions.ts';

const limit = 512 * 1024 * 1024;

export const fetchFile: ActionRun = async (call, tools) => {
  const src = String(call.params.src);
  const fact = await lookedAt(call, src, tools);
  if (!fact.exists || fact.kind === 'directory') return missing(call, src, fact);
  const bytes = await tools.sessionOf(call.on).fetch(call.identity, src, limit, tools.signal);
  const dest = destination(call, src);
  const same = existsSync(dest) && readFileSync(dest).equals(bytes);
  if (!same) write(dest, bytes);
  return { result: result(!same, { dest, checksum: createHash('sha1').update(bytes).digest('hex'), file: src }) };
};

async function lookedAt({ on, identity }: ActionCall, src: string, { asker }: ActionTools): Promise<FileFact> {
  const [answer] = await asker.ask(on, [{ identity, keys: [fileKey(src)] }]);
  if (answer?.answer.state !== 'known') throw new TaskFailure(`cannot look at ${src}: permission denied`);
  return answer.answer.value as FileFact;
}

function missing({ params }: ActionCall, src: string, fact: FileFact) {
  const msg = fact.exists
    ? `remote file is a directory, fetch cannot work on directories: ${src}`
    : `file not found: ${src}`;
  if (params.fail_on_missing) throw new TaskFailure(msg, { file: src });
  return { result: result(false, { msg, file: src }) };
}

/** Below the host's own folder, so that no host can write over another's or out of `dest`. */
function destination({ params, host }: ActionCall, src: string): string {
  const dest = String(params.dest);
  if (params.flat) return dest.endsWith('/') ? join(dest, basename(src)) : dest;
  return join(dest, host.replaceAll('/', '_'), normalize(`/${src}`));
}

function write(dest: string, bytes: Buffer) {
  mkdirSync(dirname(dest), { recursive: true });
  const temp = `${dest}.kpush-${process.pid}`;
  writeFileSync(temp, bytes, { mode: 0o600 });
  renameSync(temp, dest);
}
