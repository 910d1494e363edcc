import type { Origin } from '../core/origin.ts';
import type { TaskTree } from '../core/play.ts';
import type { Context } from './context.ts';
import { wrongType } from './expect.ts';

/** The tasks of a file, read in a context that stands in it. `from`: the place that names it. */
export function tasksOfFile(path: string, from: Origin, context: Context): TaskTree[] {
  const { sources } = context.loading;
  const node = sources.yaml(path, from);
  if (node.value !== null && !node.items) throw wrongType(node, sources.show(path), 'a list of tasks');
  return context.taskList(node, { ...context, file: path });
}
