import type { FilterTable } from '../definitions.ts';
import { basicFilters } from './basics.ts';
import { combinationFilters } from './combinations.ts';
import { commentFilters } from './comment.ts';
import { dateFilters } from './dates.ts';
import { dictFilters } from './dicts.ts';
import { hashFilters } from './hashes.ts';
import { listFilters } from './lists.ts';
import { networkFilters } from './network.ts';
import { numberFilters } from './numbers.ts';
import { pathFilters } from './paths.ts';
import { queryFilters } from './query.ts';
import { randomFilters } from './random.ts';
import { regexFilters } from './regex.ts';
import { selectFilters } from './select.ts';
import { serializeFilters } from './serialize.ts';
import { setFilters } from './sets.ts';
import { textFilters } from './text.ts';
import { webFilters } from './web.ts';
import { wrapFilters } from './wrap.ts';

export const standardFilters: FilterTable = {
  ...basicFilters,
  ...textFilters,
  ...listFilters,
  ...selectFilters,
  ...setFilters,
  ...dictFilters,
  ...numberFilters,
  ...randomFilters,
  ...regexFilters,
  ...serializeFilters,
  ...hashFilters,
  ...pathFilters,
  ...combinationFilters,
  ...webFilters,
  ...commentFilters,
  ...dateFilters,
  ...networkFilters,
  ...queryFilters,
  ...wrapFilters,
};
