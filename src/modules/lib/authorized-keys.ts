import { TaskFailure } from '../../core/result.ts';

/** A line of an authorized_keys file; what is no key keeps its text. */
export interface KeyLine {
  /** The key in base64, or the whole line: two lines with the same one are the same key. */
  id: string;
  type?: string;
  options: ReadonlyMap<string, string | undefined>;
  comment: string;
}

const types =
  /^((sk-)?ecdsa-sha2-nistp\d+|(sk-)?ssh-(ed25519|dss|rsa|xmss)|rsa-sha2-(256|512)|webauthn-sk-ecdsa-sha2-nistp256)(-cert-v01)?(@openssh\.com)?$/;

/** Lines by key; of two with the same key the later counts, at the place of the first. */
export function readKeys(text: string): Map<string, KeyLine> {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return new Map(lines.map((line) => [keyOf(line)?.id ?? line, keyOf(line) ?? plain(line)]));
}

export function writeKeys(keys: Iterable<KeyLine>): string {
  return [...keys].map(lineText).join('');
}

/** The keys of a task's text, blank lines and comments aside. Throws TaskFailure for a line that is no key. */
export function wantedKeys(text: string): KeyLine[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const key = keyOf(line);
    if (!key?.type) throw new TaskFailure(`invalid key specified: ${line}`);
    return key;
  });
}

/** `a,b="c,d"`: commas in quotes part nothing. */
export function readOptions(text: string): Map<string, string | undefined> {
  const parts = text.match(/(?:[^,"']|"[^"]*"|'[^']*')+/g) ?? [];
  return new Map(
    parts.map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? [part, undefined] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

export function sameKey(a: KeyLine, b: KeyLine): boolean {
  const options = (key: KeyLine) => JSON.stringify([...key.options].map(([name, value]) => [name, value ?? null]));
  return a.type === b.type && a.comment === b.comment && options(a) === options(b);
}

function keyOf(line: string): KeyLine | undefined {
  const words = line.trim().split(/\s+/);
  const at = words[0] === '#' ? -1 : words.findIndex((word) => types.test(word));
  const [type, id, ...comment] = at < 0 ? [] : words.slice(at);
  if (type === undefined || id === undefined) return undefined;
  return { id, type, options: readOptions(words.slice(0, at).join(' ')), comment: comment.join(' ') };
}

function plain(line: string): KeyLine {
  return { id: line, options: new Map(), comment: '' };
}

/** As Ansible writes it: a blank before the comment, be there one or not. */
function lineText({ id, type, options, comment }: KeyLine): string {
  if (type === undefined) return id;
  const written = [...options].map(([name, value]) => (value === undefined ? name : `${name}=${value}`)).join(',');
  return `${written === '' ? '' : `${written} `}${type} ${id} ${comment}\n`;
}
