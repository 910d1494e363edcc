import type { TestReport } from './harness.ts';

/** An item of a checklist in docs: `- NAME: words`, then `Shown by` with the ids of tests, or why it cannot apply. */
export interface ChecklistItem {
  name: string;
  tests: string[];
  /** Why no test can show it; empty where tests do. */
  exempt: string;
}

export interface ChecklistRules {
  /** Where the text lies, for the reports. */
  file: string;
  items: number;
  exempt: number;
}

/** The checklists that `npm test` judges. */
export const checklists: readonly ChecklistRules[] = [
  { file: 'docs/seed-checklist.md', items: 60, exempt: 0 },
  { file: 'docs/field-reports.md', items: 124, exempt: 15 },
];

/**
 * Reports on a checklist: one an item whose tests did not run or that names none, and one on its size. An item reads
 *
 *     - `NAME`: what is kept to.
 *       Shown by `suite › test`; `suite › another`.
 *
 * or ends with `Cannot apply: a sentence.`
 */
export function judgeChecklist(text: string, ran: ReadonlySet<string>, rules: ChecklistRules): TestReport[] {
  const items = checklistItems(text);
  const found = items.map((item) => judgeItem(item, ran, rules));
  return [...found, ...sizes(items, rules)];
}

export function checklistItems(text: string): ChecklistItem[] {
  return text
    .split(/^- /m)
    .slice(1)
    .map((item) => {
      const name = /^`([^`]+)`/.exec(item)?.[1] ?? item.split(':')[0] ?? '';
      const shown = /Shown by ([\s\S]*)/.exec(item)?.[1] ?? '';
      const exempt = /Cannot apply: ([\s\S]*?)\n?$/.exec(item)?.[1] ?? '';
      return { name, tests: [...shown.matchAll(/`([^`]+)`/g)].map((match) => squash(match[1] ?? '')), exempt };
    });
}

function judgeItem(item: ChecklistItem, ran: ReadonlySet<string>, rules: ChecklistRules): TestReport {
  const report: TestReport = { id: `${rules.file} › ${item.name}`, file: rules.file, ms: 0 };
  if (item.exempt) return report;
  if (item.tests.length === 0) return { ...report, error: 'no test shows it' };
  const missing = item.tests.filter((id) => !ran.has(id));
  return missing.length === 0 ? report : { ...report, error: `no suite passed: ${missing.join('; ')}` };
}

function sizes(items: readonly ChecklistItem[], rules: ChecklistRules): TestReport[] {
  const names = new Set(items.map(({ name }) => name));
  const exempt = items.filter((item) => item.exempt).length;
  const report: TestReport = { id: `${rules.file} › holds ${rules.items} items`, file: rules.file, ms: 0 };
  if (names.size !== rules.items || names.size !== items.length)
    return [{ ...report, error: `${names.size} different items of ${items.length}` }];
  return [exempt > rules.exempt ? { ...report, error: `${exempt} items are said not to apply` } : report];
}

/** Ids may be broken over lines, as prose is. */
function squash(id: string): string {
  return id.replace(/\s+/g, ' ');
}
