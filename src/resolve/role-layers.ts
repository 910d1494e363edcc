import type { Node } from '../core/node.ts';
import type { Play, Role } from '../core/play.ts';
import { type Layer, mergedLayer, nodeLayers } from './layer.ts';

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

/** Variables of the role a task belongs to and of those that pulled it in. */
export const ownRoleVars = perRole((role) =>
  nodeLayers(
    `the vars of role ${role.name}`,
    weakestFirst(role, (each) => [each.entryVars, each.vars]),
  ),
);

export const ownRoleDefaults = perRole((role) =>
  nodeLayers(
    `the defaults of role ${role.name}`,
    weakestFirst(role, (each) => [each.defaults]),
  ),
);

export const ownRoleParams = perRole((role) =>
  nodeLayers(
    `the parameters of role ${role.name}`,
    [...role.chain, role].map((each) => each.params),
  ),
);

/** Of a role that was included for the whole play to see, and of what it depends on. */
export const roleVars = perRole((role) => [role, ...dependenciesOf(role)].flatMap(varsOf));
export const roleDefaults = perRole((role) => [role, ...dependenciesOf(role)].flatMap(defaultsOf));

/** Role variables that the whole play sees. */
export const sharedRoleVars = perPlay(varsOf);
export const sharedRoleDefaults = perPlay(defaultsOf);

function varsOf(role: Role): Layer[] {
  return nodeLayers(`the vars of role ${role.name}`, [role.entryVars, role.vars]);
}

function defaultsOf(role: Role): Layer[] {
  return nodeLayers(`the defaults of role ${role.name}`, [role.defaults]);
}

/** All that a role depends on, strongest first. */
function dependenciesOf(role: Role): Role[] {
  const found = new Set<Role>();
  for (const dependency of role.dependencies) addRole(dependency, found);
  return [...found].reverse();
}

/** Made once per role: what was read of it does not change. */
function perRole(make: (role: Role) => Layer[]): (role: Role | undefined) => Layer | undefined {
  const known = new WeakMap<Role, Layer | undefined>();
  return (role) => {
    if (!role) return undefined;
    if (!known.has(role)) known.set(role, oneLayer(make(role)));
    return known.get(role);
  };
}

function perPlay(make: (role: Role) => Layer[]): (play: Play) => Layer | undefined {
  const known = new WeakMap<readonly Role[], Layer | undefined>();
  return (play) => {
    if (!known.has(play.roles)) known.set(play.roles, oneLayer(playRoles(play).reverse().flatMap(make)));
    return known.get(play.roles);
  };
}

function oneLayer(layers: Layer[]): Layer | undefined {
  return layers.length > 0 ? mergedLayer(layers) : undefined;
}

/** The callers, then what the role depends on, then the role itself. */
function weakestFirst(role: Role, pick: (role: Role) => (Node | undefined)[]): (Node | undefined)[] {
  const dependencies = new Set<Role>();
  for (const dependency of role.dependencies) addRole(dependency, dependencies);
  return [...role.chain, ...dependencies, role].flatMap(pick);
}
