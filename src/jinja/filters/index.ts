import type { FilterTable } from '../definitions.ts';
import { basicFilters } from './basics.ts';
import { dictFilters } from './dicts.ts';
import { listFilters } from './lists.ts';
import { selectFilters } from './select.ts';
import { setFilters } from './sets.ts';
import { textFilters } from './text.ts';

export const standardFilters: FilterTable = {
  ...basicFilters,
  ...textFilters,
  ...listFilters,
  ...selectFilters,
  ...setFilters,
  ...dictFilters,
};
