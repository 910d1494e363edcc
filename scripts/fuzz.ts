/**
 * The long form of the fuzz suite: new inputs each time, and two minutes for each reader. What fails is kept in
 * test/fuzz/corpus, and so is tried from then on. KPUSH_SEED, KPUSH_CASES and KPUSH_SECONDS choose others.
 */
import { spawnSync } from 'node:child_process';

const fresh = { KPUSH_SEED: String(Date.now() % 1_000_000), KPUSH_CASES: '1000000', KPUSH_SECONDS: '120' };
const env = { ...fresh, KPUSH_KEEP: '1', ...process.env };
console.log(`KPUSH_SEED=${env.KPUSH_SEED} KPUSH_CASES=${env.KPUSH_CASES} KPUSH_SECONDS=${env.KPUSH_SECONDS}`);
const args = ['--import', 'tsx', 'test/run.ts', '--suite', 'fuzz', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
process.exit(status ?? 1);
