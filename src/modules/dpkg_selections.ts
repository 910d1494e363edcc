import { result, TaskFailure } from '../core/result.ts';
import { type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { completeTold, oneStep } from './lib/one-step.ts';

export const dpkgSelectionsModule = defineModule({
  name: 'dpkg_selections',
  doc: {
    summary: 'Says what dpkg shall do with a package, such as holding its version',
    examples: '- dpkg_selections: {name: kubelet, selection: hold}\n',
    returns: { before: 'the selection as it was', after: 'the selection as it is' },
  },
  params: {
    name: { type: 'str', operand: true, doc: 'The package', required: true },
    selection: {
      type: 'str',
      doc: 'What shall be done with it',
      required: true,
      choices: ['install', 'hold', 'deinstall', 'purge'],
    },
  },
  facts: ({ name }) => [toolKey(query(name))],
  plan({ name, selection }, world) {
    const { rc, stdout = '' } = tool(world, query(name));
    if (rc === 127) throw new TaskFailure('this host has no dpkg');
    const before = stdout.split(/\s+/)[1] ?? 'not present';
    const values = { before, after: selection };
    if (before === selection) return { steps: [], result: result(false, values) };
    if (before === 'not present') throw unknown(name);
    const step = oneStep({
      title: `mark ${name} ${selection}`,
      ...{ argv: ['dpkg', '--set-selections'], stdin: `${name} ${selection}\n` },
      ...{ subject: `package ${name}`, field: 'selection', before, after: selection },
      effects: [{ type: 'fact.unknown', family: 'package', id: name, why: 'its selection is changed' }],
      answers: [[query(name), { rc: 0, stdout: stdout.replace(/\S+$/, selection) }]],
    });
    return { steps: [step], result: result(true, values) };
  },
  complete: (_params, predicted, outcomes) => completeTold(predicted, outcomes),
});

function query(name: string): ToolQuery {
  return { argv: ['dpkg', '--get-selections', name] };
}

/** dpkg passes over names it does not know with a warning: nothing would be kept. */
function unknown(name: string): TaskFailure {
  return new TaskFailure(`dpkg knows no package ${name}`, {}, 'install it in an earlier task, or check its name');
}
