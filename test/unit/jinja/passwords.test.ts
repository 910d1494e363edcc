import * as assert from 'uvu/assert';
import { hashPassword, standardEnvironment } from '../../../src/jinja/index.ts';
import { suite } from '../../support/harness.ts';
import { errorOf, value } from './support/evaluate.ts';

const test = suite('jinja/passwords');
const random = (count: number) => new Uint8Array(count).fill(1);

// Password, type, salt, rounds, ident, and what crypt(3) of Debian makes of it.
const hashes: [string, string, string, number, string | undefined, string][] = [
  [
    'secret',
    'bcrypt',
    'abcdefghijklmnopqrstuu',
    5,
    undefined,
    '$2b$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a',
  ],
  ['', 'blowfish', 'N9qo8uLOickgx2ZMRZoMye', 4, '2a', '$2a$04$N9qo8uLOickgx2ZMRZoMyexhJu7XyhFyrko6QMKtD6uvGcfCxpYoK'],
  [
    'ü'.repeat(50),
    'bcrypt',
    'N9qo8uLOickgx2ZMRZoMye',
    6,
    '2y',
    '$2y$06$N9qo8uLOickgx2ZMRZoMyewNKClDrmgGjEXS80ENEFYHwxs.uYpGa',
  ],
];
for (const [password, type, salt, rounds, ident, expected] of hashes)
  test(`${type} ${salt} ${rounds}`, () =>
    assert.is(hashPassword(password, type, { salt, rounds, ident, random }), expected));

test('the default is sha512 with the rounds of passlib', () => {
  const hash =
    '$6$rounds=656000$abc$CVbIV7JoPrEMaMEOEten3n0F/g6NuuF9yHgKxIl30apgwuoXRWkvGFhpTDMnfL575e2h0ToFz7/g8X45eiKH11';
  assert.is(value("'x' | password_hash('sha512', 'abc')"), hash);
});

test('a salt comes from the environment when none is given', () => {
  const env = standardEnvironment({ randomBytes: random });
  assert.match(String(value("'x' | password_hash('md5')", {}, env)), /^\$1\$\/{8}\$/);
});

test('what crypt(3) would not take is refused', () => {
  const wrong = [
    "'bcrypt', 'short'",
    "'sha512', 'a b'",
    "'sha512', 'abc', rounds=10",
    "'bcrypt', rounds=40",
    "'bcrypt', ident='3x'",
    "'rot13'",
  ];
  for (const args of wrong) assert.is(errorOf(() => value(`'x' | password_hash(${args})`)).kind, 'type', args);
});
test.run();
