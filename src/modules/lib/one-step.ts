import type { Effect } from '../../core/effects.ts';
import type { FactKey } from '../../core/facts.ts';
import { quoteAll } from '../../core/quote.ts';
import type { Result } from '../../core/result.ts';
import type { Step, StepOutcome } from '../../core/steps.ts';
import { type ToolFact, type ToolQuery, toolKey, toolSet } from '../../world/tool.ts';
import { output } from './ran.ts';

/** A change by one command of the host, with one setting before and after it. */
export interface Change {
  title: string;
  argv: readonly string[];
  stdin?: string;
  subject: string;
  field: string;
  before: string | null;
  after: string | null;
  /** What the tool will answer afterwards; asked again to prove it. */
  answers?: readonly [query: ToolQuery, fact: ToolFact][];
  effects?: readonly Effect[];
  /** A secret is shown as stars. */
  secret?: boolean;
}

/** Daemons' folders come last in PATH: accounts of services often lack them. */
export const sbin = 'PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin';

export function oneStep(change: Change): Step {
  const { title, argv, stdin, subject, field, answers = [], effects = [], secret } = change;
  const shown = (value: string | null) => (secret && value !== null ? '***' : value);
  const proof: FactKey[] = answers.map(([query]) => toolKey(query));
  return {
    title,
    run: {
      kind: 'sh',
      script: `${sbin}; export LC_ALL=C; exec ${quoteAll(argv)}`,
      ...(stdin === undefined ? {} : { stdin }),
    },
    effects: [...answers.map(([query, fact]) => toolSet(query, fact)), ...effects],
    ...(proof.length ? { proof } : {}),
    diff: [
      { kind: 'fields', subject, fields: [{ name: field, before: shown(change.before), after: shown(change.after) }] },
    ],
  };
}

/** The predicted result; where a step failed, with what it printed. */
export function completeTold(predicted: Result, outcomes: readonly StepOutcome[]): Result {
  const bad = outcomes.find(({ status }) => status === 'failed' || status === 'timeout');
  if (!bad) return predicted;
  const told = output(bad);
  const msg = String(told.stderr || told.stdout || `exit code ${bad.rc}`);
  return {
    ...predicted,
    failed: true,
    values: new Map([...predicted.values, ...Object.entries({ ...told, rc: bad.rc, msg })]),
  };
}
