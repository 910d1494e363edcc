// `npm run check`: types, lint and format, unit and architecture tests; each line says what failed.
import { spawnSync } from 'node:child_process';

const steps = [
  ['types', 'node_modules/.bin/tsc', ['-p', '.']],
  ['lint and format', 'node_modules/.bin/biome', ['check', '--error-on-warnings', '.']],
  ['unit tests', process.execPath, ['--import', 'tsx', 'test/run.ts']],
];
let failed = 0;
for (const [name, command, args] of steps) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) failed++;
  console.log(`check: ${name} ${status === 0 ? 'ok' : 'FAILED'}`);
}
process.exit(failed ? 1 : 0);
