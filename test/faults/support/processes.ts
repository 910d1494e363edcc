import type { HostProcess, Lab } from '../../lab-kit/index.ts';

/**
 * Command lines of the processes that were not there `before` and are no part of the system's own comings and goings;
 * without those that `spared` names, and their descendants.
 */
export function processesSince(lab: Lab, host: string, before: ReadonlySet<number>, spared?: RegExp): string[] {
  const all = lab.processes(host).filter(({ pid, cmdline }) => !before.has(pid) && !isSystem(cmdline));
  const kept = spared ? withDescendants(all, spared) : new Set();
  return all.filter(({ pid }) => !kept.has(pid)).map(({ cmdline }) => cmdline.join(' ').slice(0, 120));
}

function withDescendants(all: readonly HostProcess[], spared: RegExp): Set<number> {
  const kept = new Set(all.filter(({ cmdline }) => spared.test(cmdline.join(' '))).map(({ pid }) => pid));
  for (let size = -1; size !== kept.size; ) {
    size = kept.size;
    for (const { pid, ppid } of all) if (kept.has(ppid)) kept.add(pid);
  }
  return kept;
}

function isSystem(cmdline: readonly string[]): boolean {
  return (
    cmdline.length === 0 ||
    /^(sshd|\/usr\/sbin\/sshd|\/lib\/systemd|\(|systemd|\/usr\/bin\/dbus|dbus|\/sbin\/agetty)/.test(cmdline[0]!)
  );
}
