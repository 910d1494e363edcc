import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { execWords, sshWords } from './enter.ts';
import { LabError } from './errors.ts';
import { faultsOf, setDropping, setFrozen, setLink, setRate } from './faults.ts';
import { type FileEntry, readFiles } from './files.ts';
import { bootHost, bootIdOf, crashHost, type Power, powerOf, poweroffHost, ready } from './host.ts';
import { bringUp, collectGarbage, replaceHost, resetHost, tearDown, type UpOptions } from './lifecycle.ts';
import type { Networks } from './network.ts';
import { type HostProcess, parseSshdLog, processesOf, type SshdLog } from './observe.ts';
import { shareLab } from './shared.ts';
import { must, type Result, type RunOptions, run } from './shell.ts';
import { restoreSnapshot, snapshotNames, takeSnapshot } from './snapshots.ts';
import { type HostRecord, hostPaths, isGarbage, type LabRecord, readLab } from './store.ts';

export interface LabHost {
  /** h1…, twins t1…. */
  name: string;
  address: string;
  /** File of the private key that opens `user` and the user deploy. */
  key: string;
  user: 'root';
}

/** A host of the lab, or its name. */
export type HostRef = string | { name: string };

export type ExecOptions = Omit<RunOptions, 'env' | 'cwd'>;

/** Hosts that run on this machine, and what can be done to them from outside. */
export class Lab {
  readonly hosts: LabHost[];
  readonly twins: LabHost[];

  private constructor(private readonly record: LabRecord) {
    const outward = ({ name, address }: HostRecord): LabHost => ({ name, address, key: this.keyPath, user: 'root' });
    this.hosts = record.hosts.filter((host) => !host.twin).map(outward);
    this.twins = record.hosts.filter((host) => host.twin).map(outward);
  }

  /** Boots a lab: by default one plain host, owned by this process. */
  static async up(options: UpOptions = {}): Promise<Lab> {
    return Lab.of(await bringUp(options));
  }

  /** A lab that is up, by id. LabError when there is none. */
  static attach(id: string): Lab {
    const record = readLab(id);
    if (!record || isGarbage(record)) throw new LabError(`no lab ${id} is up`);
    return Lab.of(record);
  }

  /** The lab of a record; for the command line, which also lists garbage. */
  static of(record: LabRecord): Lab {
    return new Lab(record);
  }

  /**
   * A lab that the test files of one run share: the first file that asks boots and prepares it and keeps a snapshot,
   * the next ones get it back as prepared, in seconds. Owned by this process's parent, the test runner.
   */
  static shared(name: string, options: UpOptions, prepare: (lab: Lab) => Promise<void>): Promise<Lab> {
    const find = (id: string) => {
      const record = readLab(id);
      return record && !isGarbage(record) ? Lab.of(record) : undefined;
    };
    return shareLab(name, find, (id, owner) => Lab.up({ ...options, id, owner }), prepare);
  }

  /** Tears down the labs of processes that have gone; returns their ids. `up` does so by itself. */
  static collectGarbage(): Promise<string[]> {
    return collectGarbage((_id, error) => {
      throw error;
    });
  }

  get id(): string {
    return this.record.id;
  }

  /** The lab's folder; gone after `down`. */
  get dir(): string {
    return this.record.dir;
  }

  get networks(): Networks {
    return this.record.networks;
  }

  get keyPath(): string {
    return join(this.dir, 'id_ed25519');
  }

  get knownHostsPath(): string {
    return join(this.dir, 'known_hosts');
  }

  /** Ansible YAML inventory of the hosts: groups pki, etcd, control_plane, nodes. */
  get inventoryPath(): string {
    return join(this.dir, 'inventory.yaml');
  }

  /** Ansible YAML inventory of the twins: group twins. */
  get twinInventoryPath(): string {
    return join(this.dir, 'inventory-twin.yaml');
  }

  /**
   * Runs a command (a shell line, or words) inside the host as root, entering its namespaces directly: no ssh, no login.
   * Resolves whatever its exit code; LabError when the host is off or `timeoutMs` passes.
   */
  async exec(host: HostRef, command: string | string[], options: ExecOptions = {}): Promise<Result> {
    const [program, ...args] = this.execCommand(host, command);
    return run(program!, args, options);
  }

  /** exec that must succeed: its standard output without the last newline; LabError with its stderr otherwise. */
  async sh(host: HostRef, command: string | string[], options: ExecOptions = {}): Promise<string> {
    const [program, ...args] = this.execCommand(host, command);
    return (await must(program!, args, options)).replace(/\n$/, '');
  }

  /** Starts a command inside the host as exec does and returns the child process, for what runs meanwhile. */
  spawn(host: HostRef, command: string | string[]): ChildProcess {
    const [program, ...args] = this.execCommand(host, command);
    return spawn(program!, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** The words that run a command inside the host, as exec does. */
  execCommand(host: HostRef, command: string | string[]): string[] {
    return execWords(this.record, this.find(host), command);
  }

  /** The words that run OpenSSH's client against a host, up to the command. */
  sshCommand(host: HostRef, user = 'root'): string[] {
    return sshWords(this.record, this.find(host), user);
  }

  /** Runs a shell line on the host through OpenSSH. Exit code 255 is ssh's own. */
  async ssh(host: HostRef, command: string, options: ExecOptions & { user?: string } = {}): Promise<Result> {
    const { user, ...rest } = options;
    const [program, ...args] = this.sshCommand(host, user);
    return run(program!, [...args, command], rest);
  }

  /** off, booting or on. */
  async power(host: HostRef): Promise<Power> {
    return powerOf(this.record, this.find(host));
  }

  /** The boot_id of the host, another after each boot; undefined while it is off. */
  bootId(host: HostRef): string | undefined {
    return bootIdOf(this.record, this.find(host));
  }

  /**
   * Resolves when the host is up: its address answers, sshd listens, logins are open. After a reboot from inside, give
   * the old boot id as `notBoot`. LabError after `timeoutMs` (60 s), or when the host goes off.
   */
  async ready(host: HostRef, options: { timeoutMs?: number; notBoot?: string } = {}): Promise<void> {
    return ready(this.record, this.find(host), options);
  }

  /** Boots a host that is off and resolves when it is up. */
  async boot(host: HostRef): Promise<void> {
    return bootHost(this.record, this.find(host));
  }

  /** An orderly poweroff; resolves when the host is off. */
  async poweroff(host: HostRef): Promise<void> {
    return poweroffHost(this.record, this.find(host));
  }

  /** Ends the host at once. What it wrote stays. */
  async crash(host: HostRef): Promise<void> {
    return crashHost(this.record, this.find(host));
  }

  /** A new disk over the base, with the old keys and machine-id, booted; all hosts when none is given. */
  async reset(host?: HostRef): Promise<void> {
    const hosts = host === undefined ? this.record.hosts : [this.find(host)];
    await Promise.all(hosts.map((one) => resetHost(this.record, one)));
  }

  /** Another machine in its place: a new disk over the base, new keys and machine-id. */
  async replace(host: HostRef): Promise<void> {
    return replaceHost(this.record, this.find(host));
  }

  /** Takes the host's link down: connections fail with EHOSTUNREACH after 3 s. */
  async cut(host: HostRef): Promise<void> {
    return setLink(this.record, this.find(host), false);
  }

  async heal(host: HostRef): Promise<void> {
    return setLink(this.record, this.find(host), true);
  }

  /** Drops every IPv4 packet to the host (and through it) in silence: connections hang. */
  async drop(host: HostRef): Promise<void> {
    return setDropping(this.record, this.find(host), true);
  }

  async undrop(host: HostRef): Promise<void> {
    return setDropping(this.record, this.find(host), false);
  }

  /** Which of `cut`, `dropping` and `frozen` hold for a host that is on. */
  async faults(host: HostRef): Promise<string[]> {
    return faultsOf(this.record, this.find(host));
  }

  /** Stops all processes of the host where they are: its kernel still accepts connections, nothing answers. */
  freeze(host: HostRef): void {
    setFrozen(this.record, this.find(host), true);
  }

  thaw(host: HostRef): void {
    setFrozen(this.record, this.find(host), false);
  }

  /** Limits what the host receives, e.g. `1mbit`; null takes the limit away. */
  async limit(host: HostRef, rate: string | null): Promise<void> {
    return setRate(this.record, this.find(host), rate);
  }

  /** Keeps the disks of all hosts under a name; hosts that are on power off and boot again. */
  async snapshot(name: string): Promise<void> {
    return takeSnapshot(this.record, name);
  }

  /** Takes all hosts back to a snapshot and boots those that were on when it was taken. */
  async restore(name: string): Promise<void> {
    return restoreSnapshot(this.record, name);
  }

  snapshots(): string[] {
    return snapshotNames(this.record);
  }

  /**
   * Every path of the host's disk with type, mode, owner, mtime, links, sha256, target and xattrs, read from this
   * machine (the host may be on or off). Not read: /proc /sys /run /dev /var/log (with wtmp and lastlog), the bound
   * /var/lib/{docker,containerd,kubelet}, and whatever else the host has mounted.
   */
  async snapshotFiles(host: HostRef): Promise<Map<string, FileEntry>> {
    return readFiles(hostPaths(this.record, this.find(host)).root);
  }

  /** The host's processes with its own pids. */
  processes(host: HostRef): HostProcess[] {
    return processesOf(this.record, this.find(host));
  }

  /** What sshd logged since the host booted, or since `since` (microseconds since 1970, exclusive). */
  async sshdLog(host: HostRef, since = 0): Promise<SshdLog> {
    await this.sh(host, ['journalctl', '--sync']);
    const query = ['--boot', '--identifier=sshd', '--output=json', '--no-pager', '--quiet'];
    const journal = await this.sh(host, ['journalctl', ...query]);
    return parseSshdLog(journal, since);
  }

  /** Ends all hosts and removes everything of the lab. */
  async down(): Promise<void> {
    return tearDown(this.record);
  }

  private find(host: HostRef): HostRecord {
    const name = typeof host === 'string' ? host : host.name;
    const found = this.record.hosts.find((one) => one.name === name);
    if (!found)
      throw new LabError(
        `lab ${this.id} has no host ${name}; it has ${this.record.hosts.map((one) => one.name).join(' ')}`,
      );
    return found;
  }
}
