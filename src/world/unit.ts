import { utf8 } from '../core/bytes.ts';
import type { Answer, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { TaskFailure } from '../core/result.ts';
import { readKnown } from './read.ts';
import { differs, reduce } from './unit-effects.ts';
import { scopeOf } from './unit-scope.ts';
import { type Install, installOf } from './unit-text.ts';

/** Whose manager a unit belongs to. `global`: enabled for every user's manager, never started by itself. */
export type Scope = 'system' | 'user' | 'global';

/** A unit as its manager knows it. Undefined fields: not predicted, or systemd did not say. */
export interface UnitFact {
  /** Every name it goes by, its own first. */
  names: string[];
  /** loaded, not-found, masked, error, bad-setting; `none`: no systemd here, `offline`: installed but not running. */
  load: string;
  /** Why it could not be loaded. */
  loadError?: string;
  active?: string;
  /** enabled, disabled, static, indirect, alias, generated, linked, masked …; '' when there is no unit file. */
  fileState?: string;
  /** Path of the unit file; '' when there is none. */
  fragment?: string;
  dropIns: string[];
  /** What is on disk is not what the manager has loaded. */
  needReload?: boolean;
  /** Of services: simple, exec, forking, oneshot, dbus, notify, idle. */
  type?: string;
  remainAfterExit?: boolean;
  invocation?: string;
  /** Predicted only: the invocation that a start or restart must have replaced. */
  replaces?: string;
  /** [Install] of the unit file. */
  install?: Install;
  /** Units that pull it in, as loaded: their own dependencies and .wants/.requires links. */
  pulledBy?: string[];
  /** An init script of that name is enabled (S links); undefined: there is none, or a unit file wins over it. */
  sysv?: boolean;
  /** What systemd said, name by name. */
  properties: Readonly<Record<string, string>>;
}

/** The fact of a unit; hosts without a running systemd fail the task. */
export function unit(world: WorldView, name: string, scope: Scope = 'system'): UnitFact {
  const fact = readKnown<UnitFact>(world, 'unit', unitKey(name, scope).id);
  if (fact.load === 'none') throw new TaskFailure('this host has no systemctl: units cannot be managed');
  if (fact.load === 'offline')
    throw new TaskFailure(
      scope === 'user' ? "this user's service manager is not running" : 'systemd is not running on this host',
      {},
      scope === 'user' ? 'log in as that user, or: loginctl enable-linger USER' : undefined,
    );
  return fact;
}

export function unitKey(name: string, scope: Scope = 'system'): FactKey {
  return { family: 'unit', id: scope === 'system' ? fullName(name) : `${scope}/${fullName(name)}` };
}

/** With `.service` when no unit type is named. */
export function fullName(name: string): string {
  return /\.(service|socket|target|timer|mount|automount|swap|path|slice|scope|device)$/.test(name)
    ? name
    : `${name}.service`;
}

/**
 * Not guarded: a unit that crashes and restarts would make every guard stale. What a change rests on is judged again
 * by its proof.
 */
export const unitFamily: FactFamily<UnitFact> = {
  name: 'unit',
  guarded: false,
  library: () => functions,
  script: (keys) => runsOf(keys).map(call).join('\n'),
  parse,
  absent: (fact) => fact.load === 'not-found',
  reduce,
  differs,
  proves: (effect) => (effect.type === 'unit.set' ? [{ family: 'unit', id: effect.unit }] : []),
};

/** Neighbours of one scope share one systemctl; records must come in the order of the keys. */
function runsOf(keys: readonly FactKey[]): { scope: Scope; names: string[] }[] {
  const runs: { scope: Scope; names: string[] }[] = [];
  for (const key of keys) {
    const { scope, name } = scopeOf(key.id);
    const last = runs.at(-1);
    if (last?.scope === scope) last.names.push(name);
    else runs.push({ scope, names: [name] });
  }
  return runs;
}

function call(run: { scope: Scope; names: string[] }): string {
  return `kf_units ${run.scope} ${quoteAll(run.names)}`;
}

const properties = [
  ...['Id', 'Names', 'Description', 'LoadState', 'LoadError', 'ActiveState', 'SubState', 'UnitFileState'],
  ...['FragmentPath', 'SourcePath', 'DropInPaths', 'NeedDaemonReload', 'Type', 'RemainAfterExit', 'Result'],
  ...['InvocationID', 'ExecMainStatus', 'MainPID', 'NRestarts', 'TimeoutStartUSec', 'CanReload', 'ConditionResult'],
  ...['WantedBy', 'RequiredBy', 'ActiveEnterTimestamp'],
];

/**
 * `systemctl show` of several units separates them by an empty line, and gives up at the first name it cannot make a
 * unit of (a bare template): then the units are asked for one by one. Records: `n` no systemctl, `o` it does not
 * answer, `e` not a unit name, else `s` + lines NAME=VALUE, `Install:` lines of the unit file, `Sysv=` 1 or 0 for an
 * init script. A template itself has no state but a unit file: only `systemctl cat` knows it.
 */
const functions = `kf_nl='
'
kf_units() {
  kf_s=--$1; shift
  if ! command -v systemctl >/dev/null 2>&1; then for kf_u; do printf n; kp_sep; done; return; fi
  [ "$kf_s" != --user ] || [ -n "\${XDG_RUNTIME_DIR-}" ] || export XDG_RUNTIME_DIR="/run/user/$(id -u)"
  if [ "$kf_s" = --global ]; then for kf_u; do kf_global "$kf_u"; done; return; fi
  kf_o=$(systemctl $kf_s show -p ${properties.join(',')} -- "$@" 2>/dev/null)
  kf_r=$kf_o kf_n=0
  while [ -n "$kf_r" ]; do
    kf_n=$((kf_n+1))
    case $kf_r in *"$kf_nl$kf_nl"*) kf_r=\${kf_r#*"$kf_nl$kf_nl"};; *) kf_r=;; esac
  done
  for kf_u; do
    if [ $kf_n = $# ]; then kf_b=\${kf_o%%"$kf_nl$kf_nl"*} kf_o=\${kf_o#*"$kf_nl$kf_nl"}
    else kf_b=$(systemctl $kf_s show -p ${properties.join(',')} -- "$kf_u" 2>/dev/null)
    fi
    kf_unit "$kf_u"
  done
}
kf_unit() {
  kf_nb=$kf_nl$kf_b$kf_nl
  case $kf_nb in
    *"\${kf_nl}LoadState="*) printf 's%s' "$kf_b";;
    *) kf_template "$1"; kp_sep; return;;
  esac
  kf_f=\${kf_nb#*"\${kf_nl}FragmentPath="}; kf_f=\${kf_f%%"$kf_nl"*}
  [ -z "$kf_f" ] || [ ! -f "$kf_f" ] || [ ! -r "$kf_f" ] || kf_install "$kf_f"
  case $kf_nb in
    *"\${kf_nl}SourcePath=/etc/init.d/"*)
      kf_v=\${1%.service} kf_y=0
      for kf_f in /etc/rc[0-6S].d/S[0-9][0-9]"$kf_v"; do [ ! -e "$kf_f" ] || kf_y=1; done
      printf '\\nSysv=%s' $kf_y;;
  esac
  kp_sep
}
kf_install() {
  kf_i=
  while IFS= read -r kf_l || [ -n "$kf_l" ]; do
    case $kf_l in
      '[Install]'*) kf_i=1;;
      '['*) kf_i=;;
      *) [ -z "$kf_i" ] || printf '\\nInstall:%s' "$kf_l";;
    esac
  done < "$1"
}
kf_template() {
  if kf_f=$(systemctl $kf_s show -p Version 2>/dev/null) && [ -n "$kf_f" ]; then
    case $1 in
      *@.*)
        kf_e=$(systemctl $kf_s is-enabled -- "$1" 2>/dev/null)
        kf_f=$(systemctl $kf_s cat -- "$1" 2>/dev/null); kf_f=\${kf_f%%"$kf_nl"*}; kf_f=\${kf_f#'# '}
        if [ -z "$kf_f" ]; then printf 'sNames=%s\\nLoadState=not-found' "$1"
        else printf 'sNames=%s\\nLoadState=loaded\\nActiveState=inactive\\nUnitFileState=%s\\nFragmentPath=%s' "$1" "$kf_e" "$kf_f"; kf_install "$kf_f"
        fi;;
      *) printf e;;
    esac
  else printf o
  fi
}
kf_global() {
  kf_e=$(systemctl --global is-enabled -- "$1" 2>/dev/null); kf_e=\${kf_e%%"$kf_nl"*}
  case $kf_e in
    ''|not-found) printf 'sNames=%s\\nLoadState=not-found' "$1";;
    *) printf 'sNames=%s\\nLoadState=loaded\\nUnitFileState=%s' "$1" "$kf_e";;
  esac
  kp_sep
}`;

function parse(record: string, key: FactKey): Answer<UnitFact> {
  const { name } = scopeOf(key.id);
  const text = utf8(record);
  const bare = { names: [name], dropIns: [], properties: {} };
  if (text === 'n') return { state: 'known', raw: text, value: { ...bare, load: 'none' } };
  if (text === 'o') return { state: 'known', raw: text, value: { ...bare, load: 'offline' } };
  if (text === 'e')
    return { state: 'known', raw: text, value: { ...bare, load: 'not-found', loadError: `not a unit name: ${name}` } };
  if (text[0] !== 's') throw new Error(`unreadable answer for unit ${name}: ${JSON.stringify(text.slice(0, 80))}`);
  return { state: 'known', raw: text, value: factOf(text.slice(1), name) };
}

function factOf(text: string, name: string): UnitFact {
  const props = propertiesOf(text);
  const names = words(props.Names);
  if (/^[\w:.@-]+$/.test(name) && !names.includes(name) && props.Id !== name)
    throw new Error(`answer for ${name} is about ${props.Names}`);
  const install = text.split('\n').filter((line) => line.startsWith('Install:'));
  return {
    names: [...new Set([...(props.Id ? [props.Id] : []), ...names])],
    load: props.LoadState ?? '',
    ...(props.LoadState === 'error' || props.LoadState === 'bad-setting' ? { loadError: props.LoadError ?? '' } : {}),
    active: props.ActiveState,
    fileState: props.UnitFileState,
    fragment: props.FragmentPath,
    dropIns: words(props.DropInPaths),
    needReload: props.NeedDaemonReload === 'yes',
    type: props.Type || undefined,
    ...(props.RemainAfterExit === undefined ? {} : { remainAfterExit: props.RemainAfterExit === 'yes' }),
    invocation: props.InvocationID,
    install: installOf(install.map((line) => line.slice('Install:'.length))),
    pulledBy: [...words(props.WantedBy), ...words(props.RequiredBy)],
    ...(props.Sysv === undefined ? {} : { sysv: props.Sysv === '1' }),
    properties: props,
  };
}

function propertiesOf(text: string): Record<string, string> {
  const props: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0 && !line.startsWith('Install:')) props[line.slice(0, equals)] = line.slice(equals + 1);
  }
  return props;
}

/** Names with odd characters come quoted, as in C. */
function words(text: string | undefined): string[] {
  const found = (text ?? '').match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  return found.map((word) => (word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word));
}
