import { modeText } from '../../core/mode.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Diff } from '../../core/steps.ts';
import { file, type PresentFile } from '../../world/file.ts';
import { type TreeFact, tree } from '../../world/tree.ts';

/** Removes whatever stands at the path, directories with all that is in them; a link, never what it leads to. */
export function absent(given: { path: string }, world: WorldView, ctx: ModuleContext): Plan {
  const { path } = given;
  if (path === '/') throw new TaskFailure('refusing to remove /');
  const fact = file(world, path);
  const values = { path, state: 'absent' };
  if (!fact.exists) return { steps: [], result: result(false, values) };
  const below = fact.kind === 'directory' && ctx.diff ? tree(world, path) : undefined;
  return {
    steps: [
      {
        title: fact.kind === 'directory' ? `remove directory ${path}` : `remove ${path}`,
        run:
          fact.kind === 'directory'
            ? { kind: 'sh', script: `rm -rf ${quote(path)}` }
            : { kind: 'sh', brief: true, script: `rm -f ${quote(path)}` },
        effects: [{ type: 'file.remove', path }],
        diff: [removal(path, fact, below)],
      },
    ],
    result: result(true, values),
  };
}

function removal(path: string, fact: PresentFile, below: TreeFact | undefined): Diff {
  const fields = [{ name: 'state', before: fact.kind as string, after: 'absent' as string | null }];
  if (fact.mode !== undefined && fact.kind !== 'link')
    fields.push({ name: 'mode', before: modeText(fact.mode), after: null });
  if (fact.target !== undefined) fields.push({ name: 'target', before: fact.target, after: null });
  if (below) fields.push({ name: 'contains', before: listing(below), after: null });
  return { kind: 'fields', subject: path, fields };
}

/** Names shown of what a removed directory holds. */
const shown = 20;

function listing({ entries, more }: TreeFact): string {
  const files = entries.filter((entry) => entry.kind !== 'directory');
  if (entries.length === 0) return 'nothing';
  const count = more
    ? `more than ${entries.length} entries`
    : `${files.length} files, ${entries.length - files.length} directories`;
  // The host lists in its own order, a plan knows what was made last: shown alike.
  const inOrder = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const names = inOrder.slice(0, shown).map(({ path, kind }) => (kind === 'directory' ? `${path}/` : path));
  return `${count}: ${names.join(', ')}${entries.length > shown ? ', …' : ''}`;
}
