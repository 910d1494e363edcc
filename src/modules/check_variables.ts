import { result, TaskFailure } from '../core/result.ts';
import { defineModule } from './define.ts';
import { typeProblem, variableTypes } from './lib/variable-types.ts';

/** One entry of the declaration; entries with `section` alone are headings. */
interface Declared {
  name?: string;
  type?: string;
  optional?: boolean;
  choices?: unknown[];
}

export const checkVariablesModule = defineModule({
  name: 'check_variables',
  doc: {
    summary: 'Fails unless variables are what their declaration says',
    notes: [
      `Types: ${Object.keys(variableTypes).join(', ')}; one-of takes \`choices\`. All problems are told at once.`,
      'An entry is `name`, `type`, `optional` and `doc`; one with `section` alone is a heading for the documentation.',
    ],
    examples: `- check_variables:
    declared: "{{ lookup('file', 'variables.yaml') | from_yaml }}"
    values: {kube_version: "{{ kube_version }}"}
`,
    returns: { checked: 'how many variables were looked at' },
  },
  params: {
    declared: { type: 'list', elements: 'dict', doc: 'The declaration', required: true },
    values: { type: 'dict', doc: 'Values by name', required: true },
  },
  facts: () => [],
  plan(params) {
    const declared = (params.declared as Declared[]).filter(({ name }) => name !== undefined);
    const problems = declared.flatMap((entry) => problemOf(entry, params.values[entry.name!]) ?? []);
    if (problems.length > 0) throw new TaskFailure(problems.join('\n'), { problems });
    return { steps: [], result: result(false, { checked: declared.length }) };
  },
});

function problemOf({ name, type = 'text', optional, choices }: Declared, value: unknown): string | undefined {
  if (value === undefined || value === null) return optional ? undefined : `${name} is not set`;
  const problem = typeProblem(type, value, choices);
  return problem && `${name}: ${problem}`;
}
