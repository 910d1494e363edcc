import type { Node } from '../core/node.ts';
import type { Filter } from '../jinja/environment.ts';
import type { Value } from '../jinja/values.ts';
import type { Sources } from '../load/sources.ts';
import type { Inventory } from './inventory.ts';
import type { LookupTools } from './lookup-tools.ts';
import type { RandomSource } from './random-places.ts';
import type { TargetDefaults } from './target-defaults.ts';

/** What one run's evaluator rests on. */
export interface ResolveSettings {
  inventory: Inventory;
  sources: Sources;
  /** `-e` variables as one mapping. */
  extraVars?: Node;
  /** Answers to vars_prompt, by play id. */
  prompted?: ReadonlyMap<string, ReadonlyMap<string, Value>>;
  /** What the flags say that templates can read. */
  flags?: MagicFlags;
  target?: Partial<TargetDefaults>;
  lookups?: LookupTools;
  /** Filters beside the engine's own. */
  filters?: Readonly<Record<string, Filter>>;
  /** One clock for the run: plan and apply render the same. */
  now?(): Date;
  /** The random bytes of a place: the same ones, from the beginning, whenever it is asked. Absent: never the same. */
  randomAt?(place: string): RandomSource;
  /** Whether tasks of this run may set the variable; reading it of another host then waits for that host. Absent: any may. */
  produced?(name: string): boolean;
}

export interface MagicFlags {
  diff?: boolean;
  forks?: number;
  limit?: string;
  tags?: readonly string[];
  skipTags?: readonly string[];
  verbosity?: number;
  inventories?: readonly string[];
  configFile?: string;
}
