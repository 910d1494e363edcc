import { result } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { runningVersion, runningVersionKey } from '../world/running-version.ts';
import { defineModule } from './define.ts';

export const kubeRunningModule = defineModule({
  name: 'kube_running',
  doc: {
    summary: 'Which releases run on a host',
    notes: [
      'The program that runs as the main process of a unit is asked itself, not its file, which may be another by now. Of a unit that does not run the version is empty.',
      'A path names a program that nothing runs for long, such as kubectl.',
    ],
    examples: '- kube_running: {units: [kubelet.service, /usr/local/bin/kubectl], to: v1.20.5}\n  register: running\n',
    returns: { versions: 'name of each, without folder and .service, to what it says it is' },
  },
  params: {
    units: { type: 'list', elements: 'str', doc: 'Units, and paths of programs', required: true },
    to: { type: 'str', doc: 'Shown beside what runs' },
  },
  facts: ({ units }) => units.map(runningVersionKey),
  plan({ units, to }, world) {
    const versions = units.map((unit): [string, string] => [nameOf(unit), runningVersion(world, unit)]);
    const notes = to === undefined ? [] : versions.map(([name, version]) => noteOf(name, version, to));
    return { steps: [], notes, result: result(false, { versions: new Map<Value, Value>(versions) }) };
  },
});

function nameOf(unit: string): string {
  return unit.slice(unit.lastIndexOf('/') + 1).replace(/\.service$/, '');
}

function noteOf(name: string, version: string, to: string): string {
  if (version === '') return `${name} does not run`;
  return version === to ? `${name} ${version}, as wanted` : `${name} ${version} -> ${to}`;
}
