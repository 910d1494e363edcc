import * as assert from 'uvu/assert';
import { checkNode } from '../../../src/core/check-node.ts';
import { formatInputError } from '../../../src/core/error-frame.ts';
import { parseYaml } from '../../../src/load/yaml.ts';
import { suite } from '../../support/harness.ts';

const t = suite('checking parameters at load');

const demo = {
  name: 'demo',
  freeForm: 'cmd',
  params: {
    path: { type: 'path', doc: '', required: true, aliases: ['dest'] },
    mode: { type: 'mode', doc: '' },
    force: { type: 'bool', doc: '', default: true },
    state: { type: 'str', doc: '', choices: ['file', 'link'] },
    src: { type: 'str', doc: '' },
    version: { type: 'version', doc: '' },
    names: { type: 'list', elements: 'str', doc: '' },
    cmd: { type: 'str', doc: '' },
  },
  rules: { requiredIf: [{ param: 'state', value: 'link', needs: ['src'] }] },
} as const;

/** Errors without their source frames, one line each. */
function errors(yaml: string): string[] {
  const node = parseYaml(yaml, { file: 'a.yml' });
  const found = checkNode(demo, node, { origin: { file: 'a.yml', line: 1, column: 1 } });
  return found.map((error) => formatInputError(error, () => undefined).replace(/\n +/g, '; '));
}

const cases: [string, string, string[]][] = [
  ['all is well', 'dest: /x\nmode: 0644\nforce: yes\nstate: file', []],
  ['templates wait', 'path: "{{ p }}"\nmode: "{{ m }}"\nstate: "{{ s }}"\nforce: "{{ f }}"', []],
  [
    'a decimal mode',
    'path: /x\nmode: 644',
    ["a.yml:2:7: mode: mode 644 is a decimal number and means 01204; hint: write '0644'"],
  ],
  [
    'a decimal that looks odd',
    'path: /x\nmode: 420',
    ["a.yml:2:7: mode: mode 420 is a decimal number and means 0644; hint: write '0420'"],
  ],
  ['a mode with 0o', 'path: /x\nmode: 0o644', []],
  [
    'a number for a version',
    'path: /x\nversion: 1.20',
    ["a.yml:2:10: version: the version 1.20 is a number; hint: write '1.20'; YAML reads it as 1.2"],
  ],
  [
    'an unknown parameter',
    'path: /x\nmod: 0644',
    ['a.yml:2:1: Unsupported parameters for (demo) module: mod; did you mean: mode'],
  ],
  [
    'an unknown parameter like no other',
    'path: /x\nzzzzzz: 1',
    [
      'a.yml:2:1: Unsupported parameters for (demo) module: zzzzzz; expected: one of: cmd, force, mode, names, path, src, state, version',
    ],
  ],
  [
    'a bad choice',
    'path: /x\nstate: lnk',
    ['a.yml:2:8: value of state must be one of: file, link, got: lnk; hint: did you mean link?'],
  ],
  [
    'a wrong type',
    'path: /x\nforce: maybe',
    [
      "a.yml:2:8: argument 'force' is of type <class 'str'> and we were unable to convert to bool: The value 'maybe' is not a valid boolean.; hint: write true or false",
    ],
  ],
  [
    'a list item of the wrong type',
    'path: /x\nnames: ["{{ a }}", [b]]',
    [
      "a.yml:2:20: argument 'names' is of type <class 'list'> and we were unable to convert to str: list cannot be converted to a str",
    ],
  ],
  ['what is required and missing', 'mode: "0644"', ['a.yml:1:1: missing required arguments: path']],
  ['what is required and empty', 'path:', ['a.yml:1:1: missing required arguments: path']],
  ['required if', 'path: /x\nstate: link', ['a.yml:1:1: state is link but all of the following are missing: src']],
  [
    'no mapping',
    '[a]',
    ['a.yml:1:1: the parameters of demo are not a mapping; expected: keys such as path, mode, force'],
  ],
];
for (const [name, yaml, expected] of cases) t(name, () => assert.equal(errors(yaml), expected));
t.run();
