import type { Filter, Test } from './environment.ts';
import { signature } from './signature.ts';

export type FilterTable = Record<string, Filter>;
export type TestTable = Record<string, Test>;

/** A filter: its parameters behind the value, one line of documentation, and what it does. */
export function filter(parameters: string, doc: string, run: Filter['run']): Filter {
  return { signature: signature(parameters), doc, run };
}

/** A filter that is called with Unknown too, because it does not need the value itself. */
export function openFilter(parameters: string, doc: string, run: Filter['run']): Filter {
  return { ...filter(parameters, doc, run), takesAnything: true };
}

export function test(parameters: string, doc: string, run: Test['run']): Test {
  return { signature: signature(parameters), doc, run };
}

export function openTest(parameters: string, doc: string, run: Test['run']): Test {
  return { ...test(parameters, doc, run), takesAnything: true };
}

/** The same filter or test under more names. */
export function aliases<T>(names: string, definition: T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, definition]));
}
