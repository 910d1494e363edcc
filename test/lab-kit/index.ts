/** The lab: throwaway Debian hosts with real systemd and sshd on this machine. See docs/lab.md. */
export { LabError } from './errors.ts';
export { compareFiles, excluded, type FileChanges, type FileEntry } from './files.ts';
export type { Power } from './host.ts';
export { type ExecOptions, type HostRef, Lab, type LabHost } from './lab.ts';
export type { UpOptions } from './lifecycle.ts';
export type { Networks } from './network.ts';
export type { HostProcess, SshdEntry, SshdLog } from './observe.ts';
export type { Result } from './shell.ts';
