import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../../src/core/events.ts';
import { holdsSecret, isSecretFile } from '../../../src/core/secrecy.ts';
import { censor } from '../../../src/report/censor.ts';
import { createRedactor } from '../../../src/report/redact.ts';
import { sanitize, sanitizeLine } from '../../../src/report/sanitize.ts';
import { suite } from '../../support/harness.ts';

const safety = suite('sanitize, redact, censor');

const hostile: [string, string][] = [
  ['plain text\twith a tab\nand a line', 'plain text\twith a tab\nand a line'],
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x1b]0;title\x07after', 'after'],
  ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['\x1bP1$r0m\x1b\\x', 'x'],
  ['open \x1b]0;never closed\nnext line', 'open 0;never closed\nnext line'],
  ['\x9b31mred', 'red'],
  ['\x1bcreset', 'reset'],
  ['half \x1b', 'half ^['],
  ['bell\x07', 'bell^G'],
  ['del\x7f', 'del^?'],
  ['a\u202eb\u2066c', 'a<U+202E>b<U+2066>c'],
  ['zero\u200bwidth', 'zero<U+200B>width'],
  ['dos\r\nline', 'dos\nline'],
  ['over\rwritten', 'over^Mwritten'],
  ['\ud800lone', '\ufffdlone'],
  ['日本語 ünï 👩‍🚀', '日本語 ünï 👩‍🚀'],
];
for (const [given, wanted] of hostile)
  safety(`sanitize ${JSON.stringify(given)}`, () => assert.is(sanitize(given), wanted));

safety('whatever comes in, no control character comes out', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.not.match(sanitize(text), /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      assert.not.match(sanitizeLine(text), /[\n\t]/);
    }),
  ),
);

safety('a line that was overwritten shows what a terminal would show', () =>
  assert.is(sanitizeLine('10%\r50%\r100%\r\n'), '100%'),
);

safety('a secret is veiled in every string of an event, key or value, encoded or not', () => {
  const redactor = createRedactor();
  redactor.add('s3cr"et pass');
  const event = {
    type: 'warning',
    time: 1,
    message: 'x s3cr"et pass y',
    extra: [{ 's3cr"et pass': 'czNjciJldCBwYXNz' }],
  };
  const shown = JSON.stringify(redactor.events(event as unknown as RunEvent));
  assert.is(shown, '[{"type":"warning","time":1,"message":"x *** y","extra":[{"***":"***"}]}]');
  assert.is(redactor.text('s3cr%22et%20pass'), '***');
});

safety('short texts are not veiled, lines of long ones are', () => {
  const redactor = createRedactor();
  redactor.add('abc');
  redactor.add('first line of a key\nsecond line of it\n}');
  assert.is(redactor.text('abc } second line of it'), 'abc } ***');
});

safety('a secret cut in two by the stream is veiled', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 6 }), (cuts) => {
      const redactor = createRedactor();
      redactor.add('hunter2hunter3');
      const whole = 'pass hunter2hunter3 and hunter2hunter2hunter3 end hunt';
      const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
      const out = pieces.flatMap((text) => redactor.events(output(text)));
      const rest = redactor.events({ type: 'step-end', time: 1, host: 'h', key: 'k', status: 'ok', rc: 0, ms: 1 });
      const text = [...out, ...rest].map((event) => (event.type === 'step-output' ? event.text : '')).join('');
      assert.is(text, 'pass *** and hunter2*** end hunt');
    }),
  );
});

safety('held output of one host is not released by another with the same step key', () => {
  const redactor = createRedactor();
  redactor.add('hunter2hunter3');
  redactor.events(output('hunter2'));
  const other = redactor.events({ type: 'step-end', time: 1, host: 'other', key: 'k', status: 'ok', rc: 0, ms: 1 });
  assert.equal(
    other.map((event) => event.type),
    ['step-end'],
  );
});

const secretFiles = [
  '/etc/kubernetes/pki/sa.key',
  '/x/ca-key.pem',
  '/root/.ssh/id_ed25519',
  '/etc/shadow',
  '/x/known_tokens.csv',
];
const openFiles = ['/etc/passwd', '/root/.ssh/id_ed25519.pub', '/etc/hosts', '/x/ca.pem', '/root/.ssh/authorized_keys'];
for (const path of secretFiles) safety(`${path} is secret`, () => assert.ok(isSecretFile(path, 0o644)));
for (const path of openFiles) safety(`${path} is not`, () => assert.not(isSecretFile(path, '0644')));
safety('a file only its owner may read is secret', () => {
  assert.equal(
    [0o600, '0400', '0640', 0o644, undefined].map((mode) => isSecretFile('/etc/x', mode)),
    [true, true, false, false, false],
  );
});
safety('a text that holds a key is secret wherever it goes', () => {
  assert.ok(holdsSecret('x\n-----BEGIN EC PRIVATE KEY-----\n'));
  assert.ok(holdsSecret('users:\n- user:\n    client-key-data: TUlJRXBBSUJBQUtDQVFFQQ==\n'));
  assert.not(holdsSecret('password: {{ x }}\n-----BEGIN CERTIFICATE-----'));
});

safety('the diff of a no_log task keeps what is touched and nothing else', () => {
  const diff = [
    { kind: 'text' as const, path: '/etc/x', before: null, after: 'canary' },
    { kind: 'fields' as const, subject: 'u', fields: [{ name: 'password', before: 'canary', after: 'canary2' }] },
  ];
  const text = JSON.stringify(censor({ ...task, noLog: true, steps: [{ key: 'k', title: 't', diff }] }));
  assert.not.match(text, /canary/);
  assert.match(text, /"path":"\/etc\/x","before":null,"after":"hidden \(no_log\)"/);
});

safety.run();

const task: Extract<RunEvent, { type: 'task' }> = {
  ...{ type: 'task', time: 1, host: 'h', play: 'p', seq: 1, task: 't', name: 'n', module: 'm', status: 'changed' },
  ...{ origin: { file: 'f', line: 1, column: 1 }, steps: [], ms: 0 },
};

function output(text: string): RunEvent {
  return { type: 'step-output', time: 1, host: 'h', key: 'k', stream: 'stdout', text };
}
