import { quote } from '../core/quote.ts';
import type { Run, Step } from '../core/steps.ts';
import { argvText, pathText } from './compile-argv.ts';
import { putText } from './compile-put.ts';
import { systemdText } from './compile-systemd.ts';

export type CompileOptions = Pick<Step, 'env' | 'cwd' | 'umask' | 'timeout'>;

/** The fields of a RemoteStep that a Run decides. */
export interface Compiled {
  script: string;
  stdin?: string;
  inShell?: boolean;
}

/** A Run as the shell text of a RemoteStep. Pure. Throws on what cannot be said in sh (a NUL byte, a bad variable name). */
export function compileRun(run: Run, options: CompileOptions = {}): Compiled {
  switch (run.kind) {
    case 'sh':
      return run.brief && options.timeout === undefined
        ? { script: prelude(options) + run.script, inShell: true }
        : withStdin(prelude(options) + shellText(run.script, run.executable), run.stdin);
    case 'argv':
      return withStdin(`${prelude(options)}exec ${argvText(run.argv, run.expand ?? false)}\n`, run.stdin);
    case 'put':
      return putText(run);
    case 'systemd':
      return { script: systemdText(run.ops, run.scope) };
  }
}

function withStdin(script: string, stdin: string | undefined): Compiled {
  return stdin === undefined ? { script } : { script, stdin };
}

function prelude({ env, cwd, umask }: CompileOptions): string {
  const lines = [
    umask === undefined ? '' : `umask ${umask.toString(8).padStart(3, '0')}`,
    cwd === undefined ? '' : `cd ${pathText(cwd)} || exit 1`,
    ...Object.entries(env ?? {}).map(exportLine),
  ];
  return lines
    .filter(Boolean)
    .map((line) => `${line}\n`)
    .join('');
}

function exportLine([name, value]: [string, string]): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`not a variable name: ${JSON.stringify(name)}`);
  return `${name}=${quote(value)};export ${name}`;
}

/**
 * The step's own sh runs the text itself. Another shell gets it by stdin, with the step's stdin on fd 9 until it has
 * read it; what is no Bourne shell gets it as an argument, as Ansible does.
 */
function shellText(script: string, executable: string | undefined): string {
  if (executable === undefined) return script;
  if (!/(^|\/)(ba|da|a|k|mk|pdk|z|ya)?sh$/.test(executable)) return `exec ${quote(executable)} -c ${quote(script)}\n`;
  const reader = 'kp_s=$(cat);exec <&9 9<&-;eval "$kp_s"';
  return `exec 9<&0\nprintf '%s\\n' ${quote(script)}|${quote(executable)} -c '${reader}'\n`;
}
