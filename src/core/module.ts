import type { Value } from '../jinja/values.ts';
import type { Answer, FactKey, Wants } from './facts.ts';
import type { ParamRules } from './param-rules.ts';
import type { ParamSpecs, Params } from './params.ts';
import type { Result } from './result.ts';
import type { Step, StepOutcome } from './steps.ts';

/**
 * A module is a pure value: it says which facts it needs and, from them, which steps make its parameters true.
 * No connection, no I/O, no clock; everything it may know comes in through `world` and `ctx`.
 */
export interface Module<S extends ParamSpecs = ParamSpecs> {
  /** Ansible's short name. */
  name: string;
  /** Other names it answers to (`systemd_service`, `ansible.posix.sysctl`). */
  aliases?: readonly string[];
  doc: ModuleDoc;
  params: S;
  /** How they depend on each other. */
  rules?: ParamRules;
  /** Its steps may change anything on the host (command, shell, unarchive …). */
  opaque?: boolean;
  /** The parameter that free-form text fills (`cmd` of command). */
  freeForm?: string & keyof S;
  /** Every fact known to be needed from the parameters alone, so that one trip can ask for all. */
  facts(params: Params<S>, ctx: ModuleContext): FactKey[];
  /**
   * What to do and what the task will return. Reads facts through `world`; a fact not yet asked aborts the call and
   * it is made again with the answer. Throws TaskFailure where Ansible's module would fail.
   */
  plan(params: Params<S>, world: WorldView, ctx: ModuleContext): Plan;
  /** The real result from the real outcomes. Default: the predicted one, failed if a step failed. */
  complete?(params: Params<S>, predicted: Result, outcomes: StepOutcome[], ctx: ModuleContext): Result;
}

export interface ModuleDoc {
  summary: string;
  /** Paragraphs. */
  notes?: string[];
  /** YAML of example tasks. */
  examples: string;
  /** Fields of the result. */
  returns?: Record<string, string>;
}

export interface Plan {
  /** Empty: nothing to do. */
  steps: Step[];
  result: Result;
  warnings?: string[];
  /** What a plan shows of it also where there is nothing to do: what was found, one line each. */
  notes?: string[];
}

/** Read access to what is known of the host, effects of earlier planned steps folded in. */
export interface WorldView {
  /** Never returns a missing answer: asks for it (see Module.plan). Denied and unknown answers are returned. */
  read(family: string, id: string, wants?: Wants): Answer;
}

/** What a module may know besides the host's facts. All of it is decided by the controller. */
export interface ModuleContext {
  host: string;
  taskName: string;
  /** Facts gathered so far (`ansible_facts` without prefix). */
  facts: ReadonlyMap<string, Value>;
  /** Under --check or `check_mode: true`. */
  checkMode: boolean;
  diff: boolean;
  noLog: boolean;
  /** User that acts on the host; '' when it is not known yet. */
  remoteUser: string;
  env: Record<string, string>;
  /** One id for the run (temp names, backup names) and one time for the run, milliseconds since the epoch. */
  runId: string;
  now: number;
  /** Fresh random hex of `bytes` bytes, the same each time the same task instance is planned. */
  random(bytes: number): string;
  files: ControllerFiles;
}

/** Read-only view of the controller's files, with Ansible's search paths already applied. */
export interface ControllerFiles {
  /** A file or directory for copy, script, unarchive …; `kind` names the search folder. Throws TaskFailure if missing. */
  find(kind: 'files' | 'templates' | 'vars' | 'tasks', name: string): ControllerFile;
  /** Renders a template file or text as the template module does. */
  template(name: string, options: TemplateOptions): Value;
}

export interface ControllerFile {
  path: string;
  kind: 'file' | 'directory';
  size: number;
  mode: number;
  mtime: number;
  sha256(): string;
  bytes(): Buffer;
  /** Entries below a directory, relative paths in order, directories and files. */
  walk(): { path: string; file: ControllerFile }[];
}

export interface TemplateOptions {
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  newline?: string;
  blockStart?: string;
  blockEnd?: string;
  variableStart?: string;
  variableEnd?: string;
  commentStart?: string;
  commentEnd?: string;
  /** Remote destination, for template variables. */
  dest?: string;
}
