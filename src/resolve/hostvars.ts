import { LazyDict, type Value } from '../jinja/values.ts';
import type { Inventory } from './inventory.ts';
import type { LayeredScope } from './scope.ts';

/** `hostvars`: each host's variables as it sees them outside of any play. */
export class HostVars extends LazyDict {
  private readonly inventory: Inventory;
  private readonly scopeOf: (host: string) => LayeredScope;

  constructor(inventory: Inventory, scopeOf: (host: string) => LayeredScope) {
    super();
    this.inventory = inventory;
    this.scopeOf = scopeOf;
  }

  get(name: string): Value | undefined {
    return this.inventory.host(name) ? new ScopeDict(this.scopeOf(name)) : undefined;
  }

  keys(): Iterable<string> {
    return this.inventory.hosts.keys();
  }
}

/** A scope as a dict: `vars`, and one host of `hostvars`. */
export class ScopeDict extends LazyDict {
  private readonly scope: LayeredScope;

  constructor(scope: LayeredScope) {
    super();
    this.scope = scope;
  }

  get(name: string): Value | undefined {
    return this.scope.get(name);
  }

  keys(): Iterable<string> {
    return this.scope.names();
  }
}
