import type { FilePut } from '../../core/effects.ts';
import { modeText } from '../../core/mode.ts';
import { quote } from '../../core/quote.ts';
import type { Diff, StepOutcome } from '../../core/steps.ts';
import type { Value } from '../../jinja/values.ts';
import type { Checksum } from './checksum.ts';
import type { HostFile } from './host-file.ts';
import type { Located } from './links.ts';

/**
 * Downloads beside the target, judges the checksum, and takes the target's place only when it differs. It tells on
 * stdout, in one line behind `kpush:`, whether it did, the size, and the hashes of what came and of what was there.
 */
export function getUrlScript(made: HostFile, fetch: string, path: string, sum: Checksum | undefined): string {
  const target = quote(path);
  const judge = sum
    ? `h=$(${sum.algorithm}sum <"$t") || exit 1; h=\${h%% *}
[ "$h" = ${sum.hex} ] || { printf '%s\\n' ${quote(`The checksum for ${path} did not match ${sum.hex}; it was `)}"$h." >&2; exit 1; }
`
    : '';
  return `${made.begin}${fetch}${judge}s=$(sha1sum <"$t") m=$(md5sum <"$t") n=$(wc -c <"$t") o=
[ ! -f ${target} ] || o=$(sha1sum <${target})
if [ "$s" = "$o" ]; then c=same f=${target}
${made.own}else c=changed
${made.place}fi
printf 'kpush: %s %s %s %s %s\\n' $c $n "\${s%% *}" "\${m%% *}" "\${o%% *}"
`;
}

/** Result fields from what the step said. */
export function parseOutput(outcome: StepOutcome): Record<string, Value> & { changed: boolean } {
  const [verdict, size, sha1, md5, old] = /kpush: (.*)/.exec(outcome.stdout)![1]!.split(' ');
  return {
    changed: verdict === 'changed',
    size: Number(size),
    checksum_src: sha1!,
    md5sum: md5!,
    checksum_dest: old || null,
    msg: `OK (${size} bytes)`,
    elapsed: Math.round((outcome.end - outcome.start) / 1000),
  };
}

export function getUrlDiff({ path, fact }: Located, put: FilePut, sum: Checksum | undefined, url: string): Diff[] {
  const source = {
    name: 'content',
    before: fact.exists ? 'present' : 'absent',
    after: sum ? `${sum.algorithm} ${sum.hex.slice(0, 16)}…` : `of ${shownUrl(url)}`,
  };
  const before = fact.exists && fact.mode !== undefined ? modeText(fact.mode) : null;
  const after = modeText(put.mode!);
  const mode = before === after ? [] : [{ name: 'mode', before, after }];
  return [{ kind: 'fields', subject: path, fields: [source, ...mode] }];
}

/** A URL without the password in it. */
export function shownUrl(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, '$1');
}
