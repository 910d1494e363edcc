import type { metaWords } from '../../core/play.ts';
import { playContext } from '../context.ts';
import { flushedHandlers } from '../handlers.ts';
import type { Instance, Instanced } from '../instance.ts';
import { failedOutcome, type Outcome, okOutcome } from '../outcome.ts';
import { Interruption } from '../turn.ts';
import { text } from './lib.ts';

/** meta: words to the engine itself. They are not counted as tasks. */
export function meta(instance: Instance): Instanced {
  const { state, env, task, point } = instance;
  const word = text(task.freeForm && env.tools.evaluator.value(task.freeForm, point)) ?? '';
  const act = Object.hasOwn(words, word) ? words[word as keyof typeof words] : undefined;
  if (!act) return { state, outcome: failedOutcome(`invalid meta action requested: ${word}`) };
  const { outcome, state: after } = act(instance);
  return { state: after, outcome: { ...outcome, silent: true } };
}

const words: Record<(typeof metaWords)[number], (instance: Instance) => Instanced> = {
  noop: ({ state }) => ({ state, outcome: okOutcome() }),
  flush_handlers: flush,
  clear_facts: ({ state }) => ({
    state: { ...state, vars: { ...state.vars, facts: new Map() } },
    outcome: okOutcome(),
  }),
  clear_host_errors: ({ state }) => ({ state, outcome: okOutcome() }),
  end_host: ({ state }) => ({ state, outcome: ending() }),
  end_play: ({ state }) => ({ state, outcome: ending() }),
  end_batch: ({ state }) => ({ state, outcome: ending() }),
  refresh_inventory: ({ state }) => ({ state, outcome: okOutcome() }),
  reset_connection: resetConnection,
};

function flush({ state, env }: Instance): Instanced {
  const nodes = flushedHandlers(state, env);
  const context = playContext(env.run.play);
  return {
    state,
    outcome: { ...okOutcome(), ...(nodes.length > 0 ? { include: { nodes, context, handlers: true } } : {}) },
  };
}

function ending(): Outcome {
  return { ...okOutcome(), ends: true };
}

function resetConnection(instance: Instance): Instanced {
  const { state, env, task } = instance;
  if (state.acted || env.scout) return { state, outcome: okOutcome() };
  if (state.pending.length > 0) throw new Interruption({ kind: 'cut', state });
  throw new Interruption({
    kind: 'need',
    need: {
      kind: 'act',
      call: {
        action: 'reset_connection',
        params: {},
        host: env.host,
        on: env.host,
        identity: {},
        seq: state.seq,
        task: { id: task.id, name: 'reset connection' },
        origin: task.origin,
      },
    },
    resume: (reply) => (reply.kind === 'acted' ? { ...state, acted: reply.result } : state),
  });
}
