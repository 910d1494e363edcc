import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';

/** Every installed package. */
export interface PackageList {
  /** apt, rpm, apk; none: nothing that kpush knows. */
  manager: string;
  packages: { name: string; version: string; arch: string; release?: string; epoch?: string; category?: string }[];
}

export function packageList(world: WorldView): PackageList {
  return readKnown<PackageList>(world, 'package-list', 'all');
}

export const packageListKey: FactKey = { family: 'package-list', id: 'all' };

export const packageListFamily: FactFamily<PackageList> = {
  name: 'package-list',
  guarded: false,
  script: (keys) => keys.map(() => text).join('\n'),
  parse(record) {
    const [manager = '', ...lines] = utf8(record).split('\n');
    if (!/^(apt|rpm|apk|none)$/.test(manager)) throw new Error(`unreadable packages: ${record.slice(0, 80)}`);
    const rows = lines.filter(Boolean).map((line) => line.split('\t'));
    return { state: 'known', raw: record, value: { manager, packages: rows.flatMap((row) => packageOf(row)) } };
  },
  reduce(effect, draft) {
    if (effect.type !== 'package.set' && effect.type !== 'world.open') return;
    const why = effect.type === 'world.open' ? effect.why : `${effect.name} is ${effect.status}`;
    draft.each('package-list', (_id, _answer, set) => set({ state: 'unknown', why }));
  },
};

/** Fields: name, version, architecture, then release, epoch, category where the manager has them. */
const text = `if command -v dpkg-query >/dev/null 2>&1; then
  printf 'apt\\n'; dpkg-query -W -f='\${Package}\\t\${Version}\\t\${Architecture}\\t\\t\\t\${Section}\\t\${db:Status-Status}\\n' 2>/dev/null
elif command -v rpm >/dev/null 2>&1; then
  printf 'rpm\\n'; rpm -qa --qf '%{NAME}\\t%{VERSION}\\t%{ARCH}\\t%{RELEASE}\\t%{EPOCH}\\t\\n' 2>/dev/null
elif command -v apk >/dev/null 2>&1; then
  printf 'apk\\n'; apk info -v 2>/dev/null | sed -n 's/^\\(.*\\)-\\([^-]*\\)-\\(r[0-9]*\\)$/\\1\\t\\2\\t\\t\\3/p'
else printf 'none\\n'
fi
kp_sep`;

function packageOf([name = '', version = '', arch = '', release, epoch, category, status]: string[]) {
  if (status !== undefined && status !== 'installed') return [];
  const more = { release, epoch: epoch === '(none)' ? undefined : epoch, category };
  const set = Object.entries(more).filter(([, value]) => value !== undefined && value !== '');
  return [{ name, version, arch, ...Object.fromEntries(set) }];
}
