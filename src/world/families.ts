import type { FactFamily } from '../core/facts.ts';
import { baseFamily } from './base.ts';
import { contentFamily } from './content.ts';
import { expandFamily } from './expand.ts';
import { fileFamily } from './file.ts';
import { groupFamily } from './group.ts';
import { managerFamily } from './manager.ts';
import { packageFamily } from './package.ts';
import { selfFamily } from './self.ts';
import { unitFamily } from './unit.ts';
import { userFamily } from './user.ts';

/** Every registered question: what a plan may send. One line each; `file` first, others look paths up in it. */
const all: FactFamily<never>[] = [
  fileFamily as FactFamily<never>,
  contentFamily as FactFamily<never>,
  expandFamily as FactFamily<never>,
  selfFamily as FactFamily<never>,
  baseFamily as FactFamily<never>,
  groupFamily as FactFamily<never>,
  managerFamily as FactFamily<never>,
  packageFamily as FactFamily<never>,
  unitFamily as FactFamily<never>,
  userFamily as FactFamily<never>,
];

export const families: ReadonlyMap<string, FactFamily> = new Map(
  all.map((family) => [family.name, family as unknown as FactFamily]),
);
