import { X509Certificate } from 'node:crypto';
import { plain } from '../core/plain.ts';
import { filter } from '../jinja/definitions.ts';
import type { Filter } from '../jinja/environment.ts';
import { typeError } from '../jinja/errors.ts';
import { isMapping, type Value } from '../jinja/values.ts';
import { nthAddress } from './networks.ts';
import { FlagError, renderFile, renderFlags } from './render.ts';
import type { Settings } from './rows.ts';

/** Kubernetes' own filters: what a component is started with depends on its release, and the tables know how. */
export const kubernetesFilters: Readonly<Record<string, Filter>> = {
  kube_flags: filter(
    'component, version, extra?',
    'The command line of a Kubernetes component of a release, as a list: settings | kube_flags(component, version, extra).',
    (settings, [component, version, extra]) =>
      orTypeError(() => renderFlags(text(component), text(version), objectOf(settings), objectOf(extra))),
  ),
  kube_config: filter(
    'component, version, extra?',
    'The configuration file of a Kubernetes component of a release, as a mapping.',
    (settings, [component, version, extra]) =>
      orTypeError(() => templateValue(renderFile(text(component), text(version), objectOf(settings), objectOf(extra)))),
  ),
  kube_address_of: filter(
    '',
    'The address of a host for the others, out of its variables (hostvars): kube_node_ip, else ansible_host.',
    (host) => addressOf(host),
  ),
  kube_nth_address: filter('n', 'The n-th address of a network in CIDR notation.', (network, [n]) =>
    orTypeError(() => nthAddress(text(network), Number(plain(n ?? 0)))),
  ),
  kube_fingerprint: filter('', 'The SHA-256 of a PEM certificate in lowercase hex.', (pem) => fingerprint(text(pem))),
  systemd_word: filter('', 'A text as one word of a command line in a systemd unit.', (word) =>
    systemdWord(text(word)),
  ),
};

function addressOf(host: Value): Value {
  if (!isMapping(host)) throw typeError('kube_address_of takes the variables of a host');
  const address = host.get('kube_node_ip') ?? host.get('ansible_host');
  if (address === undefined || address === null) throw typeError('a host has neither kube_node_ip nor ansible_host');
  return address;
}

function fingerprint(pem: string): string {
  try {
    return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
  } catch {
    throw typeError('kube_fingerprint takes a certificate in PEM');
  }
}

/** `%` begins a specifier and `$` a variable there, also within quotes. */
function systemdWord(word: string): string {
  const escaped = word.replace(/[%$]/g, '$&$&');
  return /^[\w@%+=:,./$-]+$/.test(escaped) ? escaped : `"${escaped.replace(/["\\]/g, '\\$&')}"`;
}

function orTypeError<T>(render: () => T): T {
  try {
    return render();
  } catch (error) {
    throw error instanceof FlagError ? typeError(error.message) : error;
  }
}

function text(value: Value | undefined): string {
  const found = value === undefined ? '' : plain(value);
  if (typeof found !== 'string') throw typeError(`component and version are texts, not ${JSON.stringify(found)}`);
  return found;
}

function objectOf(value: Value | undefined): Settings {
  const found = value === undefined ? {} : (plain(value) ?? {});
  if (typeof found !== 'object' || Array.isArray(found)) throw typeError('settings and extra flags are mappings');
  return found as Settings;
}

function templateValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(templateValue);
  if (typeof value !== 'object' || value === null) return value as Value;
  return new Map(Object.entries(value).map(([key, item]) => [key, templateValue(item)]));
}
