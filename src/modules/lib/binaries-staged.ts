import { quote } from '../../core/quote.ts';
import type { Step } from '../../core/steps.ts';
import { type Binaries, installStep, makeStaging, stagingOf } from './binaries.ts';

/**
 * From a folder of the host itself. Copies, not links: a program's time of change says that it is newer than the
 * process that must be restarted for it.
 */
export function stagedSteps(wanted: Binaries, staged: string, reasons: Map<string, string>): Step[] {
  const staging = stagingOf(wanted.binDir);
  const names = wanted.names.filter((name) => reasons.has(name));
  return [
    makeStaging(staging),
    ...names.map((name) => copyStep(staged, staging, name)),
    installStep(wanted, names, reasons, {}),
  ];
}

function copyStep(staged: string, staging: string, name: string): Step {
  const path = `${staging}/${name}`;
  return {
    title: `copy ${name} from ${staged}`,
    onFail: 'go-on',
    run: { kind: 'sh', script: `cp -- ${quote(`${staged}/${name}`)} ${quote(path)} && chmod 0755 ${quote(path)}` },
    effects: [{ type: 'file.put', path, kind: 'file', mode: 0o755 }],
  };
}
