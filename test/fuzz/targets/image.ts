import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { answerPayload } from '../../../src/payload/answer.ts';
import { tarRepaired, tarWords } from '../support/tar.ts';
import { shape, type Target } from '../support/target.ts';

let count = 0;

/** Images as docker and OCI tools save them. Each is asked for as an answer of the controller is. */
export const target: Target = {
  words: [
    ...tarWords,
    ...[
      'manifest.json',
      'index.json',
      '"Layers"',
      '"Config"',
      '[',
      ']',
      '{}',
      'null',
      '"manifests":',
      'sha256:',
      '../../',
    ],
    ...['.wh.', '.wh..wh..opq', 'usr/local/bin/kubelet', 'hyperkube', '\x1f\x8b', '\x28\xb5\x2f\xfd', '\x7fELF'],
  ],
  repair: tarRepaired,
  limitMs: 1000,
  async run(input) {
    const source = resolve('image.tar');
    writeFileSync(source, input);
    // Answers are kept by what is asked: a name makes it another question.
    const answer = await answerPayload(JSON.stringify({ kind: 'image', source, names: [`${count++}`] }));
    const { problem, layout } = JSON.parse(answer) as { problem?: string; layout?: string };
    return problem ? shape(problem.replaceAll(source, 'it')) : `read ${layout}`;
  },
};
