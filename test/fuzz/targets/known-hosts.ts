import { blobType, knownHostsLine, matchesHost, parseKnownHosts } from '../../../src/transports/ssh/known-hosts.ts';
import type { Target } from '../support/target.ts';

/** A known_hosts file; its first line is the name that is looked for. */
export const target: Target = {
  words: [
    ...['@revoked ', '@cert-authority ', '@', '|1|', '|', ',', '!', '*', '?', '[', ']:2222', ' ', '\t', '#', '\n', '='],
    ...[
      'ssh-ed25519',
      'AAAAC3NzaC1lZDI1NTE5AAAAI',
      'AAAAB3NzaC1yc2EAAAADAQABAAAB',
      '*a*a*a*a*a*a*a*a*b',
      '10.0.*',
      'h?',
    ],
  ],
  run(input) {
    const [name = '', ...rest] = input.toString('utf8').split('\n');
    const text = rest.join('\n');
    const lines = parseKnownHosts(text, 'known_hosts');
    const matching = lines.filter(({ hosts }) => matchesHost(hosts, name.toLowerCase()));
    for (const { line, key, type, hosts } of lines) {
      if (!text.split('\n')[line - 1]?.includes(key)) throw new Error(`line ${line} does not hold its key`);
      again(key, name);
      if (/\s/.test(hosts + type)) throw new Error('a word with a blank in it');
    }
    return `${Math.min(9, lines.length)} lines ${Math.min(9, matching.length)} match ${lines.map((one) => one.marker).slice(0, 4)}`;
  },
};

/** What is written for a key is read as that key, for that name, hashed or not. */
function again(key: string, name: string): void {
  if (!/^[a-z0-9.:-]+$/.test(name)) return;
  const blob = Buffer.from(key, 'base64');
  for (const hashed of [true, false]) {
    const [read] = parseKnownHosts(knownHostsLine(name, blob, hashed), 'new');
    if (!read || read.type !== blobType(blob) || !matchesHost(read.hosts, name))
      throw new Error(`what is written is not read back: ${JSON.stringify(name)}`);
  }
}
