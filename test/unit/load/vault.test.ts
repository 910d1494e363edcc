import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { Unsafe } from '../../../src/jinja/values.ts';
import { Vault } from '../../../src/load/vault.ts';
import { parseVaultId } from '../../../src/load/vault-secrets.ts';
import { suite } from '../../support/harness.ts';
import { caught } from './support/caught.ts';
import { memorySources } from './support/memory-files.ts';

const test = suite('load/vault');
const origin = { file: 'v.yml', line: 1, column: 1 };

// Written by ansible-vault of ansible-core 2.14 with the password `hunter2`: a value, and a file with the id `prod`.
const read = (name: string) => readFileSync(new URL(`./vault/${name}`, import.meta.url), 'utf8');
const [value, file] = [read('value.yml'), read('file.yml')];
const text = value.replace(/^x: !vault \|\n/, '').replace(/^ +/gm, '');

test('opens a value', () => {
  const vault = new Vault([{ password: 'wrong' }, { password: 'hunter2' }]);
  assert.is(vault.decrypt(text, origin).toString(), 'top secret ünï');
  assert.equal([...vault.revealed], ['top secret ünï']);
});
test('opens !vault values and vault files of YAML', () => {
  const sources = memorySources(
    { 'a.yml': value, 'b.yml': file },
    { vault: new Vault([{ id: 'prod', password: 'hunter2' }]) },
  );
  assert.equal(sources.yaml('/t/a.yml').entries?.get('x')?.node.value, new Unsafe('top secret ünï'));
  assert.is(sources.yaml('/t/b.yml').entries?.get('b')?.node.value, '{{ a }}');
});
test('without a password a value waits until it is used, a file does not', () => {
  const sources = memorySources({ 'a.yml': value, 'b.yml': file });
  assert.match(sources.yaml('/t/a.yml').entries?.get('x')?.node.fault?.message ?? '', /no password is given/);
  assert.match(caught(() => sources.yaml('/t/b.yml')).message, /encrypted with ansible-vault and no password is given/);
});

const refused: [string, string, string][] = [
  [
    'a wrong password',
    text.replace('1.1;AES256', '1.2;AES256;dev'),
    "no given password opens this vault text (vault id 'dev')",
  ],
  [
    'a changed byte',
    text.replace(/(\w)\n$/, (_all, last) => `${last === '0' ? '1' : '0'}\n`),
    'the vault text is damaged or cut off',
  ],
  ['a cut', text.slice(0, text.length / 2), 'the vault text is damaged or cut off'],
  ['an unknown cipher', text.replace('AES256', 'ROT13'), 'the vault cipher ROT13 is not known'],
  ['an unknown format', text.replace('1.1', '9.9'), 'the vault format 9.9 is not known'],
  ['no header', 'hello\n', 'the vault header is not readable'],
  ['no body', '$ANSIBLE_VAULT;1.1;AES256\n', 'the vault text is damaged or cut off'],
];
for (const [name, bad, message] of refused)
  test(`refuses ${name}, leaking nothing`, () => {
    const error = caught(() => new Vault([{ password: 'swordfish' }]).decrypt(bad, origin));
    assert.ok(error.message.startsWith(message) || error.message.startsWith('no given password'), error.message);
    assert.not.match(JSON.stringify([error.message, error.facts]), /swordfish|secret/);
  });

test('reads vault ids', () => {
  assert.equal(parseVaultId('prod@/f'), { id: 'prod', file: '/f' });
  assert.equal(parseVaultId('/f'), { file: '/f' });
  assert.equal(parseVaultId('dev@prompt'), { id: 'dev' });
  assert.equal(parseVaultId('@prompt'), {});
});
test.run();
