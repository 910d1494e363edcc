import { methods, standardEnvironment } from '../../jinja/index.ts';
import { templateTables } from '../tables.ts';
import { cell } from './keywords.ts';

/** Filters, tests, lookups, methods and functions of templates. */
export function templatesPage(): string {
  const tables = templateTables();
  const functions = [...standardEnvironment().globals.keys()].sort();
  return `# Templates

Made from the code. Nothing else can be called: there is no way from a template to JavaScript. Filters and tests also
answer to their names with \`ansible.builtin.\`, \`ansible.utils.\`, \`ansible.netcommon.\` and \`community.general.\`.

## Filters

${list(tables.filter)}
## Tests

${list(tables.test)}
## Lookups

For \`lookup\`, \`query\` and \`q\`, and with \`with_\` before them as loops. They run on the controller.

${list(tables.lookup)}
## Functions

${functions.map((name) => `\`${name}\``).join(', ')}, \`lookup\`, \`query\`, \`q\`

## Methods

${Object.entries(methods)
  .map(
    ([type, table]) =>
      `- of ${type}: ${[...table.keys()]
        .sort()
        .map((name) => `\`${name}\``)
        .join(', ')}`,
  )
  .join('\n')}
`;
}

function list(table: ReadonlyMap<string, { doc: string }>): string {
  const rows = [...table]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { doc }]) => `| \`${name}\` | ${cell(doc)} |`);
  return `| name | |\n| --- | --- |\n${rows.join('\n')}\n`;
}
