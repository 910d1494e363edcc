import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { shortName } from '../../../src/load/names.ts';
import { suite } from '../../support/harness.ts';
import { mustKeywords, mustModules } from './must.data.ts';

const corpus = suite('the corpus of playbooks');
const folder = 'test/conformance/playbooks';
type Entries = Record<string, unknown>;
const plays = readdirSync(folder)
  .filter((name) => name.endsWith('.yml'))
  .flatMap(
    (name) => parse(readFileSync(join(folder, name), 'utf8'), { version: '1.1', logLevel: 'error' }) as Entries[],
  );
const tasks = plays.flatMap((play) =>
  ['pre_tasks', 'tasks', 'post_tasks', 'handlers'].flatMap((name) => flat((play[name] ?? []) as Entries[])),
);

corpus('it holds at least 150 small playbooks', () => {
  assert.ok(plays.length >= 150, `${plays.length}`);
});

corpus('every file of it is run by one part of the suite', () => {
  const parts = readdirSync('test/conformance').filter((name) => name.startsWith('playbooks-'));
  const text = parts.map((name) => readFileSync(join('test/conformance', name), 'utf8')).join('\n');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yml') && name !== 'imported.yml');
  const wrong = files.filter((name) => text.split(`'${name.slice(0, -4)}'`).length !== 2);
  assert.equal(wrong, []);
});

corpus('each parameter that must be is used three times at least', () => {
  const short = Object.entries(mustModules).flatMap(([module, params]) =>
    params.split(' ').flatMap((names) => {
      const uses = names.split('|').reduce((sum, name) => sum + usesOf(module, name), 0);
      return uses >= 3 ? [] : [`${module} ${names}: ${uses}`];
    }),
  );
  assert.equal(short, []);
});

corpus('each keyword that must be is used three times at least', () => {
  const short = mustKeywords.flatMap((name) => {
    const uses = [...tasks, ...plays].filter((entries) => name in entries).length;
    return uses >= 3 ? [] : [`${name}: ${uses}`];
  });
  assert.equal(short, []);
});

corpus.run();

/** Blocks, and all tasks in them. */
function flat(list: Entries[]): Entries[] {
  return list.flatMap((task) => [
    task,
    ...['block', 'rescue', 'always'].flatMap((name) => flat((task[name] ?? []) as Entries[])),
  ]);
}

/** As a mapping, in `args:`, or as `name=`. */
function usesOf(module: string, param: string): number {
  const uses = tasks.flatMap((task) =>
    Object.entries(task)
      .filter(([name]) => same(shortName(name), module))
      .map(([, value]) => ({ value, args: (task.args ?? {}) as Entries })),
  );
  return uses.filter(
    ({ value, args }) =>
      param in args ||
      (typeof value === 'string'
        ? new RegExp(`(^|\\s)${param}=`).test(value)
        : value !== null && param in (value as Entries)),
  ).length;
}

function same(name: string, module: string): boolean {
  return name === module || (module === 'systemd' && name === 'systemd_service');
}
