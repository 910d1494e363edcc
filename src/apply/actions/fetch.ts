import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import type { FactKey } from '../../core/facts.ts';
import type { ActionCall } from '../../core/needs.ts';
import { result, TaskFailure } from '../../core/result.ts';
import { expandKey, expands } from '../../world/expand.ts';
import type { FileFact } from '../../world/file.ts';
import { fileKey } from '../../world/file.ts';
import type { ActionRun, ActionTools } from '../actions.ts';

const limit = 512 * 1024 * 1024;

export const fetchFile: ActionRun = async (call, tools) => {
  const written = String(call.params.src);
  const src = expands(written) ? await answerTo<string>(call, expandKey(written), tools) : written;
  const fact = await answerTo<FileFact>(call, fileKey(src), tools);
  if (!fact.exists || fact.kind === 'directory') return missing(call, src, fact);
  const bytes = await tools.sessionOf(call.on).fetch(call.identity, src, limit, tools.signal);
  const dest = destination(call, src);
  if (existsSync(dest) && readFileSync(dest).equals(bytes))
    return { result: result(false, { file: src, dest, ...sums(bytes) }) };
  write(dest, bytes);
  const { checksum } = sums(bytes);
  return { result: result(true, { dest, ...sums(bytes), remote_checksum: checksum, remote_md5sum: null }) };
};

async function answerTo<T>({ on, identity }: ActionCall, key: FactKey, { asker }: ActionTools): Promise<T> {
  const [answer] = await asker.ask(on, [{ identity, keys: [key] }]);
  if (answer?.answer.state !== 'known') throw new TaskFailure(`cannot look at ${key.id}: permission denied`);
  return answer.answer.value as T;
}

function missing({ params }: ActionCall, src: string, fact: FileFact) {
  const directory = 'remote file is a directory, fetch cannot work on directories';
  if (params.fail_on_missing)
    throw new TaskFailure(fact.exists ? directory : `the remote file does not exist, not transferring: ${src}`, {
      file: src,
    });
  if (fact.exists) return { result: result(false, { msg: `${directory}, not transferring, ignored` }) };
  return { result: result(false, { msg: 'the remote file does not exist, not transferring, ignored', file: src }) };
}

/** Below the host's own folder, so that no host can write over another's or out of `dest`. */
function destination({ params, host, folder = '' }: ActionCall, src: string): string {
  const given = String(params.dest);
  const dest = resolve(folder, given.replace(/^~(?=\/|$)/, homedir()));
  if (!params.flat) return join(dest, host.replaceAll('/', '_'), normalize(`/${src}`));
  if (given.endsWith('/')) return join(dest, basename(src));
  if (statSync(dest, { throwIfNoEntry: false })?.isDirectory())
    throw new TaskFailure(
      'dest is an existing directory, use a trailing slash if you want to fetch src into that directory',
    );
  return dest;
}

function sums(bytes: Buffer): { checksum: string; md5sum: string } {
  const hex = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  return { checksum: hex('sha1'), md5sum: hex('md5') };
}

function write(dest: string, bytes: Buffer) {
  mkdirSync(dirname(dest), { recursive: true });
  const temp = `${dest}.kpush-${process.pid}`;
  writeFileSync(temp, bytes, { mode: 0o600 });
  renameSync(temp, dest);
}
