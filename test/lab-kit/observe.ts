import { readdirSync } from 'node:fs';
import { runningInit } from './host.ts';
import { readOr } from './proc.ts';
import type { HostRecord, LabRecord } from './store.ts';

/** A process as the host itself sees it: pids of the host's own namespace. */
export interface HostProcess {
  pid: number;
  ppid: number;
  uid: number;
  /** The arguments; empty for a kernel thread or a zombie. */
  cmdline: string[];
}

/** Every process of the host, by pid. Read from the host's /proc through this machine: nothing runs in the host. */
export function processesOf(lab: LabRecord, host: HostRecord): HostProcess[] {
  const proc = `/proc/${runningInit(lab, host)}/root/proc`;
  return readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((pid) => {
      const status = readOr(`${proc}/${pid}/status`);
      const cmdline = readOr(`${proc}/${pid}/cmdline`);
      if (status === undefined || cmdline === undefined) return [];
      return { pid, ppid: field(status, 'PPid'), uid: field(status, 'Uid'), cmdline: cmdline.split('\0').slice(0, -1) };
    });
}

/** One line of sshd's log. */
export interface SshdEntry {
  /** Microseconds since 1970. */
  at: number;
  pid: number;
  message: string;
}

export type SessionKind = 'command' | 'forced-command' | 'shell' | 'subsystem';

export interface SshdLog {
  entries: SshdEntry[];
  /** TCP connections sshd took. */
  connections: number;
  /** Logins accepted, by user. */
  accepted: { user: string; method: string }[];
  /** Sessions started: shells, commands and subsystems. Each is one exec round trip of a client. */
  sessions: { kind: SessionKind; user: string }[];
}

/** What sshd's journal (JSON lines of journalctl) says after `since` (µs since 1970). sshd logs at VERBOSE in the lab, else sessions are not named. */
export function parseSshdLog(journal: string, since = 0): SshdLog {
  const entries = journal
    .split('\n')
    .filter(Boolean)
    .map((line) => toEntry(JSON.parse(line)))
    .filter(({ at }) => at > since);
  return {
    entries,
    connections: entries.filter(({ message }) => message.startsWith('Connection from ')).length,
    accepted: entries.flatMap(toAccepted),
    sessions: entries.flatMap(toSession),
  };
}

function toEntry(line: Record<string, string>): SshdEntry {
  return {
    at: Number(line.__REALTIME_TIMESTAMP),
    pid: Number(line._PID ?? line.SYSLOG_PID),
    message: String(line.MESSAGE),
  };
}

function toAccepted({ message }: SshdEntry) {
  const found = /^Accepted (\S+) for (\S+) from /.exec(message);
  return found ? [{ method: found[1]!, user: found[2]! }] : [];
}

function toSession({ message }: SshdEntry): SshdLog['sessions'] {
  const found = /^Starting session: (command|forced-command|shell|subsystem)\b.* for (\S+) from /.exec(message);
  return found ? [{ kind: found[1] as SessionKind, user: found[2]! }] : [];
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]);
}
