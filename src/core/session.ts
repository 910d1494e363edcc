import type { Identity } from './identity.ts';

/** Read-only shell text of one fact family that prints `records` records, each ended by `kp_sep`. */
export interface AskBlock {
  /** Functions that the script calls: sent once to each shell, by name. */
  library?: { name: string; text: string };
  script: string;
  records: number;
  /** What each record answers, for errors: the text of its key. */
  names?: string[];
  /** It holds something that must not be seen in argv, where the first ask of a shell may travel. */
  secret?: boolean;
}

/** One step as the host sees it: complete sh text, run in its own process group under the identity of its trip. */
export interface RemoteStep {
  key: string;
  script: string;
  /** Fed to the step's stdin; absent: stdin is closed (/dev/null). */
  stdin?: string;
  /** `go-on`: a failure does not end the trip. */
  onFail: 'stop' | 'go-on';
  /** `finish`: never ended by us; runs in its own session, output and rc kept under /run/kpush/RUN for adoption. */
  onCut: 'end' | 'finish';
  /** Seconds; the step's group is ended after it. */
  timeout?: number;
  okCodes: number[];
  /**
   * The script is ours, and ends at once or calls functions that the living shell has (kp_place): it runs in a subshell
   * there, without a process group and timeout of its own, which saves four processes.
   */
  inShell?: boolean;
  /** Facts read right after the step, in the same trip. */
  proof: AskBlock[];
  /** How many steps later its facts are read, with that one's: whatever became of the steps between. Absent: 0. */
  provedAfter?: number;
}

/** Lock, guard, steps with proofs, then the next questions: one script, one framed answer per identity. */
export interface ChangeTrip {
  identity: Identity;
  run: string;
  /** Text kept in the lock for others to read: who, from where. */
  owner: string;
  /** Take over a lock whose owner still seems to live. */
  forceUnlock?: boolean;
  /** Records asked again before anything is written; `sha256` (hex) is over all of them, each followed by one \n. */
  guard?: { blocks: AskBlock[]; sha256: string };
  steps: RemoteStep[];
  /** Asked at the end, unless a failure stopped the trip. */
  next: AskBlock[];
  /** None is expected to follow: the shell ends with it, without being told. */
  last?: boolean;
}

export interface StepReply {
  key: string;
  status: 'ok' | 'failed' | 'timeout' | 'not-run';
  rc: number;
  stdout: Buffer;
  stderr: Buffer;
  /** True when output beyond the cap (1 MiB a stream, head and tail kept) was dropped. */
  truncated: boolean;
  start: number;
  end: number;
  /** Records of each block of its proof, or of the proof of the step whose facts are read with its own. */
  proof: string[][];
}

export type ChangeReply =
  | { status: 'ran'; steps: StepReply[]; next: string[][]; stopped: boolean; adopted?: AdoptedStep[] }
  /** The guard did not match: nothing was written. */
  | { status: 'stale'; adopted?: AdoptedStep[] }
  | { status: 'locked'; owner: string; run: string; since: string };

/** A `finish` step of an earlier, cut trip that this contact found: waited for if it still ran, and reported once. */
export interface AdoptedStep {
  run: string;
  key: string;
  /** 255: it ended without leaving a code; -1: it still runs, a stop ended the waiting. */
  rc: number;
  stdout: Buffer;
  stderr: Buffer;
}

/** A file sent ahead by content address; resumed when partly there, verified before `path` exists. */
export interface Blob {
  /** File on the controller. */
  source: string;
  sha256: string;
  size: number;
  /** Where it is staged on the host: a sibling of the final target, or the blob store. Relative: in the identity's store. */
  path: string;
}

/** A host's part in handing a blob on. */
export interface Served {
  /** It has the blob already. */
  has: boolean;
  /** It has some of it, from a run that was cut off. */
  part: boolean;
  /** Where it serves the blob, also while it comes in; absent: it cannot. */
  at?: { address: string; port: number };
}

/** Where to take a blob from. */
export interface BlobSource {
  address: string;
  port: number;
  /** Known to the server of this one blob alone. */
  token: string;
  /** Seconds without a byte after which it is given up. */
  patience: number;
  /** What is there of it is thrown away. */
  fresh: boolean;
}

/** `short`: broke off, what came is kept; `refused`: no such server, or not for us; `wrong`: sha256, all thrown away. */
export type Pulled = 'done' | 'short' | 'refused' | 'wrong';

export interface LiveOutput {
  begin?(key: string): void;
  output?(key: string, stream: 'stdout' | 'stderr', text: string): void;
  end?(key: string, rc: number): void;
}

/**
 * What kpush has on one host: one connection, one living shell per identity, opened on first use.
 * Record text is latin1 (a char a byte). Errors are SessionError; one that lost the link is never an answer.
 */
export interface Session {
  /** Connects while something else is done. How that ends is told by whatever is asked next. */
  warm?(signal?: AbortSignal): void;
  ask(identity: Identity, blocks: AskBlock[], signal?: AbortSignal): Promise<string[][]>;
  change(trip: ChangeTrip, live: LiveOutput, signal?: AbortSignal): Promise<ChangeReply>;
  stage(identity: Identity, blob: Blob, progress: (sent: number) => void, signal?: AbortSignal): Promise<void>;
  /** Serves a blob to whoever knows the token, until the session ends. `address`: the host's, or an interface's name. */
  serve(identity: Identity, blob: Blob, address: string, token: string, signal?: AbortSignal): Promise<Served>;
  /** Has the host take a blob from another. */
  pull(identity: Identity, blob: Blob, from: BlobSource, signal?: AbortSignal): Promise<Pulled>;
  /** Bytes of a file on the host, capped. */
  fetch(identity: Identity, path: string, limit: number, signal?: AbortSignal): Promise<Buffer>;
  /** Lets the running step end and starts no other. */
  stop(): void;
  /** New connection and shells on next use (after a reboot, group change, reset_connection). */
  reset(): Promise<void>;
  close(): Promise<void>;
  readonly stats: { connections: number; trips: number; sent: number; received: number };
}

export type SessionErrorKind =
  | 'unreachable'
  | 'auth'
  | 'host-key'
  | 'become'
  | 'lost'
  | 'timeout'
  | 'protocol'
  | 'aborted';

/** Why there is no answer. `transient` ones may be tried again; `phase` says how far it came (dns, tcp, kex, …). */
export class SessionError extends Error {
  readonly kind: SessionErrorKind;
  readonly transient: boolean;
  readonly phase: string;
  readonly hint: string | undefined;
  /** A change that broke off: the steps whose end and proofs were seen before. */
  seen: readonly StepReply[] = [];

  constructor(
    kind: SessionErrorKind,
    phase: string,
    message: string,
    options: { transient?: boolean; hint?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SessionError';
    this.kind = kind;
    this.phase = phase;
    this.transient = options.transient ?? false;
    this.hint = options.hint;
  }
}

/** How to reach a host, decided by resolve from inventory, keywords, flags, ansible.cfg and ssh_config. */
export interface Target {
  host: string;
  transport: 'ssh' | 'openssh' | 'local';
  address: string;
  /** The name by which ssh_config knows it; absent: `host`. */
  sshName?: string;
  /** ssh arguments as they were given, for the transport that runs ssh. */
  sshArgs?: string[];
  port: number;
  user: string;
  /** Private key files in the order to try. */
  identityFiles: string[];
  identitiesOnly: boolean;
  agent?: string;
  password?: string;
  passphrases: Record<string, string>;
  knownHostsFiles: string[];
  strictHostKeyChecking: 'yes' | 'accept-new' | 'no' | 'ask';
  hostKeyAlias?: string;
  hashKnownHosts: boolean;
  proxyJump?: Target;
  proxyCommand?: string;
  /** Seconds. */
  connectTimeout: number;
  keepaliveInterval: number;
  keepaliveCount: number;
  connectionAttempts: number;
  /** Password for become, only ever sent on stdin. */
  becomePassword?: string;
  remoteTmp?: string;
  shell: string;
  ciphers?: string[];
  macs?: string[];
  kex?: string[];
  hostKeyAlgorithms?: string[];
  localAddress?: string;
  family?: 4 | 6;
  certificateFile?: string;
}
