import type { Item } from './compare.ts';
import { randomVars } from './context.ts';
import { Grammar } from './grammar.ts';
import { Chance } from './random.ts';
import { special } from './special.ts';

/** Random questions: values mostly, and the same expressions as strings, conditions and pieces of template files. */
export function generate(seed: number, count: number): Item[] {
  const c = new Chance(seed);
  const grammar = new Grammar(c);
  let vars = randomVars(c);
  return c.times(count, () => {
    if (c.chance(0.3)) vars = randomVars(c);
    return item(c, grammar, vars);
  });
}

const dumps = [
  'to_nice_yaml',
  'to_yaml',
  'to_nice_yaml(indent=2)',
  'to_nice_yaml(width=30, sort_keys=false)',
  'to_json',
  'to_nice_json',
  'to_yaml | from_yaml',
  'to_json | from_json',
  'string',
];

function item(c: Chance, grammar: Grammar, vars: Item['vars']): Item {
  const source = c.chance(0.25) ? special(c) : c.chance(0.05) ? `deep | ${c.pick(dumps)}` : grammar.expression();
  const kind = c.pick(['value', 'value', 'value', 'value', 'when', 'string', 'template'] as const);
  if (kind === 'string')
    return { kind, vars, source: c.pick([`{{ ${source} }}`, `x{{ ${source} }}`, `{{ ${source} }}\n`]) };
  if (kind === 'template') return { kind, vars, source: template(c, grammar, source) };
  return { kind, vars, source };
}

function template(c: Chance, grammar: Grammar, source: string): string {
  return c.pick([
    `{% if ${source} %}\nyes {{ i }}\n{% else %}\nno\n{% endif %}\n`,
    `{% for x in ${grammar.list()} %}{{ x }}{% if not loop.last %}, {% endif %}{% else %}none{% endfor %}\n`,
    `{% set v = ${source} %}{{ v }}|{{ v | string | length }}\n`,
    `{% for k, v in (${grammar.of('dict')}) | dictsort %}\n{{ k }}={{ v }} {{ loop.index }}\n{% endfor %}\nend`,
    `{% macro m(x, y=1) %}<{{ x }}{{ y }}>{% endmacro %}{{ m(${source}) }} {{ m(1, y=i) }}`,
  ]);
}
