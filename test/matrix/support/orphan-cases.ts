import type { Identity } from '../../../src/core/identity.ts';
import type { Session, Target } from '../../../src/core/session.ts';
import { openSession } from '../../../src/remote/session.ts';
import { anyTransport } from '../../../src/transports/index.ts';
import { stubborn } from '../../lab/remote-support.ts';
import { step, trip } from '../../unit/remote/support.ts';
import { type Cell, product } from './cells.ts';

/** One way to a host, with a place for its lock that no other uses. */
export interface OrphanCase {
  name: string;
  target: Target;
  identity: Identity;
  stateDir: string;
}

/** Each way to become with each flavour of tools, each login shell; by ssh2, and some by the system's ssh. */
export function orphanCases(base: Target): OrphanCase[] {
  const cells = product.filter(
    ({ login, way, flavour }) =>
      login === 'bash' || (flavour === 'GNU' && (way === 'sudo' || way === 'doas with a password')),
  );
  const cases = cells.map((cell, n) => caseOf(base, cell, n));
  const over = cases.filter(({ name }) => /^(bash|fish).*GNU$/.test(name));
  return [
    ...cases,
    ...over.map((one) => ({
      ...one,
      name: `${one.name}, openssh`,
      target: { ...one.target, transport: 'openssh' as const },
      stateDir: `${one.stateDir}-o`,
    })),
  ];
}

/** Runs a step that is hard to end. */
export function begin({ target, identity, stateDir }: OrphanCase, deps: { deadline: number; beat: number }) {
  const session: Session = openSession(target, { transport: anyTransport, stateDir, openTimeout: 120_000, ...deps });
  const change = session.change(trip([step('long', stubborn), step('next', 'sleep 339')], { identity }), {});
  return { session, change: change.catch((error: unknown) => error) };
}

function caseOf(base: Target, { login, way, flavour, vars }: Cell, n: number): OrphanCase {
  const text = (name: string) => (vars[name] === undefined ? undefined : String(vars[name]));
  const [method, exe, password] = ['method', 'exe', 'password'].map((part) => text(`ansible_become_${part}`));
  const become = method && { method, user: text('ansible_become_user') ?? 'root', ...(exe ? { exe } : {}) };
  return {
    name: `${login}, ${way}, ${flavour}`,
    target: {
      ...base,
      connectTimeout: 60,
      user: text('ansible_user') ?? '',
      shell: text('ansible_shell_executable') ?? '',
      ...(password ? { becomePassword: password } : {}),
    },
    identity: become ? { become } : {},
    stateDir: `/var/tmp/orphan-${n}`,
  };
}
