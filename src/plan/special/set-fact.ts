import { isString, type Value } from '../../jinja/values.ts';
import { give, receiverOf, take } from '../gifts.ts';
import type { Instance, Instanced } from '../instance.ts';
import { failedOutcome } from '../outcome.ts';

/** set_fact: eager, for this host (or whom `delegate_facts` says), until the end of the run; two keys of one task cannot see each other. */
export function setFact(instance: Instance): Instanced {
  const { state, env, task, point } = instance;
  const given = task.params ? env.tools.evaluator.value(task.params, point) : undefined;
  if (!(given instanceof Map) || given.size === 0)
    return {
      state,
      outcome: failedOutcome('No key/value pairs provided, at least one is required for this action to succeed'),
    };
  const facts = new Map<string, Value>();
  for (const [key, value] of given) if (key !== 'cacheable') facts.set(nameOf(key, instance), worded(value));
  const bad = [...facts.keys()].find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (bad !== undefined) return { state, outcome: failedOutcome(`The variable name '${bad}' is not valid.`) };
  const to = receiverOf(instance);
  const vars = to ? give(state.vars, { to, set: facts }) : take(state.vars, [{ to: env.host, set: facts }]);
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

/** A name may be a template, too. */
function nameOf(key: Value, { env, task, point }: Instance): string {
  const text = textOf(key);
  if (!text.includes('{{')) return text;
  return textOf(env.tools.evaluator.value({ value: text, origin: task.origin, literal: false }, point));
}

function textOf(value: Value): string {
  return isString(value) && typeof value !== 'string' ? value.text : String(value);
}

/** Ansible makes booleans of these words, quoted or not. */
function worded(value: Value): Value {
  const word = isString(value) ? textOf(value).toLowerCase() : '';
  if (word === 'yes' || word === 'true') return true;
  return word === 'no' || word === 'false' ? false : value;
}
