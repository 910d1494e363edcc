import type { Module } from '../core/module.ts';
import type { ParamSpecs } from '../core/params.ts';
import { failModule } from './fail.ts';

/** A module of any parameters, as the planner sees it: it hands over what coercion made of them. */
export type AnyModule = Module<ParamSpecs>;

/** Every module, in alphabetical order, one line each. */
export const modules: readonly AnyModule[] = [failModule] as readonly unknown[] as readonly AnyModule[];

const byName = new Map(modules.flatMap((module) => namesOf(module).map((name) => [name, module] as const)));

/** The module behind a name or an alias (short names, as the loader makes them); undefined: there is none. */
export function findModule(name: string): AnyModule | undefined {
  return byName.get(name);
}

/** Every name that `findModule` knows. */
export function moduleNames(): string[] {
  return [...byName.keys()];
}

function namesOf(module: AnyModule): string[] {
  return [module.name, ...(module.aliases ?? [])];
}
