import { Dice } from '../../support/dice.ts';

/** A made-up OpenSSH client configuration, and who is asked for. */
export interface Sample {
  /** By name below ~/.ssh; `config` is where ssh begins. */
  files: Record<string, string>;
  host: string;
  user?: string;
  port?: number;
}

/** The same samples for the same seed. */
export function samples(count: number, seed: number): Sample[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, () => sample(dice));
}

const hosts = ['web1', 'Web2', 'db.example.org', '10.0.0.5', 'bastion', 'xn--k'];

function sample(dice: Dice): Sample {
  const files: Record<string, string> = {};
  for (const name of ['conf.d/10-a.conf', 'conf.d/20-b.conf', 'extra', '.hidden']) files[name] = body(dice, false);
  files.config = body(dice, true);
  return {
    files,
    host: dice.of(hosts),
    ...(dice.chance(4) ? { user: dice.of(['deploy', 'Ann']) } : {}),
    ...(dice.chance(5) ? { port: 2000 + dice.below(9) } : {}),
  };
}

function body(dice: Dice, isMain: boolean): string {
  const lines: string[] = [];
  for (let i = 3 + dice.below(isMain ? 16 : 5); i > 0; i--) {
    if (dice.chance(4)) lines.push(dice.chance(2) ? hostLine(dice) : matchLine(dice));
    else if (isMain && dice.chance(9)) lines.push(`Include ${dice.of(includes)}`);
    else if (dice.chance(90)) lines.push(dice.of(mistakes));
    else lines.push(settingLine(dice));
    if (dice.chance(8)) lines.push(dice.of(['', '# note', '   # User nobody', '\t']));
  }
  return `${lines.join('\n')}\n`;
}

const includes = [
  'conf.d/*',
  'conf.d/*.conf extra',
  'extra',
  '~/.ssh/extra',
  'missing',
  '*',
  'conf.d/[!1]*',
  'conf.d/?0-a.conf',
];

const patterns = ['*', 'web?', 'web1', '!web1', 'Web*', '*.example.org', '10.0.*', 'bastion', '!*.org', 'w*1 db*'];

function hostLine(dice: Dice): string {
  const words = Array.from({ length: 1 + dice.below(3) }, () => dice.of(patterns));
  return `${dice.of(['Host', 'host', 'HOST'])}${dice.of([' ', ' = ', '\t'])}${words.join(' ')}`;
}

const criteria = [
  'host web*',
  'host *.example.org,10.*',
  '!host web1',
  'originalhost WEB2',
  'originalhost=web1,bastion',
  'user root',
  'user deploy,root',
  '!user root',
  'localuser root',
  'localuser nobody',
  'host "web1,!db*"',
  'final',
  'host real.*',
];

function matchLine(dice: Dice): string {
  if (dice.chance(6)) return dice.of(['Match all', 'Match !all', 'match all # everything', 'Match final all']);
  return `Match ${Array.from({ length: 1 + dice.below(2) }, () => dice.of(criteria)).join(' ')}`;
}

const settings: Readonly<Record<string, readonly string[]>> = {
  HostName: ['%h.internal', '192.0.2.7', 'REAL.example.net', 'real.%h', '::1', '"db"'],
  User: ['deploy', 'bob', '"bob b"', 'root', "o\\'neil"],
  Port: ['22', '2222', '"2200"', '65535'],
  IdentityFile: ['~/.ssh/id_a', '~/.ssh/%r@%h', '"/keys/with blank"', 'none', '/k/a\\ b', '~/.ssh/id_a # key'],
  IdentitiesOnly: ['yes', 'no', 'TRUE', 'False'],
  IdentityAgent: ['none', 'SSH_AUTH_SOCK', '~/agent-%h', '/x/${AGENT_DIR}/s', '/run/%u/%p'],
  CertificateFile: ['~/.ssh/a-cert.pub', '/c/%h.pub', '"a b"'],
  ProxyJump: ['none', 'bastion', 'ann@bastion:2200', 'a,b:23,c@[::1]:24', 'ssh://u@jump:2022', 'jump # last'],
  ProxyCommand: ['none', 'nc %h %p', 'ssh -W "[%h]:%p" bastion', 'exec nc -x proxy %h %p # no comment'],
  UserKnownHostsFile: [
    '~/kh',
    '/dev/null',
    '~/kh-%h ~/kh-%n',
    'none',
    '"~/a b" ${AGENT_DIR}/kh',
    '%d/kh.%p.%r.%k',
    '~/%C',
  ],
  GlobalKnownHostsFile: ['/etc/kh', '/etc/kh1 /etc/kh2', '/dev/null'],
  StrictHostKeyChecking: ['yes', 'no', 'ask', 'accept-new', 'off', 'Yes', 'false'],
  HashKnownHosts: ['yes', 'no'],
  HostKeyAlias: ['alias', 'Alias-2', '"al ias"'],
  ConnectTimeout: ['5', '1m30s', '2h', 'none', '0', '1H'],
  ConnectionAttempts: ['1', '3'],
  ServerAliveInterval: ['0', '15', '1m', 'none'],
  ServerAliveCountMax: ['0', '5'],
  AddressFamily: ['any', 'inet', 'inet6', 'INET'],
  BindAddress: ['127.0.0.1', '::1'],
  Ciphers: ['aes256-ctr', '+aes128-cbc', '-aes*', '^aes256-gcm@openssh.com', 'aes128-ctr,aes192-ctr', '-chacha*,*gcm*'],
  MACs: ['hmac-sha2-256', '-*sha1*,umac*', '+hmac-md5', '^hmac-sha2-512-etm@openssh.com', '+hmac-sha2-256'],
  KexAlgorithms: ['curve25519-sha256', '-diffie*', '+diffie-hellman-group1-sha1', '^ecdh-sha2-nistp521', '-sntrup*'],
  HostKeyAlgorithms: [
    'ssh-ed25519',
    '+ssh-rsa',
    '-*cert*',
    '^rsa-sha2-512',
    'ssh-dss,ssh-ed25519-cert-v01@openssh.com',
  ],
  ForwardAgent: ['yes'],
  ControlPath: ['~/.ssh/%C'],
  SendEnv: ['LANG LC_*'],
  LocalForward: ['8080 localhost:80'],
  IgnoreUnknown: ['UseKeychain,Foo*'],
};

function settingLine(dice: Dice): string {
  const name = dice.of(Object.keys(settings));
  const value = dice.of(settings[name] ?? []);
  const written = dice.of([name, name, name.toLowerCase(), name.toUpperCase(), `"${name}"`]);
  const between = dice.of(written.startsWith('"') ? [' ', '\t'] : [' ', ' ', '=', ' = ', '\t']);
  return `${dice.of(['', '  ', '\t'])}${written}${between}${value}${dice.of(['', '', '  '])}`;
}

/** Each is refused, in force or not. */
const mistakes = [
  'Port 0',
  'Port 70000',
  'Port x',
  'User a b',
  'User',
  'User "a',
  'Hostnam x',
  'UseKeychain yes',
  'StrictHostKeyChecking maybe',
  'IdentitiesOnly 1',
  'ConnectTimeout soon',
  'ServerAliveCountMax -1',
  'Ciphers aes*',
  'MACs +nope',
  'KexAlgorithms a,,b',
  'ProxyJump a:0',
  'ProxyJump a,',
  'ProxyJump u@',
  'Match',
  'Match host',
  'Match weekday monday',
  'Match all user x',
  'UserKnownHostsFile a none',
  'AddressFamily inet4',
  'HashKnownHosts',
  'Host ""',
  'Include ""',
  'HostName %x',
  'UserKnownHostsFile %y',
  '= x',
  'ConnectionAttempts 0',
  '"Port" = 22',
];
