import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Drain, drainScript } from '../../../src/modules/lib/drain-script.ts';
import { kubeEvictionsFamily, kubeEvictionsKey, type TriedEviction } from '../../../src/world/kube-evictions.ts';
import type { KubePod } from '../../../src/world/kube-pods.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { answers as ask, shells } from '../../unit/world/shells.ts';

/** The draining script in every shell, against an apiserver of three small programs. */
const t = suite('draining', { timeout: 60_000 });
const budget = '{"message":"Cannot evict pod","details":{"causes":[{"message":"The disruption budget web needs 2"}]}}';

for (const [shell, words] of Object.entries(shells)) {
  t(`${shell}: pods are evicted and waited for`, () => {
    const { code, output, calls } = drain(words, { pods: ['a', 'b'], answers: { a: ['201'], b: ['201'] } });
    assert.is(code, 0, output);
    assert.is(output, 'default/a: evict\ndefault/b: evict\n');
    assert.equal(calls, ['GET api', 'POST a v1beta1 uid-a', 'POST b v1beta1 uid-b', 'sleep 1']);
  });

  t(`${shell}: a budget is asked again after a second and more`, () => {
    const { code, output, calls } = drain(words, { pods: ['a'], answers: { a: ['429', '429', '429', '201'] } });
    assert.is(code, 0, output);
    assert.equal(
      calls.filter((call) => call.startsWith('sleep')),
      ['sleep 1', 'sleep 2', 'sleep 4', 'sleep 5'],
    );
  });

  t(`${shell}: who is waited for longer is told by the apiserver`, () => {
    const { calls } = drain(words, { pods: ['a'], answers: { a: ['429 {"retryAfterSeconds": 10}', '201'] } });
    assert.equal(
      calls.filter((call) => call.startsWith('sleep')),
      ['sleep 10', 'sleep 2'],
    );
  });

  t(`${shell}: nothing is evicted before the controller manager has seen the cordon`, () => {
    const seen = ['Unable to connect', 'true ', 'true other ', `true other ${taint} `];
    const { code, output, calls } = drain(words, { pods: ['a'], answers: { a: ['201'] }, seen });
    assert.is(code, 0, output);
    assert.equal(calls, ['GET api', 'sleep 1', 'sleep 1', 'sleep 1', 'POST a v1beta1 uid-a', 'sleep 1']);
  });

  t(`${shell}: a node that is not cordoned waits for nobody`, () => {
    const { code, calls } = drain(words, { pods: ['a'], answers: { a: ['201'] }, seen: ['<no value> '] });
    assert.is(code, 0);
    assert.equal(calls, ['GET api', 'POST a v1beta1 uid-a', 'sleep 1']);
  });

  t(`${shell}: without a controller manager nothing is evicted, and the ladder may go on`, () => {
    const given = { pods: ['a'], answers: { a: ['200'] }, seen: ['true '] };
    const { code, output, calls } = drain(words, given, { notice: 0 });
    assert.is(code, 1);
    assert.match(output, /^no controller manager has seen that the node is cordoned/);
    assert.ok(calls.every((call) => !call.startsWith('POST')));
    const other = drain(words, given, { notice: 0, ladder: ['evict', 'delete'] });
    assert.is(other.code, 0, other.output);
    assert.ok(other.calls.includes('DELETE a uid-a'));
    const left = drain(words, given, { notice: 0, ladder: ['evict', 'skip'] });
    assert.is(left.code, 0, left.output);
    assert.match(left.output, /^left behind: no controller manager/);
  });

  t(`${shell}: time is up, and the budget is named`, () => {
    const { code, output } = drain(words, { pods: ['a'], answers: { a: ['429'] } }, { evict: 0 });
    assert.is(code, 1);
    assert.match(output, /^pod default\/a: Cannot evict pod The disruption budget web needs 2 \n$/);
  });

  t(`${shell}: the ladder goes on with delete`, () => {
    const given = { pods: ['a'], answers: { a: ['429', '200'] } };
    const { code, output, calls } = drain(words, given, { evict: 0, ladder: ['evict', 'delete'] });
    assert.is(code, 0, output);
    assert.ok(calls.includes('DELETE a uid-a'), calls.join('\n'));
  });

  t(`${shell}: the ladder ends with leaving pods behind`, () => {
    const given = { pods: ['a'], answers: { a: ['429', '403'] } };
    const { code, output } = drain(words, given, { evict: 0, delete: 0, ladder: ['evict', 'delete', 'skip'] });
    assert.is(code, 0, output);
    assert.match(output, /^left behind: pod default\/a: /);
  });

  t(`${shell}: a pod that does not end is named`, () => {
    const { code, output } = drain(words, { pods: ['a'], answers: { a: ['201 stays'] } }, { evict: 0 });
    assert.is(code, 1);
    assert.match(output, /pod default\/a has not ended yet/);
  });

  t(`${shell}: one that is gone, or another of its name, is left alone`, () => {
    const { code, calls } = drain(words, { pods: [], answers: {} }, { pods: [pod('a')] });
    assert.is(code, 0);
    assert.equal(calls, ['GET api']);
  });

  t(`${shell}: one that is on its way out is not asked again`, () => {
    const given = { pods: ['a'], answers: {} };
    const { code, calls } = drain(words, given, { pods: [{ ...pod('a'), leaving: true }], evict: 0 });
    assert.is(code, 1);
    assert.equal(calls, ['GET api']);
  });

  t(`${shell}: evictions are tried without being done`, () => {
    const found = tried(words, { pods: ['a', 'b'], answers: { a: ['201'], b: ['429'] } });
    assert.equal(found, [
      { pod: 'default/a', status: 201, message: '{}' },
      { pod: 'default/b', status: 429, message: 'Cannot evict pod The disruption budget web needs 2' },
    ]);
  });
}

interface Given {
  /** Names of pods on the node. */
  pods: string[];
  /** Of each the answers in turn: a status, or a status and a body; `stays`: accepted, but it does not end. */
  answers: Record<string, string[]>;
  /** What the node is said to be in turn, the last for good; absent: cordoned, and seen to be. */
  seen?: string[];
}

const taint = 'node.kubernetes.io/unschedulable';

function pod(name: string): KubePod {
  const flags = { finished: false, leaving: false, mirror: false, localData: false };
  return { namespace: 'default', name, uid: `uid-${name}`, controller: 'ReplicaSet', grace: 1, ...flags };
}

const api = (dir: string) => ({
  server: 'https://a',
  ca: '/ca',
  certificate: '/c',
  key: '/k',
  bin_dir: join(dir, 'bin'),
});

function drain(shell: string[], given: Given, own: Partial<Drain> = {}) {
  return withApi(given, (dir, env) => {
    const pods = given.pods.map(pod);
    const script = drainScript({
      api: api(dir),
      node: 'n1',
      pods,
      ladder: ['evict'],
      notice: 60,
      evict: 60,
      delete: 60,
      ...own,
    });
    const run = spawnSync(shell[0]!, [...shell.slice(1), '-s'], { input: script, env, encoding: 'utf8' });
    return { code: run.status, output: run.stdout + run.stderr, calls: callsIn(dir) };
  });
}

function tried(shell: string[], given: Given): TriedEviction[] {
  return withApi(given, (dir, env) => {
    const [answer] = ask(shell, kubeEvictionsFamily, [kubeEvictionsKey({ node: 'n1', api: api(dir) })], env);
    assert.ok(
      callsIn(dir).every((call) => !call.startsWith('POST') || call.endsWith(' dry')),
      callsIn(dir).join('\n'),
    );
    const { value } = answer as { value: { told: TriedEviction[] } };
    return value.told;
  });
}

function callsIn(dir: string): string[] {
  const file = join(dir, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function withApi<T>(given: Given, work: (dir: string, env: NodeJS.ProcessEnv) => T): T {
  const dir = tempFolder('drain');
  try {
    for (const folder of ['bin', 'pods', 'answers']) mkdirSync(join(dir, folder));
    for (const name of given.pods) writeFileSync(join(dir, 'pods', name), '');
    writeFileSync(join(dir, 'seen'), `${(given.seen ?? [`true ${taint} `]).join('\n')}\n`);
    for (const [name, lines] of Object.entries(given.answers))
      writeFileSync(join(dir, 'answers', name), `${lines.join('\n')}\n`);
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(dir, 'bin', name), `#!/bin/sh\ncd '${dir}'\n${text}`);
      chmodSync(join(dir, 'bin', name), 0o755);
    }
    return work(dir, { PATH: `${join(dir, 'bin')}:${process.env.PATH}` });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const programs = {
  kubectl: `case "$*" in *' get node n1 '*) read -r seen <seen; printf '%s ' "$seen"; [ "$(wc -l <seen)" = 1 ] || sed -i 1d seen; exit ;; esac
case "$*" in *' {{.metadata.uid}}'*) long=1 ;; *) long= ;; esac
for pod in pods/*; do [ -e "$pod" ] || continue; pod=\${pod#pods/}
  if [ "$long" ]; then echo "default $pod uid-$pod Running - - ReplicaSet. . 1"; else echo "default $pod"; fi
done`,
  sleep: `echo "sleep $1" >>calls`,
  curl: `for word in "$@"; do url=$word; done
case $url in
*/api/v1) echo 'GET api' >>calls; printf '{ "resources": [ { "name": "pods/eviction",\\n "group": "policy", "version": "v1beta1" } ] }'; exit ;;
esac
body=$(cat)
pod=\${url##*/pods/}; pod=\${pod%%/*}
case $url in *dryRun=All) dry=' dry' ;; *) dry= ;; esac
uid=\${body##*'"uid":"'}; uid=\${uid%%'"'*}
case "$*" in
*'--request DELETE'*) echo "DELETE $pod $uid" >>calls ;;
*) group=\${body#*policy/}; case $body in *'"uid"'*) ;; *) uid= ;; esac; echo "POST $pod \${group%%'"'*} $uid$dry" >>calls ;;
esac
read -r code words <answers/$pod
sed -i 1d answers/$pod
case $code:$words:$dry in 20?::) rm -f pods/$pod ;; esac
case $code:$words in 429:) words='${budget}' ;; *:) words='{}' ;; esac
printf '%s\\n%s' "$words" "$code"`,
};

t.run();
