import { isString, type Value } from '../../jinja/values.ts';
import type { Instance, Instanced } from '../instance.ts';
import { failedOutcome } from '../outcome.ts';

/** set_fact: eager, for this host, until the end of the run; two keys of one task cannot see each other. */
export function setFact({ state, env, task, point }: Instance): Instanced {
  const given = task.params ? env.tools.evaluator.value(task.params, point) : undefined;
  if (!(given instanceof Map) || given.size === 0)
    return {
      state,
      outcome: failedOutcome('No key/value pairs provided, at least one is required for this action to succeed'),
    };
  const facts = new Map<string, Value>();
  for (const [key, value] of given) if (key !== 'cacheable') facts.set(keyText(key), value);
  const bad = [...facts.keys()].find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (bad !== undefined) return { state, outcome: failedOutcome(`The variable name '${bad}' is not valid.`) };
  const vars = { ...state.vars, set: new Map([...state.vars.set, ...facts]) };
  return {
    state: { ...state, vars },
    outcome: {
      status: 'ok',
      result: { changed: false, values: new Map([['ansible_facts', new Map<Value, Value>(facts)]]) },
      steps: [],
      ran: [],
      setsFacts: false,
    },
  };
}

function keyText(key: Value): string {
  return isString(key) && typeof key !== 'string' ? key.text : String(key);
}
