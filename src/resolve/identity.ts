import type { EvalPoint } from '../core/evaluator.ts';
import { type Identity, loginIdentity } from '../core/identity.ts';
import type { Node } from '../core/node.ts';
import { scalarText } from '../core/plain.ts';
import type { Keywords } from '../core/play.ts';
import { TaskFailure } from '../core/result.ts';
import { Undefined, Unknown, type Value } from '../jinja/index.ts';
import { omitToken } from './omit.ts';
import type { LayeredScope } from './scope.ts';
import type { TargetDefaults } from './target-defaults.ts';

/**
 * Who acts: become variables of the acting host (the delegate of a delegated task) over keywords over flags. Entering
 * oneself is no become.
 */
export function identityOf(
  keywords: Keywords,
  scope: LayeredScope,
  acting: LayeredScope,
  remoteUser: () => string,
  defaults: TargetDefaults,
): Identity {
  const ask = (names: string[], node: Node | undefined, fallback: string | undefined) =>
    variableText(acting, names) ?? keywordText(scope, node) ?? fallback;
  const wanted = ask(['ansible_become'], keywords.become, defaults.become === true ? 'true' : undefined);
  if (!isTrue(wanted)) return loginIdentity;
  const user = ask(['ansible_become_user'], keywords.becomeUser, defaults.becomeUser) ?? 'root';
  if (/^-|[\n\r\0]/.test(user)) throw new TaskFailure(`${JSON.stringify(user)} cannot be a user to become`);
  if (user === remoteUser()) return loginIdentity;
  const flags = ask(['ansible_become_flags'], keywords.becomeFlags, defaults.becomeFlags);
  const exe = ask(['ansible_become_exe'], keywords.becomeExe, defaults.becomeExe);
  const method = ask(['ansible_become_method'], keywords.becomeMethod, defaults.becomeMethod) ?? 'sudo';
  return {
    become: {
      method: method.replace(/^(?:ansible\.builtin|community\.general)\./, ''),
      user,
      ...(flags ? { flags } : {}),
      ...(exe ? { exe } : {}),
    },
  };
}

/** The text of the first of these variables that is set. */
export function variableText(scope: LayeredScope, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = plainText(scope.get(name), name);
    if (text !== undefined) return text;
  }
  return undefined;
}

export function keywordText(scope: LayeredScope, node: Node | undefined): string | undefined {
  return node && plainText(scope.render(node), 'the keyword');
}

function plainText(value: Value | undefined, what: string): string | undefined {
  if (value === undefined || value === null || value === omitToken) return undefined;
  if (value instanceof Undefined) throw new TaskFailure(value.hint);
  if (value instanceof Unknown)
    throw new TaskFailure(`${what} decides how the host is reached, and is known only after ${value.why}`);
  const text = scalarText(value);
  if (text === undefined) throw new TaskFailure(`${what} is no text`);
  return text;
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['true', 'yes', 'on', '1', 'y', 't'].includes(text.toLowerCase());
}

/** Keywords that stand around the point's task for reaching hosts: the task's own, else the play's. */
export function reachKeyword(point: EvalPoint, name: 'remoteUser' | 'port' | 'connection'): Node | undefined {
  return point.task?.keywords[name] ?? point.play.keywords[name];
}
