import { World } from '../world/world.ts';
import type { Instance } from './instance.ts';
import { keywordText } from './keywords.ts';

/** The host whose shell runs the task: delegate_to, `connection: local`, or the host itself. */
export function delegateOf(instance: Instance): string {
  const { env, context, point } = instance;
  const delegate = keywordText(instance, context.keywords.delegateTo);
  if (delegate) return delegate;
  return env.tools.evaluator.connection(context.keywords, point) === 'local' ? 'localhost' : env.host;
}

/** What is known of another host is only what was asked for the task at hand. */
export function foreignWorld({ state }: Instance, on: string): World {
  return state.foreign?.host === on ? state.foreign.world : new World();
}
