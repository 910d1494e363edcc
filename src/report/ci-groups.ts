/** How a CI system folds and marks log lines. */
export interface CiLog {
  open(id: string, title: string, time: number): string;
  close(id: string, time: number): string;
  /** A failure marked in the file view; '' where there is no such thing. */
  mark(kind: 'error' | 'warning', message: string, origin?: { file: string; line: number; column: number }): string;
  /** A line of ours so that nothing in it is taken for a command to the CI system. */
  guard(line: string): string;
}

/** The CI system that the environment names, if its logs can be grouped. */
export function ciLog(env: Record<string, string | undefined>): CiLog | undefined {
  if (env.GITHUB_ACTIONS === 'true') return github;
  if (env.GITLAB_CI === 'true') return gitlab;
  return undefined;
}

const github: CiLog = {
  open: (_id, title) => `::group::${escapeData(title)}\n`,
  close: () => '::endgroup::\n',
  mark: (kind, message, origin) => {
    const place = origin ? ` file=${escapeProperty(origin.file)},line=${origin.line},col=${origin.column}` : '';
    return `::${kind}${place}::${escapeData(message)}\n`;
  },
  // `::command::` counts at the start of a line, the older `##[command]` anywhere in it.
  guard: (line) => (/^\s*::/.test(line) ? `. ${line}` : line).replaceAll('##[', '# #['),
};

const gitlab: CiLog = {
  open: (id, title, time) => `\x1b[0Ksection_start:${seconds(time)}:${id}\r\x1b[0K${title}\n`,
  close: (id, time) => `\x1b[0Ksection_end:${seconds(time)}:${id}\r\x1b[0K\n`,
  mark: () => '',
  guard: (line) => line,
};

function seconds(time: number): number {
  return Math.floor(time / 1000);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
