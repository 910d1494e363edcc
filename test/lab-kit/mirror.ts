import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { LabError } from './errors.ts';
import { must } from './shell.ts';

/** The Debian release of the lab's hosts. */
export const suite = 'bookworm';

/** How a host reaches Debian's packages: as this machine does. */
export interface Apt {
  /** Base URL of the main archive. */
  mirror: string;
  /** Text of /etc/apt/sources.list. */
  sources: string;
  /** Text of a file for /etc/apt/apt.conf.d: proxies and checks. */
  conf: string;
  /** Certificate authorities this machine was given beyond its distribution's: file name and PEM. */
  authorities: { name: string; pem: string }[];
}

/** Reads this machine's apt configuration; KPUSH_LAB_MIRROR names the archive where the machine is not a Debian. */
export async function machineApt(): Promise<Apt> {
  const targets = await debianTargets();
  const main = process.env.KPUSH_LAB_MIRROR || targets.find((target) => !/-security$/.test(target.release))?.site;
  if (!main)
    throw new LabError(
      'apt on this machine knows no Debian archive; set KPUSH_LAB_MIRROR to the URL of one to build the lab from.',
    );
  const security = targets.find((target) => /-security$/.test(target.release))?.site;
  const lines = [`deb ${main} ${suite} main`, `deb ${main} ${suite}-updates main`];
  if (security) lines.push(`deb ${security} ${suite}-security main`);
  return {
    mirror: main,
    sources: `${lines.join('\n')}\n`,
    conf: await fetchOptions(),
    authorities: localAuthorities(),
  };
}

async function debianTargets(): Promise<{ site: string; release: string }[]> {
  if (!existsSync('/usr/bin/apt-get')) return [];
  const list = () =>
    must('apt-get', ['indextargets', '--format', '$(SITE) $(RELEASE)', 'Created-By: Packages', 'Origin: Debian']);
  let text = await list();
  // A target's origin is known only once its index has been fetched.
  if (!text.trim()) {
    await must('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=600', 'update']);
    text = await list();
  }
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ site: line.split(' ')[0]!, release: line.split(' ')[1]! }));
}

async function fetchOptions(): Promise<string> {
  if (!existsSync('/usr/bin/apt-config')) return '';
  const wanted = /^Acquire::(https?::(Proxy|Verify)|Check-|Retries|ForceIPv)/;
  const lines = (await must('apt-config', ['dump']))
    .split('\n')
    .filter((line) => wanted.test(line) && !/ "";$/.test(line));
  for (const scheme of ['http', 'https']) {
    const proxy = process.env[`${scheme}_proxy`];
    if (proxy && !lines.some((line) => line.startsWith(`Acquire::${scheme}::Proxy `)))
      lines.push(`Acquire::${scheme}::Proxy "${proxy}";`);
  }
  return `${lines.join('\n')}\n`;
}

function localAuthorities() {
  const folder = '/usr/local/share/ca-certificates';
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.crt')) : [];
  return names.map((name) => ({ name, pem: readFileSync(`${folder}/${name}`, 'utf8') }));
}
