import { resolve } from 'node:path';
import { stringify } from 'yaml';
import type { RunOptions } from '../core/options.ts';
import { diskFiles, type SourceFiles } from '../load/files.ts';

/** exec, ping and facts as the playbook of one play that they are, in a file that exists only here. */
export function adHocPlaybook(options: RunOptions): { path: string; files: SourceFiles } {
  const path = resolve(`(kpush ${options.verb})`);
  const text = stringify([playOf(options)]);
  const disk = diskFiles();
  return {
    path,
    files: {
      ...disk,
      read: (name) => (name === path ? Buffer.from(text) : disk.read(name)),
      kind: (name) => (name === path ? 'file' : disk.kind(name)),
    },
  };
}

function playOf({ verb, pattern, command }: RunOptions) {
  const hosts = pattern ?? 'all';
  if (verb !== 'exec') return { name: verb, hosts, gather_facts: true, tasks: [] };
  return { name: 'exec', hosts, gather_facts: false, tasks: [{ name: nameOf(command), ...taskOf(command) }] };
}

function nameOf(command: string[] = []): string {
  return `{% raw %}${command.join(' ').replaceAll('{% endraw %}', '')}{% endraw %}`;
}

/** One word is a shell line, several are an argument vector; neither is a template. */
function taskOf(command: string[] = []) {
  const raw = (text: string) => `{% raw %}${text}{% endraw %}`;
  return command.length === 1 ? { shell: { cmd: raw(command[0]!) } } : { command: { argv: command.map(raw) } };
}
