import type { Effect } from './effects.ts';
import type { FactKey } from './facts.ts';
import type { Identity } from './identity.ts';

/** One thing a change trip does, as plain data: shown by a plan, run by apply, never a closure. */
export interface Step {
  /** What a person reads in progress lines: "write /etc/x", "start kubelet". */
  title: string;
  run: Run;
  effects: Effect[];
  diff?: Diff[];
  /** `go-on`: a failure does not end the trip (ignore_errors, failed_when). Default `stop`. */
  onFail?: 'stop' | 'go-on';
  /** `finish`: must not be cut; finishes under the run id and is adopted by the next contact. Default `end`. */
  onCut?: 'end' | 'finish';
  env?: Record<string, string>;
  /** Working directory of `sh` and `argv`. */
  cwd?: string;
  /** Seconds; the step's process group is ended after it. */
  timeout?: number;
  umask?: number;
  /** Exit codes that count as success. Default [0]. */
  okCodes?: number[];
  /** Facts read again right after it; they must equal what the effects predict. */
  proof?: FactKey[];
  /** Nothing lasting to prove (command, restart, touch): it is listed as "always". */
  always?: boolean;
}

export type Run =
  /** POSIX sh text, run by `sh` with stdin closed unless given. */
  | {
      kind: 'sh';
      script: string;
      stdin?: string;
      executable?: string;
      /** A few commands of ours that end at once, such as mkdir and chmod: no process group is made for them. */
      brief?: boolean;
    }
  | {
      kind: 'argv';
      argv: string[];
      stdin?: string /** expand $VAR and ~ as Ansible's command does */;
      expand?: boolean;
    }
  /** Atomic write (engine rule 20). */
  | PutRun
  /** Neighbouring ones merge: one reload, enables without reload, one start job (engine rule 18). */
  | { kind: 'systemd'; ops: SystemdOp[]; scope: 'system' | 'user' | 'global' };

export interface PutRun {
  kind: 'put';
  /** Where it ends up; already resolved as far as links are to be followed. */
  path: string;
  content: Content;
  /** Permission bits, decided by the planner; never left to a umask. */
  mode: number;
  /** Names or ids; absent: who runs it. */
  owner?: string;
  group?: string;
  /** Full path the old content is copied to first. */
  backup?: string;
  /** Command with `%s` for the temp file, run before the rename. */
  validate?: string;
  /** Write in place (bind mounts) instead of rename. */
  unsafeWrites?: boolean;
}

/** Bytes to be written: text sent inline, a controller file staged first by content address, or a file of the host. */
export type Content =
  | { kind: 'text'; text: string }
  | { kind: 'base64'; data: string }
  | { kind: 'blob'; path: string; sha256: string; size: number }
  /** A file of the host itself (copy with remote_src). */
  | { kind: 'host'; path: string };

export type SystemdOp =
  | { op: 'daemon-reload' | 'daemon-reexec' }
  | {
      op: 'enable' | 'disable' | 'mask' | 'unmask' | 'start' | 'stop' | 'restart' | 'reload' | 'reenable';
      unit: string;
      noBlock?: boolean;
    };

/** What a person reviews. `secret` parts are shown as hash and length. */
export type Diff =
  | {
      kind: 'text';
      path: string;
      before: string | null;
      after: string | null;
      secret?: boolean;
      unknownBefore?: string;
    }
  | { kind: 'bytes'; path: string; before: string | null; after: string | null }
  /** Attributes such as mode, owner, target, unit state, package version. */
  | { kind: 'fields'; subject: string; fields: { name: string; before: string | null; after: string | null }[] };

/** A step with the place in the run that the planner gave it. */
export interface PlannedStep extends Step {
  /** Unique on its host in this run; the same in plan, replay and journal. */
  key: string;
  /** Sequence number of the task instance it belongs to. */
  seq: number;
  task: { id: string; name: string };
  identity: Identity;
  /** The inventory host whose shell runs it (delegate_to), when not the host itself. */
  on?: string;
  noLog?: boolean;
  /** Predicted only, whoever drives: `check_mode: true`, or --check without `check_mode: false`. */
  dry: boolean;
  /** Facts read again right after it, and what its effects say they will be. */
  proves: { key: FactKey; expected: unknown }[];
  /** Raw answers the change rests on: asked again on the host before it writes. */
  rests: { identity: Identity; key: FactKey; raw: string }[];
}

/** What happened to a step. Text is latin1-free UTF-8, capped; `truncated` says so. */
export interface StepOutcome {
  key: string;
  status: 'ok' | 'failed' | 'timeout' | 'not-run' | 'predicted';
  rc: number;
  stdout: string;
  stderr: string;
  truncated?: boolean;
  /** Milliseconds since the epoch, by the controller's clock. */
  start: number;
  end: number;
  /** Filled when a proof differs from the prediction: "mode: expected 0644, is 0600". */
  unproven?: string[];
  /** Of a step that failed and acted on units: their status and last journal lines. */
  evidence?: string;
}
