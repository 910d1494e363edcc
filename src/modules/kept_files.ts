import type { WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { content, contentKey } from '../world/content.ts';
import { file, fileKey } from '../world/file.ts';
import { defineModule } from './define.ts';
import {
  confirmScript,
  folderOf,
  headOf,
  type Kept,
  type KeptState,
  keepScript,
  manifestOf,
  restoreScript,
  stateOf,
} from './lib/kept.ts';

const params = {
  name: { type: 'str', operand: true, doc: 'Under which name they are kept', required: true },
  state: {
    type: 'str',
    doc: 'kept: as they are before a change. confirmed: the change stays. restored: put back now. forgotten: not kept',
    choices: ['kept', 'confirmed', 'restored', 'forgotten'],
    default: 'kept',
  },
  change: { type: 'str', doc: 'The change to come; for the same one they are not kept again', default: 'a change' },
  files: { type: 'list', elements: 'path', doc: 'Which', default: [] },
  units: { type: 'list', elements: 'str', doc: 'Restarted when they are put back', default: [] },
  undo_after: { type: 'int', doc: 'Seconds until the host puts them back by itself, unless the change is confirmed' },
} as const satisfies ParamSpecs;

export const keptFilesModule = defineModule({
  name: 'kept_files',
  doc: {
    summary: 'Files as they were before a change, put back when asked, or by the host itself',
    notes: [
      "With `undo_after` it is a dead-man's switch for changes that can cut a host off: a timer of systemd puts the files back unless the change is confirmed, which is worth something only over a new connection (meta: reset_connection).",
      'A file that is not there is kept as that: putting back removes it.',
    ],
    examples: `- kept_files: {name: sshd, files: [/etc/ssh/sshd_config], units: [ssh.service], undo_after: 60}
- template: {src: sshd_config.j2, dest: /etc/ssh/sshd_config}
- systemd: {name: ssh, state: reloaded}
- meta: reset_connection
- kept_files: {name: sshd, state: confirmed}
`,
    returns: { dir: 'where they are' },
  },
  params,
  rules: { requiredIf: [{ param: 'state', value: 'kept', needs: ['files'] }] },
  facts: ({ name }) => [contentKey(manifestOf(name), { text: true }), fileKey(`${folderOf(name)}.fired`)],
  plan(given, world) {
    const { name } = given;
    if (!/^[\w.-]+$/.test(name)) throw new TaskFailure(`"${name}" is no name: letters, digits, dots and dashes`);
    const step = stepOf(given, stateOf(content(world, manifestOf(name), { text: true }).text), world);
    return { steps: step ? [step] : [], result: result(step !== undefined, { dir: folderOf(name) }) };
  },
});

function stepOf(given: Params<typeof params>, now: KeptState, world: WorldView): Step | undefined {
  const { name, state, change } = given;
  if (state === 'kept') return now?.change === change ? undefined : keepStep(keptOf(given));
  if (state === 'confirmed') return confirmStep(name, now, world);
  if (state === 'restored') return restoreStep(name, now);
  return now ? forgetStep(name) : undefined;
}

function keptOf({ name, change, files, units, undo_after }: Params<typeof params>): Kept {
  if (undo_after !== undefined && undo_after < 1) throw new TaskFailure('undo_after is at least a second');
  return { name, change, files, units, undoAfter: undo_after };
}

/** What the manifest says of the files is told by the host; its head is known. */
function keepStep(kept: Kept): Step {
  const dir = folderOf(kept.name);
  const after = kept.undoAfter === undefined ? 'kept' : `kept, put back in ${kept.undoAfter} s unless confirmed`;
  return {
    title: `keep ${kept.files.length} files as ${kept.name}`,
    run: { kind: 'sh', script: keepScript(kept) },
    effects: [
      { type: 'file.put', path: dir, kind: 'directory', mode: 0o700 },
      { type: 'file.put', path: manifestOf(kept.name), kind: 'file', text: headOf(kept) },
    ],
    diff: [{ kind: 'fields', subject: dir, fields: kept.files.map((path) => ({ name: path, before: null, after })) }],
    proof: [fileKey(dir)],
    onCut: 'finish',
    timeout: 300,
  };
}

function confirmStep(name: string, now: KeptState, world: WorldView): Step | undefined {
  if (file(world, `${folderOf(name)}.fired`).exists && !now)
    throw new TaskFailure('the change was undone by the host: nobody confirmed it in time', {}, 'was it reachable?');
  if (!now) throw new TaskFailure(`nothing is kept as ${name}`);
  if (!now.waits) return undefined;
  return {
    title: `confirm ${now.change}`,
    run: { kind: 'sh', script: confirmScript(name) },
    effects: [{ type: 'file.put', path: manifestOf(name), kind: 'file', text: `change ${now.change}\n\nby hand\n` }],
    diff: [{ kind: 'fields', subject: folderOf(name), fields: [{ name: 'timer', before: 'set', after: 'stopped' }] }],
    proof: [],
  };
}

function restoreStep(name: string, now: KeptState): Step {
  if (!now) throw new TaskFailure(`nothing is kept as ${name}`, {}, 'what was confirmed and forgotten is gone');
  const why = `what was before ${now.change} is put back`;
  return {
    title: `put back what was before ${now.change}`,
    run: { kind: 'sh', script: restoreScript(name) },
    effects: [{ type: 'opaque', why }],
    diff: [{ kind: 'fields', subject: folderOf(name), fields: [{ name: 'files', before: 'kept', after: 'put back' }] }],
    onCut: 'finish',
    timeout: 300,
  };
}

function forgetStep(name: string): Step {
  const dir = folderOf(name);
  return {
    title: `forget what is kept as ${name}`,
    run: { kind: 'argv', argv: ['rm', '-rf', '--', dir] },
    effects: [{ type: 'file.remove', path: dir }],
    diff: [{ kind: 'fields', subject: dir, fields: [{ name: 'files', before: 'kept', after: null }] }],
  };
}
