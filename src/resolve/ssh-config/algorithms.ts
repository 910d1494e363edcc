import { matchesList } from './patterns.ts';

/** What OpenSSH 9.2 offers by itself, in its order, and what it can be told to use. */
interface Offer {
  defaults: readonly string[];
  more: readonly string[];
}

const etm = (names: readonly string[]) => names.map((name) => name.replace(/(@openssh\.com)?$/, '-etm@openssh.com'));

const hostKeys = [
  ...['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
  ...['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com', 'rsa-sha2-512', 'rsa-sha2-256'],
];
const certified = (names: readonly string[]) =>
  names.map((name) => name.replace(/(@openssh\.com)?$/, '-cert-v01@openssh.com'));

const offers: Readonly<Record<'ciphers' | 'macs' | 'kexalgorithms' | 'hostkeyalgorithms', Offer>> = {
  ciphers: {
    defaults: [
      'chacha20-poly1305@openssh.com',
      ...['aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
      ...['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com'],
    ],
    more: ['3des-cbc', 'aes128-cbc', 'aes192-cbc', 'aes256-cbc'],
  },
  macs: {
    defaults: [
      ...etm(['umac-64@openssh.com', 'umac-128@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512', 'hmac-sha1']),
      ...['umac-64@openssh.com', 'umac-128@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512', 'hmac-sha1'],
    ],
    more: [...['hmac-sha1-96', 'hmac-md5', 'hmac-md5-96'], ...etm(['hmac-sha1-96', 'hmac-md5', 'hmac-md5-96'])],
  },
  kexalgorithms: {
    defaults: [
      ...['sntrup761x25519-sha512', 'sntrup761x25519-sha512@openssh.com'],
      ...['curve25519-sha256', 'curve25519-sha256@libssh.org'],
      ...['ecdh-sha2-nistp256', 'ecdh-sha2-nistp384', 'ecdh-sha2-nistp521'],
      'diffie-hellman-group-exchange-sha256',
      ...['diffie-hellman-group16-sha512', 'diffie-hellman-group18-sha512', 'diffie-hellman-group14-sha256'],
    ],
    more: [
      ...['diffie-hellman-group1-sha1', 'diffie-hellman-group14-sha1', 'diffie-hellman-group-exchange-sha1'],
      'mlkem768x25519-sha256', // OpenSSH 9.9
    ],
  },
  hostkeyalgorithms: {
    defaults: [...certified(hostKeys), ...hostKeys],
    more: ['ssh-rsa', 'ssh-dss', ...certified(['ssh-rsa', 'ssh-dss']), 'webauthn-sk-ecdsa-sha2-nistp256@openssh.com'],
  },
};

export type AlgorithmKind = keyof typeof offers;

/**
 * The list that a value stands for: itself, or the defaults with `+` more at the end, `^` first, or `-` less (patterns).
 * undefined: it names an algorithm that OpenSSH does not have.
 */
export function algorithmList(kind: AlgorithmKind, value: string): string[] | undefined {
  const { defaults, more } = offers[kind];
  const sign = value[0];
  if (sign === '-') {
    const left = defaults.filter((name) => !matchesList(name, value.slice(1)));
    return left.length > 0 ? left : undefined;
  }
  const names = (sign === '+' || sign === '^' ? value.slice(1) : value).split(',');
  if (!names.every((name) => defaults.includes(name) || more.includes(name))) return undefined;
  if (sign === '+') return distinct([...defaults, ...names]);
  return distinct(sign === '^' ? [...names, ...defaults] : names);
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
