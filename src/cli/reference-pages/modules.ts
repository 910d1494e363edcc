import type { ParamSpecs } from '../../core/params.ts';
import { builtinModules } from '../../load/builtins.ts';
import { type DocEntry, docEntries } from '../doc-entries.ts';
import { paramFacts } from '../doc-text.ts';
import { cell } from './keywords.ts';

type Declared = Exclude<DocEntry, { kind: 'keyword' }>;

/** Modules, actions and gates with all their parameters. */
export function modulesPage(): string {
  const entries = docEntries().filter((entry): entry is Declared => entry.kind !== 'keyword');
  const modules = entries.filter(({ kind }) => kind !== 'gate').sort((a, b) => (a.name < b.name ? -1 : 1));
  return `# Modules and gates

Made from the code. \`kpush doc NAME\` says the same. Short names, \`ansible.builtin.\`, \`ansible.legacy.\`,
\`ansible.posix.\` and \`community.general.\` name the same module.

## Modules

${modules.map(section).join('\n')}
## Words of the loader

${[...builtinModules].map(([name, params]) => `### ${name}\n\n${table(params)}`).join('\n')}
## Gates

${entries
  .filter(({ kind }) => kind === 'gate')
  .map(section)
  .join('\n')}`;
}

function section({ name, aliases, doc, params, freeForm }: Declared): string {
  const also = aliases.length > 0 ? `Also called ${aliases.map((alias) => `\`${alias}\``).join(', ')}.\n\n` : '';
  const free = freeForm === undefined ? '' : `Text in place of parameters is \`${freeForm}\`.\n\n`;
  const notes = (doc.notes ?? []).map((note) => `${note}\n\n`).join('');
  return `### ${name}\n\n${doc.summary}.\n\n${also}${free}${notes}${table(params)}`;
}

function table(params: ParamSpecs): string {
  const rows = Object.entries(params).map(
    ([name, spec]) => `| \`${name}\` | ${cell(paramFacts(spec))} | ${cell(spec.doc)} |`,
  );
  return rows.length === 0 ? 'No parameters.\n' : `| parameter | | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}
