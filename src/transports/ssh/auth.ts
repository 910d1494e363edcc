import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import ssh2, { type AnyAuthMethod, type ParsedKey } from 'ssh2';
import type { Target } from '../../core/session.ts';
import { FilteredAgent } from './agent.ts';
import { readOnce } from './read-once.ts';

/** Ways to log in, in the order they are tried, and what to tell when none worked. */
export interface AuthPlan {
  methods: AnyAuthMethod[];
  /** What was left out and why: an encrypted key, an unreadable file. */
  notes: string[];
  /** Whether a key file's key was offered by the agent already: each offer counts against MaxAuthTries. */
  isRepeated(method: AnyAuthMethod): boolean;
}

/** Servers end a connection after MaxAuthTries, 6 by default, and each key offered counts. */
const maxKeys = 5;

/**
 * none → agent → key files → password → keyboard-interactive; nothing secret goes out before keys were tried. A key that
 * goes ahead comes first and `none` last, for a server that lets in whom its network vouches for: sent with the key, one
 * that is taken would make the key an error there (ssh2's own server ends the connection).
 */
export async function planAuth(target: Target, withPassword = true): Promise<AuthPlan> {
  const username = target.user;
  const { keys, notes } = readKeys(target);
  const none: AnyAuthMethod = { type: 'none', username };
  // An RSA key waits for the server's list of signature algorithms.
  const isKeyFirst = !target.agent && keys[0] !== undefined && keys[0].type !== 'ssh-rsa';
  const methods: AnyAuthMethod[] = isKeyFirst ? [] : [none];
  let offered: ReadonlySet<string> = new Set();
  if (target.agent) {
    const agent = new FilteredAgent(
      target.agent,
      await publicBlobs(target, keys),
      target.identitiesOnly,
      maxKeys,
      notes,
    );
    offered = agent.offered;
    methods.push({ type: 'agent', username, agent } as AnyAuthMethod);
  }
  methods.push(...keys.map((key): AnyAuthMethod => ({ type: 'publickey', username, key: key as never })));
  const { password } = target;
  if (password !== undefined && withPassword)
    methods.push(
      { type: 'password', username, password },
      {
        type: 'keyboard-interactive',
        username,
        prompt: (_n, _i, _l, prompts, finish) => finish(prompts.map(() => password)),
      },
    );
  if (isKeyFirst) methods.push(none);
  notes.push(...certificateNotes(target));
  const isRepeated = (method: AnyAuthMethod) =>
    method.type === 'publickey' && offered.has((method.key as unknown as ParsedKey).getPublicSSH().toString('base64'));
  return { methods, notes, isRepeated };
}

function readKeys(target: Target): { keys: ParsedKey[]; notes: string[] } {
  const notes: string[] = [];
  const keys: ParsedKey[] = [];
  for (const file of target.identityFiles) {
    const key = readKey(file, target.passphrases[file]);
    if (typeof key === 'string') notes.push(key);
    else if (key) keys.push(key);
  }
  return { keys, notes };
}

/** OpenSSH takes a certificate that lies beside its key without a word. */
function certificateNotes({ identityFiles, certificateFile }: Target): string[] {
  const beside = identityFiles.filter((file) => existsSync(`${file}-cert.pub`));
  const owners = [...(certificateFile === undefined ? [] : [certificateFile]), ...beside];
  return owners
    .slice(0, 1)
    .map(
      (file) => `${file} ${file === certificateFile ? 'is' : 'has'} a certificate, which needs the transport openssh`,
    );
}

/** Undefined: no such file, which is normal for default names. Text: why it cannot be used. */
function readKey(file: string, passphrase = ''): ParsedKey | string | undefined {
  const read = readers.get(passphrase) ?? readOnce((text, name) => parseKey(text, name, passphrase));
  readers.set(passphrase, read);
  try {
    return read(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : `${file}: ${message}`;
  }
}

/** One for each passphrase. */
const readers = new Map<string, (file: string) => ParsedKey | string>();

function parseKey(text: Buffer, file: string, passphrase: string): ParsedKey | string {
  const parsed = ssh2.utils.parseKey(text, passphrase || undefined);
  if (parsed instanceof Error)
    return `${file}: ${encrypted(text) && !passphrase ? 'needs a passphrase' : parsed.message}`;
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  return key?.isPrivateKey() ? key : `${file}: not a private key`;
}

/** PEM says so in a header, the OpenSSH format names its cipher at the start of the body. */
function encrypted(text: Buffer): boolean {
  const pem = text.toString('latin1');
  if (/ENCRYPTED/.test(pem)) return true;
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+?)-----END/.exec(pem)?.[1];
  return (
    body !== undefined && !Buffer.from(body, 'base64').toString('latin1').startsWith('openssh-key-v1\0\0\0\0\x04none')
  );
}

/** Whether a key file cannot be used with that passphrase, or with none. A file that is not there, or is no key, needs none. */
export async function needsPassphrase(file: string, passphrase?: string): Promise<boolean> {
  const text = await readFile(file).catch(() => undefined);
  if (!text || !encrypted(text)) return false;
  return ssh2.utils.parseKey(text, passphrase) instanceof Error;
}

/** Whether the agent holds the key of that file, as far as its public half lies beside it. */
export async function agentHolds(agent: string, file: string): Promise<boolean> {
  const blob = (await readFile(`${file}.pub`, 'utf8').catch(() => '')).split(/\s+/)[1];
  if (!blob) return false;
  return new Promise((resolve) => {
    ssh2.createAgent(agent).getIdentities((error, keys) => {
      const held = error ? [] : ((keys ?? []) as ParsedKey[]);
      resolve(held.some((key) => key.getPublicSSH().toString('base64') === blob));
    });
  });
}

/** Public halves of the identity files, by which an agent's keys are chosen. */
async function publicBlobs(target: Target, keys: ParsedKey[]): Promise<string[]> {
  const fromFiles = await Promise.all(
    target.identityFiles.map((file) => readFile(`${file}.pub`, 'utf8').catch(() => '')),
  );
  const blobs = fromFiles.map((line) => line.split(/\s+/)[1] ?? '').filter(Boolean);
  return [...new Set([...keys.map((key) => key.getPublicSSH().toString('base64')), ...blobs])];
}
