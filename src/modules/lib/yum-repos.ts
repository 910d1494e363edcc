/** A section of a .repo file. Values of several lines have line breaks in them. */
export interface Repo {
  id: string;
  options: ReadonlyMap<string, string>;
}

/** The sections of a file as Python's ConfigParser reads them: indented lines go on with the value before. */
export function readRepos(text: string): Repo[] {
  const repos: { id: string; options: Map<string, string> }[] = [];
  let last: string | undefined;
  for (const line of text.split('\n')) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const options = repos.at(-1)?.options;
    const section = /^\[(.+)\]\s*$/.exec(line);
    const entry = /^([^\s=:][^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(line);
    if (section) repos.push({ id: section[1]!, options: new Map() });
    else if (/^\s/.test(line) && options && last !== undefined)
      options.set(last, [options.get(last), line.trim()].join('\n'));
    else if (entry) options?.set(entry[1]!.toLowerCase(), entry[2]!);
    last = section ? undefined : /^\s/.test(line) ? last : entry?.[1]?.toLowerCase();
  }
  return repos;
}

export function writeRepos(repos: readonly Repo[]): string {
  const line = ([name, value]: [string, string]) => `${name} = ${value.replaceAll('\n', '\n\t')}\n`;
  return repos.map(({ id, options }) => `[${id}]\n${[...options].map(line).join('')}\n`).join('');
}
