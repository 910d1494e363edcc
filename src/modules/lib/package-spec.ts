import { TaskFailure } from '../../core/result.ts';
import { wildcards } from '../../core/wildcards.ts';
import { compareDebianVersions } from './debian-version.ts';

/** What a task says about one package: `curl`, `curl=7.88*`, `iptables>=1.4.21`, `libc6:i386`, `kube*`. */
export interface PackageSpec {
  /** As written. */
  text: string;
  name: string;
  operator?: '=' | '>=' | '<=' | '>' | '<';
  version?: string;
  /** `curl/bookworm-backports`. */
  release?: string;
}

export function parseSpec(text: string): PackageSpec {
  const found = /^([^\s=<>/]+)(?:\/(\S+)|\s*(>=|<=|=|>|<)\s*(\S+))?$/.exec(text.trim());
  if (!found || /=.*=/.test(text)) throw new TaskFailure(`invalid package spec: ${text}`);
  const [, name = '', release, operator, version] = found;
  if (!/^[A-Za-z0-9*?[][A-Za-z0-9.+*?[\]!^-]*(:[a-z0-9]+)?$/.test(name))
    throw new TaskFailure(`invalid package spec: ${text}`);
  return {
    text: text.trim(),
    name,
    ...(release ? { release } : {}),
    ...(operator && version ? { operator: operator as '=', version } : {}),
  };
}

/** Whether an installed version is what the spec asks for. `=` takes shell patterns (`1.20.*`). */
export function meets(spec: PackageSpec, version: string | undefined): boolean {
  if (!spec.operator || !spec.version) return true;
  if (version === undefined) return false;
  if (spec.operator === '=')
    return hasPattern(spec.version)
      ? wildcards(spec.version, { classes: '!' }).test(version)
      : version === spec.version;
  const order = compareDebianVersions(version, spec.version);
  return { '>=': order >= 0, '<=': order <= 0, '>': order > 0, '<': order < 0 }[spec.operator];
}

/** The version it will have, where the spec alone says so. */
export function exactVersion(spec: PackageSpec): string | undefined {
  return spec.operator === '=' && spec.version && !hasPattern(spec.version) ? spec.version : undefined;
}

/** As apt-get takes it; it knows `=` but no other comparison. */
export function aptArgument(spec: PackageSpec): string {
  if (spec.release) return `${spec.name}/${spec.release}`;
  return spec.operator === '=' ? `${spec.name}=${spec.version}` : spec.name;
}

/** What `dpkg --compare-versions` calls the operator. */
export function dpkgOperator(operator: '>=' | '<=' | '>' | '<'): string {
  return { '>=': 'ge', '<=': 'le', '>': 'gt', '<': 'lt' }[operator];
}

function hasPattern(version: string): boolean {
  return /[*?[]/.test(version);
}
