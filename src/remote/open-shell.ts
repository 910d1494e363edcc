import { baseLibrary } from './base.sh.ts';
import { becomeWay } from './become.ts';
import { maxCommand, openCommand } from './opener.ts';
import { type Exec, Shell, slowSeconds } from './shell.ts';
import type { ShellOptions, Trip } from './trip.ts';

export interface FirstTrip {
  trip: Trip;
  /** It only asks and holds no secret: it may be seen in argv, and ride in the exec command. */
  visible: boolean;
  /** Gets the shell before it is open, so that it can be closed meanwhile. */
  opening(shell: Shell): void;
}

/** Opens a shell and runs its first trip, in the exec command where it may be, else by stdin. */
export async function openShell(exec: Exec, options: ShellOptions, first: FirstTrip): Promise<Shell> {
  const shell = new Shell(options);
  first.opening(shell);
  const bytes = Buffer.byteLength(first.trip.text);
  const done = shell.expect(first.trip, bytes);
  try {
    await Promise.all([bring(shell, exec, options, first, done), done]);
    if (slowSeconds(bytes)) await shell.setDeadline(options.deadline);
    return shell;
  } catch (error) {
    shell.close();
    throw error;
  }
}

async function bring(
  shell: Shell,
  exec: Exec,
  options: ShellOptions,
  { trip, visible }: FirstTrip,
  done: Promise<void>,
) {
  const { target, identity, deadline, stateDir } = options;
  const path = target.shell || '/bin/sh';
  const way = becomeWay(target, identity, `\n${shell.marker} password\n`);
  const more = slowSeconds(Buffer.byteLength(trip.text));
  const library = baseLibrary({ id: shell.marker, deadline: deadline + more, shell: path, stateDir });
  const command = (first: string) => openCommand({ way, shell: path, marker: shell.marker, first });
  if (way?.password) {
    await shell.start(exec, command(''));
    await Promise.race([shell.login(target.becomePassword ?? ''), done]);
    return shell.send(`${shell.marker}\n${library}${trip.text}`);
  }
  const whole = visible ? command(library + trip.text) : '';
  if (whole && Buffer.byteLength(whole) <= maxCommand) return shell.start(exec, whole);
  await shell.start(exec, command(library));
  return shell.send(trip.text);
}
