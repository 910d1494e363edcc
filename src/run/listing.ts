import type { EventBody, ListedPlay } from '../core/events.ts';
import { scalarText } from '../core/plain.ts';
import type { Play, Task, TaskTree } from '../core/play.ts';
import { forTask, playContext, within } from '../plan/context.ts';
import type { Context } from '../plan/state.ts';
import type { Prepared } from './prepare.ts';

/** `--list-hosts`, `--list-tasks`, `--list-tags`: what would run, nothing connected. */
export function listing(list: 'hosts' | 'tasks' | 'tags', prepared: Prepared): EventBody {
  const plays = prepared.plays.map((play) => listed(play, prepared));
  return { type: 'listing', list, playbook: prepared.playbook.file, plays };
}

function listed(play: Play, { tools }: Prepared): ListedPlay {
  const wave = tools.wave(play, new Set());
  const context = playContext(play);
  const tasks = selected(play.tasks, context, tools.isSelected);
  return {
    name: wave.name,
    origin: play.origin,
    pattern: scalarText(play.hosts.value) ?? play.hosts.source ?? '',
    hosts: wave.hosts,
    tags: [...context.tags],
    tasks: tasks.map(({ task, tags }) => ({
      name: nameOf(task),
      origin: task.origin,
      role: task.role?.name,
      tags: [...tags],
    })),
  };
}

interface Selected {
  task: Task;
  tags: readonly string[];
}

function selected(
  trees: readonly TaskTree[],
  context: Context,
  isSelected: Prepared['tools']['isSelected'],
): Selected[] {
  return trees.flatMap((tree) => {
    if (tree.kind === 'block') {
      const inner = within(context, tree);
      return [tree.block, tree.rescue, tree.always].flatMap((part) => selected(part, inner, isSelected));
    }
    const { tags } = forTask(context, tree);
    return tree.implicit || !isSelected(tree, tags) ? [] : [{ task: tree, tags }];
  });
}

function nameOf(task: Task): string {
  return scalarText(task.name?.value ?? null) ?? task.moduleNode.written;
}
