/**
 * The long form of the property suite: new cases each time, and many. `npm run property -- --record` keeps the outcome;
 * KPUSH_SEED and KPUSH_CASES choose others.
 */
import { spawnSync } from 'node:child_process';

const env = { KPUSH_SEED: String(Date.now() % 1_000_000), KPUSH_CASES: '300', ...process.env };
console.log(`KPUSH_SEED=${env.KPUSH_SEED} KPUSH_CASES=${env.KPUSH_CASES}`);
const args = ['--import', 'tsx', 'test/run.ts', '--suite', 'property', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
process.exit(status ?? 1);
