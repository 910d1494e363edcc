import * as assert from 'uvu/assert';
import { RecordingView } from '../../../src/plan/view.ts';
import { World } from '../../../src/world/world.ts';
import { suite } from '../../support/harness.ts';

const test = suite('plan/view');

// family, id → whether a change that reads it rests on it.
const cases: [string, string, boolean][] = [
  ['file', '/etc/f', true],
  ['kube-node', '{}', true],
  ['unit', 'kubelet.service', false],
  ['file', '/run/systemd/units/invocation:kubelet.service', false],
];
for (const [family, id, guarded] of cases)
  test(`a change ${guarded ? 'rests' : 'does not rest'} on ${family} ${id}`, () => {
    const answer = { state: 'known', value: {}, raw: 'x' } as const;
    const view = new RecordingView(new World().withAnswers([{ identity: {}, key: { family, id }, answer }]), {});
    view.read(family, id);
    assert.is(view.rests.length, guarded ? 1 : 0);
    assert.is(view.readCount, 1);
  });

test('no change rests on what a step before it was to bring about', () => {
  const answer = {
    state: 'known',
    value: { exists: false, canonical: '/f', parent: 'directory', missing: 1 },
    raw: 'a1',
  } as const;
  const world = new World().withAnswers([{ identity: {}, key: { family: 'file', id: '/f' }, answer }]);
  const view = new RecordingView(world.after([{ type: 'file.put', path: '/f', kind: 'file', mode: 0o644 }]), {});
  assert.is(view.read('file', '/f').state, 'known');
  assert.equal(view.rests, []);
});

test.run();
