export type Verb = 'apply' | 'plan' | 'exec' | 'ping' | 'facts' | 'status';

/** What an apply that is gone on with came to in one play: `at`: where that stands, with line and column. */
export interface EarlierPlay {
  at: string;
  /** In the order of the run. */
  hosts: string[];
  /** Those that failed or could not be reached, of whatever run since the first. */
  failed: string[];
}

/** What the command line asked for, before anything was read: paths and texts are as the user wrote them. */
export interface RunOptions {
  verb: Verb;
  /** Names the run in the journal, on the hosts and in temp files; made by the CLI. */
  runId: string;
  /** `-i`, in order: a file, a folder, or a host list with a comma. Empty: as ansible.cfg says. */
  inventories: string[];
  /** Playbooks in order, or one saved plan. Empty: playbooks/cluster.yaml. Unused by exec, ping, facts. */
  playbooks: string[];
  /** Host pattern of exec, ping, facts. */
  pattern?: string;
  /** `exec`: the words after `--`; one word is a shell line, several are an argument vector. */
  command?: string[];

  /** Each `-l` as written; they narrow one another. */
  limit: string[];
  /** Each `-t` / `--skip-tags` as written (comma lists not yet cut). */
  tags: string[];
  skipTags: string[];
  startAtTask?: string;
  /** Each `-e` as written: `k=v …`, YAML/JSON text, or `@file`. */
  extraVars: string[];

  /** Ansible's `--check`: predicts, and `ansible_check_mode` is true. */
  check: boolean;
  /** Show what differs. */
  diff: boolean;
  /** Do not ask before changing. */
  yes: boolean;
  /** Commands of the user's own that a plan would run to decide are unknown instead. */
  noProbes: boolean;
  detailedExitcode: boolean;
  /** `plan -o`: where the plan is saved. */
  planOut?: string;
  /** `apply PLAN`: tasks that the plan could only defer may do what they turn out to. */
  allowDeferred?: boolean;
  /** `resume`: its batches are those of the runs before, and so are the failures that their budgets count. */
  earlier?: EarlierPlay[];
  /** Print hosts, tasks or tags and run nothing (a `listing` event). */
  list?: 'hosts' | 'tasks' | 'tags';
  syntaxCheck: boolean;
  forceHandlers: boolean;
  /** Take over a host's lock even if its owner seems to live. */
  forceUnlock: boolean;

  /** Hosts worked on at once; default: ansible.cfg's, else kpush's own. */
  forks?: number;
  user?: string;
  privateKey?: string;
  connection?: string;
  /** Seconds to connect. */
  timeout?: number;
  sshCommonArgs?: string;
  sshExtraArgs?: string;
  /** Each absent unless given: inventory and keywords decide then. */
  become?: boolean;
  becomeMethod?: string;
  becomeUser?: string;
  askPass: boolean;
  askBecomePass: boolean;
  askVaultPass: boolean;
  connectionPasswordFile?: string;
  becomePasswordFile?: string;
  vaultPasswordFiles: string[];
  /** `label@source` as written. */
  vaultIds: string[];

  /** `ansible`: where kpush is stricter than Ansible, do as Ansible does. */
  compat?: 'ansible';
  /** Warnings about the input are errors. */
  strict: boolean;
  /** 0 to 4. */
  verbosity: number;
  output: 'pretty' | 'plain' | 'json';
  summaryFile?: string;
}

/** What a run may ask of whoever started it. */
export interface RunControl {
  /** First interrupt: running steps end, no other starts. */
  stop: AbortSignal;
  /** Second interrupt: connections close, which ends every remote process group. */
  close: AbortSignal;
  /**
   * Asked once, after planning, if there are changes; false: leave, nothing was changed. Absent: do not ask.
   * Events before it are the plan (between `phase: plan` and `phase: apply`).
   */
  confirm?(): Promise<boolean>;
  /**
   * Reads a line from the terminal, without echo when `secret`; `required`: the end of the input (Ctrl-D) is an input
   * error, not an empty line. Absent: there is no terminal.
   */
  prompt?(text: string, options: { secret: boolean; default?: string; required?: boolean }): Promise<string>;
  /** From now on this string is shown as *** wherever the run says anything. */
  conceal(secret: string): void;
}
