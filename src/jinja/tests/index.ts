import type { TestTable } from '../definitions.ts';
import { comparisonTests } from './comparisons.ts';
import { resultTests } from './results.ts';
import { typeTests } from './types.ts';

export const standardTests: TestTable = { ...typeTests, ...comparisonTests, ...resultTests };
