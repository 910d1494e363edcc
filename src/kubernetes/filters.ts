import { plain } from '../core/plain.ts';
import { filter } from '../jinja/definitions.ts';
import type { Filter } from '../jinja/environment.ts';
import { typeError } from '../jinja/errors.ts';
import type { Value } from '../jinja/values.ts';
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
};

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
