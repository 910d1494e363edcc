import { userInfo } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { coerceParams } from '../../../src/core/coerce.ts';
import type { Module, ModuleContext, WorldView } from '../../../src/core/module.ts';
import type { Value } from '../../../src/jinja/values.ts';
import { findModule } from '../../../src/modules/registry.ts';
import { templateValue } from '../../unit/modules/run-case.ts';
import { realFiles } from './controller.ts';

/** The plan of a task whose parameters say DIR for a folder; the controller's files stand in its `site`. */
export function planOf(name: string, params: Record<string, unknown>, folder: string, view: WorldView) {
  const module = findModule(name) as unknown as Module<never>;
  return module.plan(realParams(name, params, folder) as never, view, contextOf(folder));
}

function contextOf(folder: string): ModuleContext {
  return {
    host: 'here',
    taskName: 'the task',
    facts: new Map(),
    checkMode: false,
    diff: true,
    noLog: false,
    remoteUser: userInfo().username,
    env: {},
    runId: 'run1',
    now: Date.now(),
    random: (bytes) => 'c0ffee00'.repeat(bytes).slice(0, bytes * 2),
    files: realFiles(join(folder, 'site')),
  };
}

/** Parameters after coercion, with the folder in the place of DIR. */
export function realParams(name: string, params: Record<string, unknown>, folder: string) {
  const module = findModule(name) as unknown as Module<never>;
  const given = templateValue(JSON.parse(JSON.stringify(params).replaceAll('DIR', folder))) as Map<Value, Value>;
  const coerced = coerceParams(module.params, given, { module: name, rules: module.rules });
  assert.equal(coerced.problems, []);
  return coerced.params;
}
