import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { codeLines, findCycle, type Import, importsOf, roomOf, sourceFiles } from './imports.ts';

/** Which rooms of src a room may import from, besides itself (docs/architecture.md explains them). */
const allowed: Record<string, string[] | 'all'> = {
  jinja: [],
  core: ['jinja'],
  load: ['core', 'jinja'],
  kubernetes: ['core', 'jinja'],
  resolve: ['load', 'core', 'jinja'],
  world: ['core', 'jinja'],
  modules: ['world', 'kubernetes', 'core', 'jinja'],
  gates: ['world', 'core', 'jinja'],
  plan: ['world', 'core', 'jinja'],
  actions: ['core', 'jinja'],
  remote: ['core'],
  transports: ['remote', 'core'],
  apply: ['plan', 'remote', 'gates', 'world', 'core', 'jinja'],
  payload: ['world', 'core'],
  report: ['core'],
  cli: 'all',
  'kpush.ts': 'all',
  run: 'all',
};

/** Generated and data files, exempt from the size rule. */
const data = /\.(data|generated)\.ts$/;

const files = sourceFiles('src');
const imports = files.flatMap((file) => importsOf(file));
const architecture = suite('architecture');

architecture('each room imports only from the rooms it may touch', () => assert.equal(imports.flatMap(trespass), []));

architecture('no cycle of run-time imports', () => assert.is(findCycle(imports)?.join(' → '), undefined));

architecture('at most 250 lines of code a file', () => {
  const long = files
    .filter((file) => !data.test(file))
    .map((file) => [file, codeLines(readFileSync(file, 'utf8'))] as const);
  assert.equal(
    long.filter(([, lines]) => lines > 250).map(([file, lines]) => `${file}: ${lines}`),
    [],
  );
});

architecture('a plan cannot reach what writes: plan imports neither apply, remote nor transports', () => {
  const reached = reachable('src/plan/plan-driver.ts');
  assert.equal(
    [...reached].filter((file) => /^src\/(apply|remote|transports)\//.test(file)),
    [],
  );
});

architecture('no code made from text', () => {
  const makers = files.filter((file) => /\beval\(|new Function\(/.test(readFileSync(file, 'utf8')));
  assert.equal(makers, []);
});

architecture('the checks catch what they are for', () => {
  const wrong: Import = { from: 'src/modules/x.ts', to: 'src/transports/ssh.ts', typeOnly: false };
  assert.is(trespass(wrong).length, 1);
  const circle = [
    { from: 'a', to: 'b', typeOnly: false },
    { from: 'b', to: 'a', typeOnly: false },
  ];
  assert.equal(findCycle(circle), ['a', 'b', 'a']);
  assert.is(codeLines('// no\n\n/* no\n no */\nyes();\n'), 1);
});

architecture.run();

function trespass({ from, to }: Import): string[] {
  const [room, target] = [roomOf(from), roomOf(to)];
  const rooms = allowed[room];
  if (rooms === undefined) return [`${from}: the room ${room} is not in the table`];
  return room === target || rooms === 'all' || rooms.includes(target) ? [] : [`${from} imports ${to}`];
}

function reachable(start: string): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { from, to, typeOnly } of imports) if (from === file && !typeOnly) visit(to);
  };
  visit(start);
  return seen;
}
