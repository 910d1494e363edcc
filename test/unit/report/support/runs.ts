import { names, Scenario } from './scenario.ts';

/** Three hosts in the second of three waves: one failed, one at a long step, one silent; a gate that waits. */
export function midway(): Scenario {
  const s = new Scenario(names('h', 3), {
    plays: [
      { play: 'p1', name: 'Prepare nodes', hosts: names('h', 3) },
      { play: 'p2', name: 'Start the control plane', hosts: names('h', 3) },
      { play: 'p3', name: 'Join workers', hosts: ['h2', 'h3'] },
    ],
  });
  s.play(1, 3, 'Prepare nodes');
  for (const host of s.hosts) s.connect(host);
  s.after(12_000);
  for (const host of s.hosts) s.task(host, 'Write config', 'changed', { ms: 300 });
  s.playEnd(1).after(500);
  s.play(2, 3, 'Start the control plane', s.hosts, [['h1'], ['h2', 'h3']]);
  s.batch(2, 2, ['h2', 'h3']);
  s.step('h1', 'Start etcd', 'start etcd.service').after(2000).stepEnd('h1', 'Start etcd', 1);
  s.task('h1', 'Start etcd', 'failed', { play: 'p2', message: 'etcd.service did not start\nsee below' });
  s.emit({ type: 'host-end', host: 'h1', play: 'p2', state: 'failed' });
  s.step('h2', 'Install etcd', 'apt-get install etcd');
  s.step('h3', 'Unpack', 'Unpack');
  s.output(
    'h2',
    'Install etcd',
    'Reading package lists...\nUnpacking \x1b[31metcd-server\x1b[0m (3.4.23) 日本語 ...\n',
  );
  s.after(47_000);
  s.output('h2', 'Install etcd', 'Setting up etcd-server (3.4.23-4) ...\n');
  s.gate('h2', 'etcd healthy', 'waiting', { play: 'p2', reason: 'connection refused', attempts: 17, ms: 34_000 });
  return s.after(1000);
}

/** 200 hosts in the middle of one wave of many. */
export function crowd(): Scenario {
  const hosts = names('node', 200);
  const plays = Array.from({ length: 9 }, (_, i) => ({ play: `p${i + 1}`, name: `Stage ${i + 1}`, hosts }));
  const s = new Scenario(hosts, { plays });
  for (const wave of [1, 2, 3]) {
    s.play(wave, 9, `Stage ${wave}`);
    s.after(3000).playEnd(wave, wave === 2 ? ['node007'] : []);
  }
  s.play(4, 9, 'Stage 4', hosts, [hosts.slice(0, 150), hosts.slice(150)]);
  hosts.forEach((host, i) => {
    if (i >= 150) return;
    if (i < 40) s.emit({ type: 'host-end', host, play: 'p4', state: 'done' });
    else if (i < 100) s.step(host, 'Pull images', 'crictl pull');
    else if (i < 130) s.step(host, 'Write config', 'write /etc/x');
    else if (i < 140) s.emit({ type: 'waiting', host, what: 'task "init"', for: ['node001'] });
    else if (i < 143) s.emit({ type: 'host-lost', host, kind: 'unreachable', message: 'no route to host', facts: {} });
    else s.step(host, `Odd job ${i}`, 'odd');
  });
  return s.after(4000);
}

/** A whole run: two waves, a gate that took a while, a failure alike on two hosts, one ignored, one host lost. */
export function failing(): Scenario {
  const s = new Scenario(names('h', 4));
  s.play(1, 2, 'Prepare nodes');
  for (const host of s.hosts.slice(0, 3)) s.connect(host);
  s.emit({
    type: 'host-lost',
    host: 'h4',
    kind: 'unreachable',
    message: 'connection to 198.51.100.7:22 refused',
    facts: { hint: 'is sshd running there?' },
  });
  s.emit({
    type: 'warning',
    message: 'pattern `spare` matches no host',
    origin: { file: 'site.yml', line: 3, column: 5 },
  });
  for (const host of ['h1', 'h2', 'h3']) {
    s.task(host, 'Look around', 'ok').task(host, 'Only elsewhere', 'skipped');
    s.task(host, 'Say hello', 'ok', { module: 'debug', result: { msg: 'hello\u001b[31m there' } });
    s.step(host, 'Install etcd', 'apt-get install etcd').after(7000);
    s.output(host, 'Install etcd', 'Unpacking etcd\rUnpacking etcd done\n\x1b[2J\x07');
    s.stepEnd(host, 'Install etcd', 0, 7000);
    s.task(host, 'Install etcd', 'changed', {
      module: 'apt',
      ms: 7000,
      steps: [{ key: 'k', title: 'apt-get install etcd' }],
    });
    s.task(host, 'Try the cache', 'failed', { ignored: true, message: 'no cache' });
    s.gate(host, 'etcd healthy', 'waiting', { reason: 'connection refused', attempts: 1, ms: 1000 }).after(2000);
    s.gate(host, 'etcd healthy', 'waiting', { reason: 'connection refused', attempts: 2, ms: 3000 });
    s.gate(host, 'etcd healthy', 'passed', { attempts: 3, ms: 3100 });
  }
  s.playEnd(1, ['h4']);
  s.play(2, 2, 'Start', ['h1', 'h2', 'h3']);
  for (const host of ['h1', 'h2']) {
    const failure = {
      command: 'systemctl start kubelet',
      rc: 1,
      stderr: `Job for kubelet on ${host} failed.\nSee journalctl.\n`,
    };
    const hint = 'the unit exited at once: read its journal';
    s.after(800).task(host, 'Start kubelet', 'failed', {
      play: 'p2',
      module: 'systemd',
      ms: 800,
      message: `kubelet.service on ${host} did not start`,
      hint,
      failure,
    });
    s.emit({ type: 'host-end', host, play: 'p2', state: 'failed' });
  }
  s.task('h3', 'Start kubelet', 'changed', {
    play: 'p2',
    ms: 1200,
    items: [
      { label: 'a', status: 'ok' },
      { label: 'b', status: 'changed' },
    ],
  });
  const evidence = 'Active: activating (start)\nJan 15 02:00:00 apiserver: waiting for etcd\n';
  s.after(300_000).gate('h3', 'apiserver online', 'failed', {
    play: 'p2',
    attempts: 60,
    ms: 300_000,
    reason: 'HTTP 500 after 300 s',
    evidence,
  });
  s.after(10).playEnd(2, ['h1', 'h2', 'h3']);
  return s.end(4, 'unreachable', 330);
}

/** 200 hosts: most change alike, ten fail alike, one is lost, a gate holds the rest up. */
export function wideFailing(): Scenario {
  const s = new Scenario(names('node', 200));
  s.play(1, 2, 'Prepare nodes', s.hosts, [s.hosts.slice(0, 100), s.hosts.slice(100)], 20);
  for (const host of s.hosts.slice(0, 199)) s.connect(host);
  const lost = { type: 'host-lost', host: 'node200', kind: 'unreachable', message: 'no route to host' } as const;
  s.emit({ ...lost, facts: { hint: 'is it switched on?' } });
  s.hosts.slice(0, 199).forEach((host, i) => {
    if (i >= 10) s.task(host, 'Pull images', 'changed', { ms: 1000 + i });
    else
      s.task(host, 'Pull images', 'failed', {
        message: `${host}: the registry answers 503`,
        failure: { command: 'crictl pull pause', rc: 1, stderr: `FATA[0001] pulling on ${host}: 503` },
      });
  });
  s.after(60_000).playEnd(1, [...s.hosts.slice(0, 10), 'node200']);
  s.play(2, 2, 'Start', s.hosts.slice(10, 199));
  s.gate('node011', 'node online', 'waiting', { play: 'p2', reason: 'NotReady', attempts: 3, ms: 9000 });
  s.after(9000).gate('node011', 'node online', 'passed', { play: 'p2', attempts: 4, ms: 9100 });
  return s.playEnd(2).end(4, 'unreachable', 69);
}
