import { result, TaskFailure } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { completeTold, oneStep } from './lib/one-step.ts';

export const debconfModule = defineModule({
  name: 'debconf',
  doc: {
    summary: 'Answers the questions of Debian packages before they are installed',
    notes: ['Passwords are not told by debconf: such a question is answered again each time.'],
    examples:
      "- debconf: {name: iptables-persistent, question: iptables-persistent/autosave_v4, vtype: boolean, value: 'true'}\n",
    returns: { current: 'answers as they are now', previous: 'answers as they were' },
  },
  params: {
    name: { type: 'str', operand: true, doc: 'The package', required: true, aliases: ['pkg'] },
    question: {
      type: 'str',
      operand: true,
      doc: 'The question; without one the answers are only told',
      aliases: ['selection', 'setting'],
    },
    vtype: {
      type: 'str',
      doc: 'Kind of the answer',
      choices: ['boolean', 'error', 'multiselect', 'note', 'password', 'seen', 'select', 'string', 'text', 'title'],
    },
    value: { type: 'str', doc: 'The answer', aliases: ['answer'] },
    unseen: { type: 'bool', doc: 'The question is asked all the same', default: false },
  },
  rules: { together: [['question', 'vtype', 'value']] },
  facts: ({ name }) => [toolKey(query(name))],
  plan({ name, question, vtype, value = '', unseen }, world) {
    if (/[\r\n]/.test(value)) throw new TaskFailure('an answer of debconf is one line');
    const { rc, stdout = '' } = tool(world, query(name));
    if (rc === 127) throw new TaskFailure('this host has no debconf');
    const before = answers(stdout);
    const wanted = vtype === 'boolean' ? value.toLowerCase() : value;
    if (question === undefined || same(before.get(question), wanted, vtype))
      return { steps: [], result: result(false, { msg: '', current: before as Map<Value, Value> }) };
    const step = oneStep({
      title: `answer ${question}`,
      argv: ['debconf-set-selections', ...(unseen ? ['--unseen'] : [])],
      stdin: `${name} ${question} ${vtype} ${wanted}\n`,
      ...{ subject: `answers of ${name}`, field: question, before: before.get(question) ?? null, after: wanted },
      effects: [{ type: 'fact.unknown', family: 'tool', id: toolKey(query(name)).id, why: `${question} is answered` }],
      secret: vtype === 'password',
    });
    const previous = before.has(question) ? new Map([[question, before.get(question)!]]) : before.set(question, '');
    const current = new Map<Value, Value>([[question, wanted]]);
    return { steps: [step], result: result(true, { msg: '', current, previous: previous as Map<Value, Value> }) };
  },
  complete: (_params, predicted, outcomes) => completeTold(predicted, outcomes),
});

/** debconf-show prints in another order each time, and what a change rests on is compared as text. */
function query(name: string): ToolQuery {
  return { argv: ['sh', '-c', sorted, name] };
}

const sorted = 'o=$(debconf-show "$0") || exit; printf "%s\\n" "$o" | sort';

function same(before: string | undefined, wanted: string, vtype: string | undefined): boolean {
  return (vtype === 'boolean' ? before?.toLowerCase() : before) === wanted;
}

/** Lines such as `* question: answer`; the star marks what was seen. */
function answers(text: string): Map<string, string> {
  return new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const found = /^[* ]*([^:]+):\s*(.*?)\s*$/.exec(line);
      return found ? [[found[1]!.trim(), found[2]!]] : [];
    }),
  );
}
