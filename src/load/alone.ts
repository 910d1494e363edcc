import type { KpushError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { type Context, Ids, newPlayParts } from './context.ts';
import { type LoadOptions, newLoading } from './playbook.ts';
import { taskList } from './tasks.ts';

/** A task as it stands, by itself. */
export interface AloneTask {
  origin: Origin;
  /** What is wrong with it, or with a block around it (then the same error stands in each of its tasks). */
  problems: KpushError[];
}

/**
 * The tasks of a list, those in blocks too, each checked by itself: what it imports is not read, so that a tree of
 * which only parts are there can be judged.
 */
export function tasksAlone(
  list: Node,
  where: { file: string; handler?: boolean },
  options: LoadOptions,
  above: readonly KpushError[] = [],
): AloneTask[] {
  return (list.items ?? []).flatMap((item) => {
    const inner: Node[] = [];
    const context = aloneContext(where, options, inner);
    taskList({ ...list, items: [item] }, context);
    const problems = [...above, ...context.loading.problems.errors];
    if (!item.entries?.has('block')) return [{ origin: item.origin, problems }];
    return inner.flatMap((node) => tasksAlone(node, where, options, problems));
  });
}

/** `inner` gets the lists of a block. */
function aloneContext(where: { file: string; handler?: boolean }, options: LoadOptions, inner: Node[]): Context {
  return {
    ...{ loading: newLoading(options), ids: new Ids(), play: newPlayParts(), alone: true },
    ...{ playFile: where.file, file: where.file, handler: where.handler ?? false },
    ...{ staticVars: [], importing: [where.file] },
    taskList: (node) => {
      inner.push(node);
      return [];
    },
  };
}
