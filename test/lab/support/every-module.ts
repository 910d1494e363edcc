import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { modules } from '../../../src/modules/registry.ts';

type Task = Record<string, unknown>;

/** Modules that ask an apiserver; on a plain host they say that there is none. */
export const needCluster = [
  'etcd_member',
  'etcd_quorum',
  'kube_cordon',
  'kube_drain',
  'kube_evictable',
  'kube_node',
  'kube_nodes',
  'kube_uncordon',
];
/** Modules whose programs a plain host does not have. */
export const needPrograms = ['dnf', 'git', 'pip', 'rpm_key'];

/**
 * A play that uses every registered module: with the tasks below, or else with that of every-module/site.yaml. The
 * files that the tasks take from the controller are made in `dir`.
 */
export function everyModule(dir: string, host: string): Task {
  controllerFiles(dir);
  const [{ tasks: plain }] = parse(readFileSync('test/lab/every-module/site.yaml', 'utf8')) as [{ tasks: Task[] }];
  // What is absent is unknown once a package was installed: those that install come last.
  const order = [...modules].sort((a, b) => Number(installs.has(a.name)) - Number(installs.has(b.name)));
  const tasks = order.flatMap(({ name }) => own[name] ?? plain.filter((task) => Object.keys(task)[0] === name));
  return {
    hosts: host,
    gather_facts: true,
    vars: { inventory_words: 'one two', archive: join(dir, 'files/tree.tgz') },
    tasks: tasks.map((task, at) => ({ name: `${at}`, ...task, ignore_errors: true })),
  };
}

const installs = new Set(['apt', 'package']);

function controllerFiles(dir: string) {
  cpSync('test/lab/every-module', dir, { recursive: true });
  for (const name of ['files/tree/sub', 'files/bin', 'templates']) mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, 'files/plain.txt'), 'plain\n');
  writeFileSync(join(dir, 'files/tree/sub/leaf'), 'leaf\n');
  writeFileSync(join(dir, 'files/prepare.sh'), '#!/bin/sh\necho prepared >/prepared\n', { mode: 0o755 });
  writeFileSync(join(dir, 'templates/motd.j2'), '{{ inventory_words }}\n');
  execFileSync('tar', ['-czf', join(dir, 'files/tree.tgz'), '-C', join(dir, 'files'), 'tree']);
}

const unitText = '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n';

/** Tasks by module, for those whose examples cannot be planned on a plain host, or that have more than one way to ask. */
const own: Record<string, Task[]> = {
  apt: [
    { apt: { name: ['socat', 'curl'], state: 'present' } },
    { apt: { name: 'conntrack', update_cache: true } },
    { apt: { name: 'curl', state: 'latest' } },
    { apt: { name: 'no-such-package-anywhere' } },
    { apt: { name: 'procps', state: 'absent' } },
  ],
  assert: [{ assert: { that: ['ansible_facts.memtotal_mb > 1'] } }],
  blockinfile: [{ blockinfile: { path: '/etc/hosts', block: '10.0.0.10 api.example' } }],
  check_variables: [{ check_variables: { declared: [{ name: 'a' }], values: { a: '1' } } }],
  command: [
    { command: 'touch /by-command', args: { creates: '/by-command' } },
    { command: 'touch /by-command', args: { removes: '/var/lib/no-*' } },
    { command: { argv: ['touch', '/by probe'], unless: 'test -e "/by probe"', only_if: 'true' } },
    { command: 'touch here', args: { chdir: '~', creates: '~/here' } },
  ],
  copy: [
    { copy: { content: 'new\n', dest: '/etc/motd', owner: 'daemon', mode: '0600', backup: true } },
    { copy: { src: 'plain.txt', dest: '/srv/' } },
    { copy: { src: 'tree', dest: '/srv/tree', directory_mode: '0750' } },
    { copy: { src: '/etc/ssh/', dest: '/srv/ssh', remote_src: true } },
  ],
  debug: [{ debug: { msg: '{{ ansible_facts.distribution }}' } }],
  fail: [{ fail: { msg: 'as told' } }],
  file: [
    { file: { path: '/srv/deep/er', state: 'directory', mode: '2755', group: 'daemon' } },
    { file: { path: '/etc/apt', state: 'directory', recurse: true, mode: 'u=rwX,g=rX,o=', owner: 'daemon' } },
    { file: { path: '/etc/cron.daily', state: 'absent' } },
    { file: { path: '/srv/link', src: '/etc/hostname', state: 'link' } },
    { file: { path: '/srv/hard', src: '/etc/hostname', state: 'hard' } },
    { file: { path: '/etc/hostname', state: 'touch' } },
    { file: { path: '/etc/hostname', state: 'touch', modification_time: '202001020304.05', access_time: 'preserve' } },
  ],
  find: [{ find: { paths: ['/etc', '/var/lib/dpkg'], patterns: '*.conf', recurse: true, get_checksum: true } }],
  footprint: [
    { footprint: { state: 'noted', files: ['/etc/motd'], units: ['ssh.service'], packages: ['socat', 'curl'] } },
    { footprint: { state: 'removed', files: ['/etc/motd', '/srv/no*'], units: ['no.service'], packages: ['socat'] } },
  ],
  fresh_service: [{ fresh_service: { name: 'ssh', enabled: true, files: ['/etc/ssh/sshd_config', '/etc/none'] } }],
  get_url: [
    { get_url: { url: 'http://192.0.2.1/x', dest: '/srv/got', checksum: `sha256:${'0'.repeat(64)}`, timeout: 2 } },
    { get_url: { url: 'http://127.0.0.1:9/x', dest: '/srv/got', checksum: 'sha256:http://127.0.0.1:9/x.sha256' } },
  ],
  group: [{ group: { name: 'daemon', gid: 4711 } }, { group: { name: 'kube', system: true } }],
  hyperkube: [{ hyperkube: { source: 'example/hyperkube:v1.18.20', version: 'v1.18.20', via: 'host' } }],
  kube_binaries: [
    { kube_binaries: { names: ['kubelet'], version: 'v1.20.2', url: 'http://127.0.0.1:9/{name}', sha256: {} } },
  ],
  lineinfile: [{ lineinfile: { path: '/etc/hosts', regexp: '^127', line: '127.0.0.1 me', backup: true } }],
  mount: [
    { mount: { path: '/mnt', src: '/dev/vdb', fstype: 'ext4', state: 'mounted' } },
    { mount: { path: '/mnt', src: '/dev/vdb', fstype: 'ext4', state: 'present' } },
  ],
  raw: [{ raw: 'touch /by-raw' }],
  replace: [{ replace: { path: '/etc/hosts', regexp: 'localhost', replace: 'nowhere' } }],
  script: [{ script: 'prepare.sh --fast', args: { creates: '/prepared' } }],
  service: [{ service: { name: 'ssh', state: 'restarted', enabled: true } }],
  set_fact: [{ set_fact: { word: 'one' } }],
  setup: [{ setup: {} }, { setup: { gather_subset: ['all'] } }],
  shell: [{ shell: 'echo x >/by-shell' }],
  slurp: [{ slurp: { src: '/etc/hostname' } }],
  stat: [
    { stat: { path: '/etc/hostname', checksum_algorithm: 'sha512', get_mime: true, get_attributes: true } },
    { stat: { path: '/lib', follow: true } },
  ],
  systemd: [
    { systemd: { name: 'ssh', state: 'stopped', daemon_reload: true } },
    { systemd: { name: 'no-such-unit', state: 'started' } },
    { systemd: { name: 'systemd-timesyncd.service', enabled: false, masked: true } },
  ],
  systemd_unit: [{ systemd_unit: { name: 'new.service', content: unitText, enabled: true, state: 'started' } }],
  template: [{ template: { src: 'motd.j2', dest: '/etc/motd', validate: 'cat %s' } }],
  unarchive: [
    { unarchive: { src: 'tree.tgz', dest: '/srv' } },
    { unarchive: { src: '/srv/there.tgz', dest: '/srv', remote_src: true } },
  ],
  user: [
    { user: { name: 'deploy', groups: ['adm'], append: true, shell: '/bin/sh', password: '*' } },
    { user: { name: 'newcomer', create_home: true } },
    { user: { name: 'daemon', state: 'absent', remove: true } },
  ],
};
