import { SessionError } from '../core/session.ts';
import { baseLibrary } from './base.sh.ts';
import { becomeWay } from './become.ts';
import { locale, maxCommand, openCommand, plainCommand, plainEnd, saysReady } from './opener.ts';
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
  try {
    return await attempt(exec, options, first, false);
  } catch (error) {
    if (!wantsTerminal(error)) throw error;
    return attempt(exec, options, first, true);
  }
}

/** sudo's `requiretty`, which nobody can know before. What was sent was not read. */
function wantsTerminal(error: unknown): boolean {
  return (
    error instanceof SessionError &&
    error.phase === 'become' &&
    /must have a tty|must be run from a terminal|terminal is required/.test(error.message)
  );
}

async function attempt(exec: Exec, options: ShellOptions, first: FirstTrip, terminal: boolean): Promise<Shell> {
  const shell = new Shell(options);
  first.opening(shell);
  const bytes = Buffer.byteLength(first.trip.text);
  const done = shell.expect(first.trip, bytes);
  try {
    await Promise.all([bring(shell, exec, options, first, done, terminal), done]);
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
  terminal: boolean,
) {
  const { target, identity, deadline, stateDir } = options;
  const path = target.shell || '/bin/sh';
  const way = becomeWay(target, identity, `\n${shell.marker} password\n`, terminal);
  const more = slowSeconds(Buffer.byteLength(trip.text));
  const library = baseLibrary({ id: shell.marker, deadline: deadline + more, shell: path, stateDir });
  const command = (first: string) => openCommand({ way, shell: path, marker: shell.marker, first });
  if (saysReady(way)) {
    await shell.start(exec, command(''), way);
    await Promise.race([shell.enter(target.becomePassword), done]);
    return shell.send(`${shell.marker}\n${library}${trip.text}`);
  }
  const whole = visible ? command(library + trip.text) : '';
  if (whole && Buffer.byteLength(whole) <= maxCommand) return shell.start(exec, whole, way);
  if (way) {
    await shell.start(exec, command(library), way);
    return shell.send(trip.text);
  }
  await shell.start(exec, plainCommand(path));
  return shell.send(`${locale}\n${library}${plainEnd}${trip.text}`);
}
