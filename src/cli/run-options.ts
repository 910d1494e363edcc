import type { RunOptions, Verb } from '../core/options.ts';
import { newRunId } from '../report/journal.ts';
import type { Io } from './io.ts';
import { isInteractive } from './look.ts';

/** What commander read: only what the user gave is there. */
export type Given = Record<string, unknown>;

export interface Target {
  verb: Verb;
  playbooks?: string[];
  pattern?: string;
  command?: string[];
}

/** The command line as the run takes it. */
export function toRunOptions(target: Target, given: Given, io: Io): RunOptions {
  const get = <T>(name: string) => given[name] as T | undefined;
  const list = (name: string) => get<string[]>(name) ?? [];
  const flag = (name: string) => get<boolean>(name) === true;
  const verb = target.verb === 'apply' && flag('dryRun') ? 'plan' : target.verb;
  return {
    verb,
    runId: newRunId(new Date()),
    inventories: list('inventory'),
    playbooks: target.playbooks ?? [],
    pattern: target.pattern,
    command: target.command,
    limit: list('limit'),
    tags: list('tags'),
    skipTags: list('skipTags'),
    startAtTask: get('startAtTask'),
    extraVars: list('extraVars'),
    check: flag('check'),
    diff: get<boolean>('diff') ?? verb === 'plan',
    yes: flag('yes'),
    noProbes: get<boolean>('probes') === false,
    detailedExitcode: flag('detailedExitcode'),
    planOut: get('out'),
    allowDeferred: get('allowDeferred'),
    list: flag('listHosts') ? 'hosts' : flag('listTasks') ? 'tasks' : flag('listTags') ? 'tags' : undefined,
    syntaxCheck: flag('syntaxCheck'),
    forceHandlers: flag('forceHandlers'),
    forceUnlock: flag('forceUnlock'),
    forks: get('forks'),
    user: get('user'),
    privateKey: get('privateKey'),
    connection: get('connection'),
    timeout: get('timeout'),
    sshCommonArgs: get('sshCommonArgs'),
    sshExtraArgs: get('sshExtraArgs'),
    become: get('become'),
    becomeMethod: get('becomeMethod'),
    becomeUser: get('becomeUser'),
    askPass: flag('askPass'),
    askBecomePass: flag('askBecomePass'),
    askVaultPass: flag('askVaultPass'),
    connectionPasswordFile: get('connectionPasswordFile'),
    becomePasswordFile: get('becomePasswordFile'),
    vaultPasswordFiles: list('vaultPasswordFile'),
    vaultIds: list('vaultId'),
    compat: get('compat'),
    strict: flag('strict'),
    verbosity: Math.min(4, get<number>('verbose') ?? 0),
    output: get('output') ?? (isInteractive(io) ? 'pretty' : 'plain'),
    summaryFile: get('summaryFile'),
  };
}
