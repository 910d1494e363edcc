import { quote, quoteAll } from '../../core/quote.ts';
import type { ArchiveEntry } from './archive/entry.ts';
import { chmodText } from './attributes.ts';
import type { UnarchiveParams } from './unarchive-params.ts';

/** Shell text (it calls the library of the question) that unpacks `src` into `dest` and gives everything in it (`paths`, when known) the wanted attributes. */
export function extractScript(
  given: UnarchiveParams,
  src: string,
  dest: string,
  paths?: readonly ArchiveEntry[],
): string {
  return [
    `if [ "$(head -c 2 ${quote(src)})" = PK ]; then ${unzipText(given, src, dest)} || exit 1`,
    `else ${tarText(given, src, dest)} || exit 1; fi`,
    ...attributeText(given, src, dest, paths),
    '',
  ].join('\n');
}

/** Shell text that removes the archive when the step ends, however it does. */
export function removal(src: string): string {
  return `trap ${quote(`rm -f ${quote(src)}`)} EXIT\ntrap 'exit 143' HUP INT TERM\n`;
}

/** The words that Ansible's result has for kinds of archives. */
export function handlerName(src: string, kind: 'tar' | 'zip' | undefined): string {
  if (kind === 'zip' || /\.(zip|jar|war)$/i.test(src)) return 'ZipArchive';
  if (/\.(tar\.)?xz$|\.txz$/i.test(src)) return 'TarXzArchive';
  if (/\.zst$|\.tzst$/i.test(src)) return 'TarZstdArchive';
  if (/\.bz2$|\.tbz2?$/i.test(src)) return 'TarBzipArchive';
  return /\.(gz|tgz)$/i.test(src) ? 'TgzArchive' : 'TarArchive';
}

function tarText(given: UnarchiveParams, src: string, dest: string): string {
  const options = [
    ...(given.keep_newer ? ['--keep-newer-files'] : []),
    ...given.extra_opts,
    ...given.exclude.map((pattern) => `--exclude=${pattern}`),
  ];
  return `tar -x $(kf_packed ${quote(src)}) -f ${quote(src)} -C ${quote(dest)} ${quoteAll([...options, ...given.include])}`.trimEnd();
}

/** `-o`: overwrite; `-u`: only what is missing or older. unzip ends with 1 for warnings. */
function unzipText(given: UnarchiveParams, src: string, dest: string): string {
  const exclude = given.exclude.length ? ` -x ${quoteAll(given.exclude)}` : '';
  const names = given.include.length ? ` ${quoteAll(given.include)}` : '';
  const options = quoteAll([given.keep_newer ? '-uo' : '-o', '-q', ...given.extra_opts]);
  return `unzip -tqq ${quote(src)} >/dev/null </dev/null && { unzip ${options} ${quote(src)}${names} -d ${quote(dest)}${exclude} </dev/null || [ $? = 1 ]; }`;
}

function attributeText(given: UnarchiveParams, src: string, dest: string, paths?: readonly ArchiveEntry[]): string[] {
  const commands = [
    ...(given.owner === undefined ? [] : [`chown -h ${quote(given.owner)}`]),
    ...(given.group === undefined ? [] : [`chgrp -h ${quote(given.group)}`]),
  ];
  const mode = given.mode === undefined ? [] : [modeText(given.mode)];
  if (commands.length + mode.length === 0) return [];
  const all = paths?.map(({ path }) => path || '.');
  const solid = paths?.filter(({ kind }) => kind !== 'link').map(({ path }) => path || '.');
  const lines = [
    ...commands.map((command) => `${namesText(given, src, all)} | tr '\\n' '\\0' | xargs -0 ${command} -- || exit 1`),
    ...mode.map(
      (command) =>
        `${solidText(namesText(given, src, solid), solid !== undefined)} | tr '\\n' '\\0' | xargs -0 ${command} -- || exit 1`,
    ),
  ];
  return [`cd ${quote(dest)} || exit 1`, ...lines];
}

function namesText(given: UnarchiveParams, src: string, paths: readonly string[] | undefined): string {
  if (paths) return `printf '%s\\n' ${quoteAll(paths)}`;
  const options = quoteAll([
    ...given.extra_opts,
    ...given.exclude.map((pattern) => `--exclude=${pattern}`),
    ...given.include,
  ]);
  return `if [ "$(head -c 2 ${quote(src)})" = PK ]; then kf_zip_list ${quote(src)}; else tar -t $(kf_packed ${quote(src)}) -f ${quote(src)} ${options}; fi`;
}

/** chmod would follow a link. */
function solidText(names: string, areSolid: boolean): string {
  return areSolid ? names : `{ ${names}; } | while IFS= read -r n; do [ -L "$n" ] || printf '%s\\n' "$n"; done`;
}

function modeText(mode: number | string): string {
  if (typeof mode === 'string' && !/^[0-7]+$/.test(mode)) return `chmod ${quote(mode)}`;
  const bits = typeof mode === 'number' ? mode : Number.parseInt(mode, 8);
  return chmodText(bits);
}
