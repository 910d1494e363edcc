import { quote } from '../../core/quote.ts';

/**
 * The command that checks a unit file (`%s`) or a drop-in before it is used. systemd-analyze goes by file names, so
 * the text is looked at in a folder of its own, a drop-in beside the unit it belongs to. It exits badly for much that
 * is none of the text's fault (a binary that comes later, a unit that is not there), so only lines that name a place
 * in the text (`FILE:LINE:`), and texts it refuses as a whole, count.
 */
export function verifyCommand(unit: string, dropIn?: string): string {
  return `sh -c ${quote(script(unit, dropIn))} sh %s`;
}

function script(unit: string, dropIn: string | undefined): string {
  const name = quote(unit);
  const file = dropIn === undefined ? unit : `${unit}.d/${dropIn.slice(dropIn.lastIndexOf('/') + 1)}`;
  const base = dropIn === undefined ? [] : [`mkdir "$d"/${quote(`${unit}.d`)} || exit 1`, ...beside(unit)];
  return [
    'command -v systemd-analyze >/dev/null 2>&1 || exit 0',
    'd=$(mktemp -d) || exit 1',
    'trap \'rm -rf "$d"\' EXIT',
    ...base,
    `cat "$1" >"$d"/${quote(file)} || exit 1`,
    `systemd-analyze verify --man=no "$d"/${name} 2>&1 | grep -E ${quote(complaint(file))} >&2 && exit 1`,
    'exit 0',
  ].join('\n');
}

/** The unit itself as it is, or a stand-in: a drop-in alone is no unit. */
function beside(unit: string): string[] {
  const name = quote(unit);
  return [
    `f=$(systemctl show -p FragmentPath -- ${name} 2>/dev/null); f=\${f#FragmentPath=}`,
    `if [ -f "$f" ]; then cat "$f"; else printf '[Service]\\nExecStart=/bin/true\\n'; fi >"$d"/${name} || exit 1`,
  ];
}

function complaint(file: string): string {
  const place = file.replace(/[.\\[\]*+?^$(){}|]/g, '\\$&');
  return `${place}:[0-9]+:|bad unit file setting|[Rr]efusing|has no ExecStart|Service has more than one`;
}
