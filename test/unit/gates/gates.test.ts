import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { coerceParams } from '../../../src/core/coerce.ts';
import type { Answer, FactKey } from '../../../src/core/facts.ts';
import type { GateContext } from '../../../src/core/gate.ts';
import { findGate, gateNames } from '../../../src/gates/registry.ts';
import type { Value } from '../../../src/jinja/values.ts';
import { suite } from '../../support/harness.ts';
import { templateValue } from '../modules/run-case.ts';

/** One case of cases.yaml: `answers` in the order of the keys asked. */
interface GateCase {
  gate: string;
  name: string;
  params: Record<string, unknown>;
  answers: unknown[];
  last?: { reason: string; seconds: number };
  asks?: string[];
  verdict: 'pass' | 'wait' | 'fail';
  reason?: string;
  evidence?: string[];
}

const gates = suite('gates');
const cases = ['cases.yaml', 'cluster-cases.yaml'].flatMap(
  (file) => parse(readFileSync(new URL(file, import.meta.url), 'utf8'), { merge: true }) as GateCase[],
);

for (const test of cases)
  gates(`${test.gate}: ${test.name}`, () => {
    const gate = findGate(test.gate)!;
    const given = templateValue(test.params) as Map<Value, Value>;
    const { params, problems } = coerceParams(gate.params, given, { module: gate.name });
    assert.equal(problems, []);
    const ctx: GateContext = {
      host: 'h1',
      from: 'h2',
      elapsed: 0,
      timeout: 10,
      ...(test.last ? { last: test.last } : {}),
    };
    const keys = gate.facts(params as never, ctx);
    if (test.asks) assert.equal(keys.map(text), test.asks);
    const view = { read: (family: string, id: string) => answerTo({ family, id }, keys, test.answers) };
    const found = gate.judge(params as never, view, ctx) as { verdict: string; reason?: string };
    assert.is(found.verdict, test.verdict, found.reason);
    if (test.reason) assert.match(found.reason ?? '', new RegExp(test.reason));
    if (test.evidence) assert.equal((gate.evidence?.(params as never) ?? []).map(text), test.evidence);
  });

gates('every gate has a case', () => {
  const tested = new Set(cases.map((test) => test.gate));
  assert.equal(
    gateNames().filter((name) => !tested.has(name)),
    [],
  );
});

gates.run();

function text(key: FactKey): string {
  return `${key.family}:${key.id}`;
}

function answerTo(key: FactKey, keys: readonly FactKey[], answers: readonly unknown[]): Answer {
  const index = keys.findIndex((one) => text(one) === text(key));
  if (index < 0) throw new Error(`${text(key)} was not asked for`);
  return { state: 'known', raw: '', value: answers[index] };
}
