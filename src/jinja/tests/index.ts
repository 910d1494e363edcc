import type { TestTable } from '../definitions.ts';
import { comparisonTests } from './comparisons.ts';
import { fileTests } from './files.ts';
import { regexTests } from './regex.ts';
import { resultTests } from './results.ts';
import { typeTests } from './types.ts';
import { uriTests } from './uris.ts';
import { versionTests } from './versions.ts';

export const standardTests: TestTable = {
  ...typeTests,
  ...comparisonTests,
  ...resultTests,
  ...regexTests,
  ...versionTests,
  ...fileTests,
  ...uriTests,
};
