import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Lab, type LabHost } from '../test/lab-kit/index.ts';
import { tempFolder } from '../test/support/temp.ts';
import type { Command } from './measure.ts';

/** Hosts with Python, which every contender can use, reached directly or through a delay. */
export class Field {
  readonly lab: Lab;
  readonly dir = tempFolder('bench');
  private readonly proxies: ChildProcess[] = [];
  private nextPort = 21000 + (process.pid % 2000) * 16;

  private constructor(lab: Lab) {
    this.lab = lab;
  }

  static async open(hosts: number): Promise<Field> {
    return new Field(await Lab.up({ hosts: 1, twins: hosts }));
  }

  get hosts(): LabHost[] {
    return this.lab.twins;
  }

  /** Addresses with `ms` of round trip added; 0: the hosts themselves. */
  async reach(ms: number): Promise<string[]> {
    if (ms === 0) return this.hosts.map(({ address }) => `${address}:22`);
    const ports = this.hosts.map(() => this.nextPort++);
    const maps = this.hosts.map(({ address }, at) => `${ports[at]}:${address}:22`);
    this.proxies.push(spawn(process.execPath, ['bench/delay-proxy.mjs', String(ms / 2), ...maps], { stdio: 'ignore' }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    return ports.map((port) => `127.0.0.1:${port}`);
  }

  inventory(name: string, addresses: string[]): string {
    const path = join(this.dir, `${name}.yaml`);
    const hosts = Object.fromEntries(addresses.map((address, at) => [this.hosts[at]!.name, place(address)]));
    writeFileSync(path, stringify({ all: { vars: this.vars(), hosts } }));
    return path;
  }

  /** Puts the hosts back to before site.yml. */
  async undo(): Promise<void> {
    const units = [0, 1, 2, 3, 4].map((n) => `kb${n}.service`).join(' ');
    const script = `systemctl disable --now ${units} >/dev/null 2>&1; rm -rf /etc/kb /etc/systemd/system/kb?.service; groupdel kube 2>/dev/null; systemctl daemon-reload`;
    await Promise.all(this.hosts.map((host) => this.lab.exec(host, script)));
  }

  async close(): Promise<void> {
    for (const proxy of this.proxies) proxy.kill();
    await this.lab.down();
  }

  private vars() {
    return {
      ansible_user: 'root',
      ansible_ssh_private_key_file: this.lab.keyPath,
      ansible_python_interpreter: '/usr/bin/python3',
      ansible_ssh_common_args: '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null',
    };
  }
}

function place(address: string) {
  const at = address.lastIndexOf(':');
  return { ansible_host: address.slice(0, at), ansible_port: Number(address.slice(at + 1)) };
}

/** As an expert would set it up: pipelining, connections kept, no host key questions, forks for all hosts. */
const ansibleEnv = {
  ANSIBLE_PIPELINING: '1',
  ANSIBLE_HOST_KEY_CHECKING: 'False',
  ANSIBLE_SSH_ARGS: '-o ControlMaster=auto -o ControlPersist=60s',
  ANSIBLE_FORKS: '30',
  ANSIBLE_TIMEOUT: '60',
  ANSIBLE_NOCOLOR: '1',
  ANSIBLE_DEPRECATION_WARNINGS: 'False',
};

export const mitogenStrategy = '/usr/lib/python3/dist-packages/ansible_mitogen/plugins/strategy';

export const tools = {
  ansible: (inventory: string, playbook: string): Command => ({
    argv: ['ansible-playbook', '-i', inventory, playbook],
    env: ansibleEnv,
  }),
  mitogen: (inventory: string, playbook: string): Command => ({
    argv: ['ansible-playbook', '-i', inventory, playbook],
    env: { ...ansibleEnv, ANSIBLE_STRATEGY_PLUGINS: mitogenStrategy, ANSIBLE_STRATEGY: 'mitogen_linear' },
  }),
  kpush: (inventory: string, playbook: string): Command => ({
    argv: ['bin/kpush', 'apply', '-i', inventory, playbook, '--yes', '--output', 'plain'],
  }),
  floorOfChange: (key: string, addresses: string[], careful = false): Command => ({
    argv: [process.execPath, 'bench/floor-change.mjs', key, ...addresses, ...(careful ? ['--careful'] : [])],
  }),
  floor: (key: string, addresses: string[]): Command => ({
    argv: [process.execPath, 'bench/floor.mjs', key, ...addresses],
  }),
};
