import { readFileSync, writeFileSync } from 'node:fs';
import { freezerOf } from './cgroups.ts';
import { LabError } from './errors.ts';
import { isFrozen, runningInit } from './host.ts';
import { must, run } from './shell.ts';
import { type HostRecord, hostPaths, type LabRecord, readJson } from './store.ts';

/** Takes the machine's end of the host's link down or up. LabError when the host is off: it has no link then. */
export async function setLink(lab: LabRecord, host: HostRecord, up: boolean): Promise<void> {
  runningInit(lab, host);
  const { link, bridge } = hostPaths(lab, host);
  await must('ip', ['link', 'set', link, up ? 'up' : 'down']);
  // With the neighbour entry gone, connections from this machine fail after three ARP requests instead of hanging on.
  if (!up) await must('ip', ['neigh', 'flush', 'to', host.address, 'dev', bridge]);
}

/** Starts or stops dropping what arrives at the host, before its own firewall sees it. */
export async function setDropping(lab: LabRecord, host: HostRecord, drop: boolean): Promise<void> {
  const is = await dropping(lab, host);
  if (is === drop) return;
  const { code, stderr } = await rule(lab, host, drop ? '-I' : '-D');
  if (code !== 0) throw new LabError(`cannot ${drop ? '' : 'stop to '}drop packets of ${host.name}`, stderr);
}

/** Stops all processes of the host where they are, or lets them go on. */
export function setFrozen(lab: LabRecord, host: HostRecord, frozen: boolean): void {
  runningInit(lab, host);
  const freezer = freezerOf(readJson<string[]>(hostPaths(lab, host).cgroups, []));
  if (!freezer) throw new LabError('this machine has no cgroup freezer');
  writeFileSync(freezer.file, frozen ? freezer.frozen : freezer.thawed);
}

/** Which faults hold for a host that is on. */
export async function faultsOf(lab: LabRecord, host: HostRecord): Promise<string[]> {
  const { link } = hostPaths(lab, host);
  const found: string[] = [];
  // Bit 0 of the flags is IFF_UP.
  if (!(Number(readFileSync(`/sys/class/net/${link}/flags`, 'utf8')) & 1)) found.push('cut');
  if (await dropping(lab, host)) found.push('dropping');
  if (isFrozen(lab, host)) found.push('frozen');
  return found;
}

async function dropping(lab: LabRecord, host: HostRecord): Promise<boolean> {
  return (await rule(lab, host, '-C')).code === 0;
}

/** Limits the rate at which the host receives (tc's notation, e.g. 1mbit); null: no limit. */
export async function setRate(lab: LabRecord, host: HostRecord, rate: string | null): Promise<void> {
  runningInit(lab, host);
  const { link } = hostPaths(lab, host);
  if (rate !== null)
    await must('tc', [
      'qdisc',
      'replace',
      'dev',
      link,
      'root',
      'tbf',
      'rate',
      rate,
      'burst',
      '32kb',
      'latency',
      '400ms',
    ]);
  else if (/ tbf /.test(await must('tc', ['qdisc', 'show', 'dev', link])))
    await must('tc', ['qdisc', 'del', 'dev', link, 'root']);
}

// The machine's iptables in the host's network namespace; raw PREROUTING sees forwarded packets (pods) too.
function rule(lab: LabRecord, host: HostRecord, action: string) {
  const match = ['PREROUTING', '-i', 'host0', '-m', 'comment', '--comment', 'kpush-lab-drop', '-j', 'DROP'];
  const init = String(runningInit(lab, host));
  return run('nsenter', ['--target', init, '--net', '--', 'iptables', '-w', '-t', 'raw', action, ...match]);
}
