import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import { scalarText } from '../core/plain.ts';
import type { Value } from '../jinja/index.ts';

export interface FailureBudget {
  /** The wave stops when more hosts than this have failed. */
  failures: number;
  says: string;
  /** max_failures is given: a batch that failed as a whole counts like any others. */
  bearsBatches?: true;
}

/** `max_fail_percentage` (stop when failed / all is more) and `max_failures`, whichever is smaller. Values are rendered. */
export function failureBudget(
  total: number,
  percentage: Given | undefined,
  failures: Given | undefined,
): FailureBudget | undefined {
  const limits = [
    ...(percentage
      ? [
          {
            failures: Math.floor((numberOf(percentage, 'max_fail_percentage') * total) / 100 + 1e-9),
            says: `max_fail_percentage ${shown(percentage)}`,
          },
        ]
      : []),
    ...(failures ? [{ failures: numberOf(failures, 'max_failures'), says: `max_failures ${shown(failures)}` }] : []),
  ];
  const [least] = limits.sort((a, b) => a.failures - b.failures);
  const bears = failures ? { bearsBatches: true as const } : {};
  return least && { ...least, ...bears, says: `more than ${least.failures} of ${total} hosts failed (${least.says})` };
}

export interface Given {
  node: Node;
  value: Value;
}

function numberOf({ node, value }: Given, name: string): number {
  const number = Number((scalarText(value) ?? '').replace(/%$/, ''));
  if (Number.isFinite(number) && number >= 0 && scalarText(value) !== '') return number;
  throw inputError(`'${name}' is no number`, { origin: node.origin, expected: 'a number' });
}

function shown({ value }: Given): string {
  return scalarText(value) ?? '';
}
