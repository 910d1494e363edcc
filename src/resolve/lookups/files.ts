import { basename, dirname, join } from 'node:path';
import { scalarText } from '../../core/plain.ts';
import { parsePythonLiteral, type Value } from '../../jinja/index.ts';
import { glob } from '../globs.ts';
import { flag, itemsOf, type Lookup, locate, lookupError, option, term } from './place.ts';

/** Contents of files. */
export const file: Lookup = (terms, kwargs, place) =>
  terms.map((each) => {
    const name = term(each);
    const path = locate(place, 'files', name);
    if (!path || !place.settings.sources.isFile(path)) throw lookupError(`could not locate file in lookup: ${name}`);
    return stripped(
      place.settings.sources.bytes(path).toString('utf8'),
      flag(kwargs, 'lstrip', false),
      flag(kwargs, 'rstrip', true),
    );
  });

function stripped(text: string, left: boolean, right: boolean): string {
  const start = left ? text.trimStart() : text;
  return right ? start.trimEnd() : start;
}

/** Rendered templates. */
export const template: Lookup = (terms, kwargs, place) =>
  terms.map((each) => {
    const name = term(each);
    const path = locate(place, 'templates', name);
    if (!path) throw lookupError(`the template file ${name} could not be found for the lookup`);
    const vars = option(kwargs, 'template_vars');
    const extra =
      vars instanceof Map ? new Map([...vars].map(([key, value]) => [term(key), value])) : new Map<string, Value>();
    const result = place.template(path, extra);
    return flag(kwargs, 'convert_data', true) ? converted(result) : result;
  });

/** Ansible reads a rendered template back when it looks like a list or a dict. */
function converted(result: Value): Value {
  const text = scalarText(result);
  if (typeof result !== 'string' || text === undefined || !/^\s*[[{]/.test(text)) return result;
  return parsePythonLiteral(text.trim()) ?? result;
}

/** Files that match patterns, sorted by name. */
export const fileglob: Lookup = (terms, _kwargs, place) =>
  terms.flatMap((each) => {
    const pattern = term(each);
    const folder = locate(place, 'files', dirname(pattern));
    if (!folder) return [];
    const { files } = place.settings.sources;
    const matches = glob(basename(pattern));
    return files
      .list(folder)
      .filter((name) => matches.test(name) && (!name.startsWith('.') || basename(pattern).startsWith('.')))
      .map((name) => join(folder, name))
      .filter((path) => files.kind(path) === 'file');
  });

/** The first of several files that exists. */
export const firstFound: Lookup = (terms, kwargs, place) => {
  const kind = searchKind(place.point.task?.module);
  const wanted = candidates(terms, kwargs);
  for (const name of wanted.names) {
    const path = locate(place, kind, name);
    if (path) return [path];
  }
  if (wanted.skip) return [];
  throw lookupError(`No file was found when using first_found.`);
};

function searchKind(module: string | undefined): string {
  if (module?.includes('template')) return 'templates';
  return module?.includes('var') ? 'vars' : 'files';
}

function candidates(terms: readonly Value[], kwargs: ReadonlyMap<string, Value>): { names: string[]; skip: boolean } {
  let skip = flag(kwargs, 'skip', false);
  const named = [...names(option(kwargs, 'files'), /[,;]/)];
  const folders = [...names(option(kwargs, 'paths'), /[,:;]/)];
  const all = crossed(folders, named);
  for (const each of terms) {
    const items = itemsOf(each);
    if (items) all.push(...items.flatMap((item) => names(item, /[,;]/)));
    else if (each instanceof Map) {
      skip ||= flag(each as ReadonlyMap<string, Value>, 'skip', false);
      all.push(...crossed(names(each.get('paths'), /[,:;]/), names(each.get('files'), /[,;]/)));
    } else all.push(...names(each, /[,;]/));
  }
  return { names: all, skip };
}

function crossed(folders: string[], named: string[]): string[] {
  return folders.length ? folders.flatMap((folder) => named.map((name) => join(folder, name))) : named;
}

function names(value: Value | undefined, separators: RegExp): string[] {
  if (value === undefined || value === null) return [];
  const items = itemsOf(value);
  if (items) return items.flatMap((item) => names(item, separators));
  return term(value)
    .split(separators)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
