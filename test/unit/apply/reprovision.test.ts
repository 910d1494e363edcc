import * as assert from 'uvu/assert';
import type { ActionTools, ShownKey } from '../../../src/apply/actions.ts';
import { runAction } from '../../../src/apply/actions.ts';
import type { ActionCall } from '../../../src/core/needs.ts';
import { SessionError, type Target } from '../../../src/core/session.ts';
import { suite } from '../../support/harness.ts';

const anew = suite('reprovision');
const print = (letter: string) => `SHA256:${letter.repeat(43)}`;
const boot = (digit: number) => `${String(digit).repeat(8)}-0000-0000-0000-000000000000`;

/** What the machine shows at each look: its key, and its boot id once somebody is let in; undefined: nothing answers. */
type Look = { key: string; boot?: string } | undefined;

interface Story {
  before?: string;
  looks: Look[];
  params?: Record<string, unknown>;
  cmd?: string;
}

async function told({ before, looks, params = {}, cmd = 'true' }: Story) {
  const [trusted, said]: [string[], string[]] = [['old'], []];
  let [at, isMade, now] = [-1, false, 0];
  const none = () => new SessionError('unreachable', 'tcp', 'nobody there', { transient: true });
  const look = () => looks[Math.min(at, looks.length - 1)];
  const bootNow = () => {
    if (!isMade) return before;
    return trusted.includes(look()?.key ?? '') ? look()?.boot : undefined;
  };
  const session = {
    ask: async () => {
      const id = bootNow();
      if (id === undefined) throw none();
      return [[id]];
    },
    reset: async () => {
      isMade = true;
    },
  };
  const keyShownBy = async (): Promise<ShownKey> => {
    at++;
    const shown = look();
    if (!shown) throw none();
    const { key } = shown;
    return {
      fingerprint: print(key[0]!),
      known: trusted.includes(key),
      file: '/k',
      trust: async () => void trusted.splice(0, trusted.length, key),
    };
  };
  const tools = {
    sessionOf: () => session,
    targetOf: () =>
      ({ transport: 'ssh', address: '192.0.2.1', port: 22, knownHostsFiles: ['/k'] }) as unknown as Target,
    keyShownBy,
    now: () => now,
    sleep: async (seconds: number) => {
      now += seconds * 1000;
    },
    stopped: () => false,
    signal: new AbortController().signal,
    emit: (event: { text?: string }) => void (event.text && said.push(event.text)),
  } as unknown as ActionTools;
  const call = {
    action: 'reprovision',
    params: { cmd, timeout: 20, ...params },
    host: 'n1',
    on: 'n1',
    identity: {},
    seq: 1,
    task: { id: 't', name: 't' },
  } as unknown as ActionCall;
  const reply = await runAction(call, tools);
  if (reply.kind !== 'acted') throw new Error(`not acted but ${reply.kind}`);
  return {
    failed: reply.result.failed === true,
    msg: String(reply.result.values.get('msg') ?? ''),
    forgets: reply.forget,
    trusted,
    said: said.join(''),
  };
}

anew('the new machine has a new key, which is written down once and told', async () => {
  const { failed, trusted, said, forgets } = await told({
    before: boot(1),
    looks: [undefined, { key: 'new' }, { key: 'new', boot: boot(2) }],
  });
  assert.equal([failed, forgets, trusted], [false, true, ['new']]);
  assert.match(said, `a new key takes the place of the old one in /k: ${print('n')}`);
});

anew('the old one still answers for a while', async () => {
  const { failed, trusted } = await told({
    before: boot(1),
    looks: [{ key: 'old', boot: boot(1) }, undefined, { key: 'new', boot: boot(2) }],
  });
  assert.equal([failed, trusted], [false, ['new']]);
});

anew('a machine that was dead, and one that keeps its key', async () => {
  assert.is((await told({ looks: [{ key: 'new', boot: boot(2) }] })).failed, false);
  assert.is((await told({ before: boot(1), looks: [{ key: 'old', boot: boot(2) }] })).failed, false);
});

anew('the old one never goes', async () => {
  const { failed, msg } = await told({ before: boot(1), looks: [{ key: 'old', boot: boot(1) }] });
  assert.is(failed, true);
  assert.match(msg, /not there in time: the old one answers: its boot id is the same/);
});

anew('nothing but the key that was named is taken', async () => {
  const named = { params: { host_key: print('x') } };
  const other = await told({ before: boot(1), looks: [{ key: 'new', boot: boot(2) }], ...named });
  assert.equal([other.failed, other.trusted], [true, ['old']]);
  assert.match(other.msg, `shows the key ${print('n')}, not ${print('x')}: it is not trusted`);
  assert.is((await told({ before: boot(1), looks: [{ key: 'xyz', boot: boot(2) }], ...named })).failed, false);
  const kept = await told({ before: boot(1), looks: [{ key: 'old', boot: boot(2) }], ...named });
  assert.match(kept.msg, `shows its old key ${print('o')}, not ${print('x')}`);
});

anew('nor but the one that the command prints', async () => {
  const cmd = `echo "256 ${print('x')} root@n1 (ED25519)"`;
  assert.is((await told({ before: boot(1), looks: [{ key: 'new', boot: boot(2) }], cmd })).failed, true);
  assert.is((await told({ before: boot(1), looks: [{ key: 'xyz', boot: boot(2) }], cmd })).failed, false);
});

anew('a second new key is not taken for the first', async () => {
  const { failed, msg } = await told({ before: boot(1), looks: [{ key: 'new' }, { key: 'mallory', boot: boot(3) }] });
  assert.is(failed, true);
  assert.match(msg, `shows the key ${print('m')}, not ${print('n')}`);
});

anew('a command that fails is told with its last words, and is given the name', async () => {
  const { failed, msg } = await told({
    before: boot(1),
    looks: [],
    cmd: 'echo "no room for $KPUSH_NODE at $KPUSH_ADDRESS"; exit 3',
  });
  assert.is(failed, true);
  assert.is(msg, 'the command that makes the machine anew ended with 3: no room for n1 at 192.0.2.1');
});

anew.run();
