import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import type { Keywords, Role } from '../core/play.ts';

/** A role as a play, a dependency or an import names it. */
export interface RoleCall {
  name: string;
  origin: Origin;
  /** Keywords of the entry: they hold for all its tasks, handlers and dependencies. */
  keywords: Keywords;
  params?: Node;
  entryVars?: Node;
  /** Roles that pull it in, outermost first. */
  chain: readonly Role[];
  from: { tasks?: string; vars?: string; defaults?: string; handlers?: string };
  /** Run it only once for the same name and parameters (unless its meta allows duplicates). */
  once: boolean;
  /** By a task while the play runs: another one than the same role among the play's. */
  included?: true;
}
