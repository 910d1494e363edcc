import { sshConfig } from '../../../src/resolve/ssh-config/index.ts';
import { memorySources, splitFiles } from '../../unit/load/support/memory-files.ts';
import { outcome, type Target } from '../support/target.ts';

/** OpenSSH's client configuration: `=== config` and further files, asked for three names. */
export const target: Target = {
  words: [
    ...['Host ', 'Match ', 'Include ', 'HostName ', 'User ', 'Port ', 'ProxyJump ', 'ProxyCommand ', 'IdentityFile '],
    ...[
      'all',
      'final',
      'exec "',
      'originalhost ',
      '!web1',
      '*',
      '*a*a*a*a*a*b',
      '%h',
      '%%',
      '%',
      '~/',
      '${X}',
      '${',
      '"',
      "'",
    ],
    ...[
      '=',
      ' = ',
      '\\',
      '\n',
      '#',
      ',',
      '+aes',
      '-*',
      '^',
      'a,b:23,c@[::1]:24',
      'ssh://',
      '1h30m',
      '*.conf',
      '=== config\n',
    ],
  ],
  run(input) {
    const files = splitFiles(input.toString('utf8'));
    const sources = memorySources(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`.ssh/${name}`, text])),
    );
    const home = '/t';
    return outcome(
      () => {
        const ask = sshConfig({ home, localUser: 'ann', userFile: '/t/.ssh/config', sources, env: { X: 'x' } });
        const answers = ['web1', 'db.example.org', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'].map((host) =>
          ask({ host }),
        );
        return [...new Set(answers.flatMap(({ found }) => [...found.keys()]))].sort().slice(0, 3).join();
      },
      (name) => files[name.replace(/^.*\.ssh\//, '')],
    );
  },
};
