import type { ModuleContext } from '../../core/module.ts';

/**
 * `make`, once for a task: its questions and its plan rest on the same rendered text and the same bytes of a file. What
 * fails is not kept, and fails again where it is told.
 */
export function oncePerTask<G extends object, T>(make: (given: G, ctx: ModuleContext) => T) {
  const made = new WeakMap<ModuleContext, { given: G; value: T }>();
  return (given: G, ctx: ModuleContext): T => {
    const known = made.get(ctx);
    if (known?.given === given) return known.value;
    const value = make(given, ctx);
    made.set(ctx, { given, value });
    return value;
  };
}
