import type { FactFamily } from '../core/facts.ts';
import { contentFamily } from './content.ts';
import { expandFamily } from './expand.ts';
import { fileFamily } from './file.ts';
import { selfFamily } from './self.ts';

/** Every registered question: what a plan may send. One line each; `file` first, others look paths up in it. */
const all: FactFamily<never>[] = [
  fileFamily as FactFamily<never>,
  contentFamily as FactFamily<never>,
  expandFamily as FactFamily<never>,
  selfFamily as FactFamily<never>,
];

export const families: ReadonlyMap<string, FactFamily> = new Map(
  all.map((family) => [family.name, family as unknown as FactFamily]),
);
