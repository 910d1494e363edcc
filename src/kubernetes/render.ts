import { apiserver } from './apiserver.ts';
import { controllerManager, scheduler } from './controllers.ts';
import { kubelet } from './kubelet.ts';
import { proxy } from './proxy.ts';
import { oldest, type Release, reaches, releaseOf } from './release.ts';
import type { Component, Row, Setting, Settings } from './rows.ts';

export const components: Readonly<Record<string, Component>> = {
  'kube-apiserver': apiserver,
  'kube-controller-manager': controllerManager,
  'kube-scheduler': scheduler,
  kubelet,
  'kube-proxy': proxy,
};

/** What cannot be asked of this release, in words for the person who asked. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/**
 * The command line of a component of a release, one argument each, in the table's order. `extra` are the user's own
 * flags by name: they win, null leaves one out, and one that this release no longer has is refused.
 */
export function renderFlags(name: string, version: string, settings: Settings, extra: Settings = {}): string[] {
  const [component, release] = [componentOf(name), supported(version)];
  refuseRuntime(release, settings);
  for (const flag of Object.keys(extra)) refuseEnded(component, name, release, flag);
  const rows = component.rows.filter((row) => row.in === 'flag' && applies(row, release, settings));
  const own = rows
    .filter((row) => !(row.name in extra))
    .flatMap((row) => written(row.name, settingOf(row, settings), row.repeated));
  return [...own, ...Object.entries(extra).flatMap(([flag, value]) => written(flag, value, Array.isArray(value)))];
}

/** The configuration file of a component of a release as an object, with `extra` laid over it. */
export function renderFile(name: string, version: string, settings: Settings, extra: object = {}): object {
  const [component, release] = [componentOf(name), supported(version)];
  if (!component.file) throw new FlagError(`${name} has no configuration file`);
  const file: Tree = { ...component.file };
  for (const row of component.rows)
    if (row.in === 'file' && applies(row, release, settings)) put(file, row.name.split('.'), settingOf(row, settings));
  return merged(file, extra as Tree);
}

function componentOf(name: string): Component {
  const component = components[name];
  if (!component) throw new FlagError(`no component is called ${name}; known: ${Object.keys(components).join(', ')}`);
  return component;
}

function supported(version: string): Release {
  const release = releaseOf(version);
  if (!release) throw new FlagError(`'${version}' is no Kubernetes release; write it like v1.20.2`);
  if (!reaches(release, oldest))
    throw new FlagError(`${release.text} is too old: ${oldest} is the first release known`);
  return release;
}

function refuseRuntime(release: Release, { runtime }: Settings): void {
  if (runtime === 'docker' && reaches(release, '1.24'))
    throw new FlagError(`the kubelet of ${release.text} cannot use docker: 1.24 removed dockershim; use containerd`);
}

function refuseEnded(component: Component, name: string, release: Release, flag: string): void {
  const ended = component.ended.find((one) => one.flag === flag && reaches(release, one.at));
  if (ended) throw new FlagError(`${name} has no --${flag} since ${ended.at}; instead: ${ended.instead}`);
  const rows = component.rows.filter((row) => row.in === 'flag' && row.name === flag);
  if (rows.length === 0 || rows.some((row) => inRelease(row, release))) return;
  throw new FlagError(`${name} ${release.text} takes no --${flag}: ${rows.map((row) => row.source).join('; ')}`);
}

function applies(row: Row, release: Release, settings: Settings): boolean {
  const asked = Object.entries(row.when ?? {}).every(([setting, value]) => settings[setting] === value);
  return asked && inRelease(row, release) && !isEmpty(settingOf(row, settings));
}

function inRelease(row: Row, release: Release): boolean {
  return (
    (row.since === undefined || reaches(release, row.since)) &&
    !(row.until !== undefined && reaches(release, row.until))
  );
}

function settingOf(row: Row, settings: Settings): Setting | undefined {
  const value = row.from === undefined ? row.is : partOf(settings, row.from.split('.'));
  return row.as === 'number' && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

function partOf(value: unknown, [first, ...rest]: string[]): Setting | undefined {
  if (first === undefined) return value as Setting;
  return isTree(value) ? partOf(value[first], rest) : undefined;
}

function isEmpty(value: Setting | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function written(flag: string, value: Setting | undefined, repeated = false): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && repeated) return value.map((item) => `--${flag}=${item}`);
  return [`--${flag}=${flagText(value)}`];
}

function flagText(value: Setting): string {
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, item]) => `${key}=${item}`)
    .join(',');
}

interface Tree {
  [key: string]: unknown;
}

function put(tree: Tree, [first, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) tree[first!] = value;
  else {
    tree[first!] ??= {};
    put(tree[first!] as Tree, rest, value);
  }
}

/** Mappings are merged deeply, everything else replaced; null takes a field away. */
function merged(below: Tree, above: Tree): Tree {
  const result: Tree = { ...below };
  for (const [key, value] of Object.entries(above))
    if (value === null) delete result[key];
    else result[key] = isTree(value) && isTree(result[key]) ? merged(result[key], value) : value;
  return result;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
