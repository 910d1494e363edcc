import type { Module } from '../core/module.ts';
import type { ParamSpecs } from '../core/params.ts';
import { aptModule } from './apt.ts';
import { commandModule } from './command.ts';
import { copyModule } from './copy.ts';
import { failModule } from './fail.ts';
import { fileModule } from './file.ts';
import { groupModule } from './group.ts';
import { lineinfileModule } from './lineinfile.ts';
import { rawModule } from './raw.ts';
import { serviceModule } from './service.ts';
import { setupModule } from './setup.ts';
import { shellModule } from './shell.ts';
import { statModule } from './stat.ts';
import { systemdModule } from './systemd.ts';
import { templateModule } from './template.ts';
import { userModule } from './user.ts';

/** A module of any parameters, as the planner sees it: it hands over what coercion made of them. */
export type AnyModule = Module<ParamSpecs>;

/** Every module, in alphabetical order, one line each. */
export const modules: readonly AnyModule[] = [
  aptModule,
  commandModule,
  copyModule,
  failModule,
  fileModule,
  groupModule,
  lineinfileModule,
  rawModule,
  serviceModule,
  setupModule,
  shellModule,
  statModule,
  systemdModule,
  templateModule,
  userModule,
] as readonly unknown[] as readonly AnyModule[];

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
