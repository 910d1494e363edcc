import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as assert from 'uvu/assert';

/**
 * Compares with the kept text in test/unit/report/golden. KPUSH_GOLDEN=write makes the files anew: look at each
 * before committing it. A file that is not there fails the test.
 */
export function golden(name: string, actual: string) {
  const file = `test/unit/report/golden/${name}`;
  if (process.env.KPUSH_GOLDEN === 'write') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
  }
  assert.ok(existsSync(file), `${file} is missing`);
  assert.fixture(actual, readFileSync(file, 'utf8'));
}
