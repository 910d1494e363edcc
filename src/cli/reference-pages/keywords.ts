import { docEntries } from '../doc-entries.ts';

/** What may stand on plays, blocks and tasks, and the loops there are. */
export function keywordsPage(): string {
  const entries = docEntries().filter((entry) => entry.kind === 'keyword');
  const rows = entries.map(
    ({ name, on, form, summary }) => `| \`${name}\` | ${on.join(', ')} | ${form} | ${cell(summary)} |`,
  );
  return `# Keywords

Made from the code. \`kpush doc KEYWORD\` says the same.

| keyword | on | form | what it does |
| --- | --- | --- | --- |
${rows.join('\n')}

A loop is \`loop:\`, or \`with_\` and the name of one of the [lookups](templates.md#lookups).
`;
}

/** Text in a table: its bars would end the cell. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
