import { basename } from 'node:path';
import { cli } from './cli.ts';
import type { Io } from './io.ts';
import { failWhenStuck } from './stuck.ts';

const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  loadRun: async () => (await import('../kpush.ts')).run,
};
const entry = basename(process.argv[1] ?? '') === 'kpush-playbook' ? 'kpush-playbook' : 'kpush';
failWhenStuck(process, (text) => process.stderr.write(text));
void cli(process.argv.slice(2), io, entry).then((code) => process.exit(code));
