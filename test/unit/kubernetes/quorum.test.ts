import * as assert from 'uvu/assert';
import { quorumOf, quorumProblem } from '../../../src/kubernetes/quorum.ts';
import { suite } from '../../support/harness.ts';

const quorum = suite('quorum');
const hosts = (count: number) => Array.from({ length: count }, (_, at) => `e${at + 1}`);

for (const [members, expected] of [
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 3],
  [7, 4],
] as const)
  quorum(`of ${members} members it is ${expected}`, () => assert.is(quorumOf(members), expected));

const cases: [etcd: number, absent: string[], problem: RegExp | undefined][] = [
  [3, [], undefined],
  [3, ['e1'], undefined],
  [3, ['e1', 'e3'], /^2 of 3 members of etcd cannot be reached \(e1, e3\): 1 would be left, and the quorum of 3 is 2$/],
  [5, ['e1', 'e2'], undefined],
  [5, ['e1', 'e2', 'e3'], /^3 of 5 .*: 2 would be left, and the quorum of 5 is 3$/],
  [1, ['e1'], /^1 of 1 .*: 0 would be left, and the quorum of 1 is 1$/],
  [3, ['n1', 'n2'], undefined],
  [3, ['c1', 'c2'], /^no control plane can be reached \(c1, c2\)$/],
  [3, ['c1'], undefined],
];

for (const [count, absent, problem] of cases)
  quorum(`${count} members, ${absent.join(', ') || 'nobody'} absent: ${problem ? 'refused' : 'allowed'}`, () => {
    const found = quorumProblem({ etcd: hosts(count), controlPlane: ['c1', 'c2'], absent: new Set(absent) });
    if (problem) assert.match(found ?? '', problem);
    else assert.is(found, undefined);
  });

quorum.run();
