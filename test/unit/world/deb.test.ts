import * as assert from 'uvu/assert';
import { debFamily, debKey } from '../../../src/world/deb.ts';
import { suite } from '../../support/harness.ts';

const test = suite('world/deb');

const parsed = (record: string) => {
  const answer = debFamily.parse(record, debKey('/x.deb'));
  return answer.state === 'known' ? answer.value : answer;
};

test('fields in any order and case', () => {
  assert.equal(parsed('Version: 1:2.3-4~x\npackage: a-b\nArchitecture: all'), {
    state: 'package',
    name: 'a-b',
    version: '1:2.3-4~x',
    architecture: 'all',
  });
});

test('no file, no package, no sense', () => {
  assert.equal(parsed('m'), { state: 'missing' });
  assert.equal(parsed('b'), { state: 'broken' });
  assert.throws(() => parsed('Package: a\nVersion: 1'), /unreadable package file \/x.deb/);
});

test('asked without unpacking anything to /tmp', () => {
  assert.not.match(debFamily.library!(), /dpkg-deb -f|--field/);
});

test.run();
