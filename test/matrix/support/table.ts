import { type Cell, flavours, loginShells, product, ways, whole } from './cells.ts';
import { type Row, rows } from './rows.ts';

/** docs/matrix.md: what the matrix suite proves, cell by cell. */
export function matrixText(): string {
  return `${[head, productTable(), wholeList(), ...groups().map(groupTable)].join('\n\n')}\n`;
}

const head = `# The matrix of ways to a host

Written by \`npm run matrix\`, which proves every cell on real hosts: \`same\` means that a playbook with a bit of
everything did in every task what it does elsewhere, left the same bytes on the host, and found nothing to do the second
time. Other words name the error that is told at once, and without a second try. \`npm test\` runs a part of it.`;

function productTable(): string {
  const cells = (shell: string, way: string) => product.filter((cell) => cell.login === shell && cell.way === way);
  const lines = ways.map(({ name }) => [name, ...loginShells.map((shell) => verdict(cells(shell, name)))]);
  return [
    '## Login shell × way × tools',
    '',
    `Each cell stands for three hosts: with the coreutils of ${Object.keys(flavours).join(', ')}.`,
    '',
    table([['', ...loginShells], ...lines]),
  ].join('\n');
}

function verdict(cells: readonly Cell[]): string {
  return [...new Set(cells.map(({ fails }) => fails?.name ?? 'same'))].join(', ');
}

function wholeList(): string {
  const lines = whole.map(({ login, way, flavour }) => [login, way, flavour, 'same']);
  return `## All of bench/site.yml\n\n${table([['login shell', 'way', 'tools', ''], ...lines])}`;
}

function groups(): [string, Row[]][] {
  const names = [...new Set(rows.map(({ group }) => group))];
  return names.map((name) => [name, rows.filter(({ group }) => group === name)]);
}

function groupTable([name, members]: [string, Row[]]): string {
  const lines = members.map((row) => [row.name, row.fails?.table ?? 'same']);
  return `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n${table([['', ''], ...lines])}`;
}

function table([first = [], ...rest]: string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(first), line(first.map(() => '---')), ...rest.map(line)].join('\n');
}
