import type { Node } from '../core/node.ts';
import type { Play, Role } from '../core/play.ts';
import { type Layer, nodeLayers } from './layer.ts';

/** All roles of a play with their dependencies, weakest first: later entries win, a role wins over what it depends on. */
export function playRoles(play: Play): Role[] {
  const found = new Set<Role>();
  for (const role of play.roles) addRole(role, found);
  return [...found];
}

function addRole(role: Role, found: Set<Role>): void {
  for (const dependency of role.dependencies) addRole(dependency, found);
  found.delete(role);
  found.add(role);
}

/** Variables of the role a task belongs to and of those that pulled it in, strongest first. */
export function ownRoleVars(role: Role | undefined): Layer[] {
  if (!role) return [];
  return nodeLayers(
    `the vars of role ${role.name}`,
    weakestFirst(role, (each) => [each.entryVars, each.vars]),
  );
}

export function ownRoleDefaults(role: Role | undefined): Layer[] {
  if (!role) return [];
  return nodeLayers(
    `the defaults of role ${role.name}`,
    weakestFirst(role, (each) => [each.defaults]),
  );
}

export function ownRoleParams(role: Role | undefined): Layer[] {
  if (!role) return [];
  return nodeLayers(
    `the parameters of role ${role.name}`,
    [...role.chain, role].map((each) => each.params),
  );
}

/** The callers, then what the role depends on, then the role itself. */
function weakestFirst(role: Role, pick: (role: Role) => (Node | undefined)[]): (Node | undefined)[] {
  const dependencies = new Set<Role>();
  for (const dependency of role.dependencies) addRole(dependency, dependencies);
  return [...role.chain, ...dependencies, role].flatMap(pick);
}

/** Role variables that the whole play sees. */
export function sharedRoleVars(play: Play): Layer[] {
  return playRoles(play)
    .reverse()
    .flatMap((role) => nodeLayers(`the vars of role ${role.name}`, [role.entryVars, role.vars]));
}

export function sharedRoleDefaults(play: Play): Layer[] {
  return playRoles(play)
    .reverse()
    .flatMap((role) => nodeLayers(`the defaults of role ${role.name}`, [role.defaults]));
}
