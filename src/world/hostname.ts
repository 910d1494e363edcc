import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';

/** What a host is called now, and at its next boot (/etc/hostname; '' when there is none). */
export interface HostnameFact {
  current: string;
  permanent: string;
  /** Whether hostnamectl can set it. */
  systemd: boolean;
}

export function hostname(world: WorldView): HostnameFact {
  return readKnown<HostnameFact>(world, 'hostname', 'name');
}

export const hostnameKey: FactKey = { family: 'hostname', id: 'name' };

export const hostnameFamily: FactFamily<HostnameFact> = {
  name: 'hostname',
  guarded: true,
  script: (keys) => keys.map(() => text).join('\n'),
  parse(record) {
    const [systemd, current, permanent = ''] = utf8(record).split('\n');
    if (current === undefined) throw new Error(`unreadable host name: ${record.slice(0, 80)}`);
    return { state: 'known', raw: record, value: { current, permanent: permanent.trim(), systemd: systemd === '1' } };
  },
  differs: (predicted, actual) =>
    (['current', 'permanent'] as const)
      .filter((name) => predicted[name] !== actual[name])
      .map((name) => `${name} name: expected ${predicted[name]}, is ${actual[name]}`),
};

/** The first line of /etc/hostname that is no comment is the name. */
const text = `kf_s=0; [ ! -d /run/systemd/system ] || ! command -v hostnamectl >/dev/null 2>&1 || kf_s=1
printf '%s\\n%s\\n' $kf_s "$(uname -n)"
if [ -r /etc/hostname ]; then while IFS= read -r kf_l || [ -n "$kf_l" ]; do
  case $kf_l in ''|'#'*) ;; *) printf %s "$kf_l"; break;; esac
done </etc/hostname; fi
kp_sep`;
