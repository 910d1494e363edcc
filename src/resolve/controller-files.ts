import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ControllerFile, ControllerFiles, TemplateOptions } from '../core/module.ts';
import { TaskFailure } from '../core/result.ts';
import { parseTemplate, render, TemplateError, type Value } from '../jinja/index.ts';
import { findIn, searchFolders } from '../load/search.ts';
import type { Sources } from '../load/sources.ts';
import { fileSha256 } from './file-hash.ts';
import { type Layer, valuesLayer } from './layer.ts';
import type { LookupPlace } from './lookups/place.ts';
import { roleOf } from './magic.ts';
import { within } from './random-places.ts';

/** Controller files as the task at this place finds them. Failures are the task's (TaskFailure). */
export function controllerFiles(place: LookupPlace): ControllerFiles {
  const find = (kind: 'files' | 'templates' | 'vars' | 'tasks', name: string) => found(kind, name, place);
  return {
    find,
    template: (name, options) => rendered(find('templates', name).path, options, place),
  };
}

function found(kind: string, name: string, { settings, point }: LookupPlace): ControllerFile {
  const file = point.task?.file ?? point.play.file;
  const folders = searchFolders({ file, playFile: point.play.file, role: roleOf(point) }, kind);
  const path = findIn(settings.sources, folders, name);
  if (path) return controllerFile(path, settings.sources);
  const shown = folders.map((folder) => settings.sources.show(folder)).join(', ');
  throw new TaskFailure(`Could not find or access '${name}' on the Ansible Controller.`, {}, `looked in ${shown}`);
}

/** One file or folder; content is read when asked for. Vault files are decrypted. */
function controllerFile(path: string, sources: Sources): ControllerFile {
  const stats = statSync(path);
  const kind = stats.isDirectory() ? 'directory' : 'file';
  const bytes = () => sources.bytes(path);
  return {
    path,
    kind,
    size: stats.size,
    mode: stats.mode & 0o7777,
    mtime: stats.mtimeMs,
    bytes,
    sha256: () => fileSha256(path, stats, sources),
    walk: () => (kind === 'directory' ? walk(path, '', sources) : []),
  };
}

function walk(folder: string, prefix: string, sources: Sources): { path: string; file: ControllerFile }[] {
  return sources.files.list(folder).flatMap((name) => {
    const file = controllerFile(join(folder, name), sources);
    const path = join(prefix, name);
    return [{ path, file }, ...(file.kind === 'directory' ? walk(join(folder, name), path, sources) : [])];
  });
}

/** A template with the variables that the template module adds. */
function rendered(path: string, options: TemplateOptions, place: LookupPlace): Value {
  const { settings, scope } = place;
  const shown = settings.sources.show(path);
  const custom = customDelimiters(options);
  if (custom) throw new TaskFailure(`${custom} is not supported`, {}, 'use the usual delimiters');
  const text = settings.sources.bytes(path).toString('utf8');
  try {
    const parsed = parseTemplate(text, parseOptions(options), { name: shown });
    const inner = scope.above(templateVars(path, options.dest, settings.now?.() ?? new Date(0)));
    return within(
      inner.env,
      () => path,
      () => render(parsed, inner, inner.env),
    );
  } catch (error) {
    if (error instanceof TemplateError && error.origin === undefined) error.origin = shown;
    throw error;
  }
}

function parseOptions({ trimBlocks, lstripBlocks, newline }: TemplateOptions) {
  const sequence = newline === '\r\n' || newline === '\r' ? newline : '\n';
  return {
    trimBlocks: trimBlocks ?? true,
    lstripBlocks: lstripBlocks ?? false,
    newlineSequence: sequence as '\n' | '\r\n' | '\r',
  };
}

function customDelimiters(options: TemplateOptions): string | undefined {
  const usual = {
    blockStart: '{%',
    blockEnd: '%}',
    variableStart: '{{',
    variableEnd: '}}',
    commentStart: '{#',
    commentEnd: '#}',
  };
  return Object.entries(usual).find(([name, text]) => {
    const given = options[name as keyof typeof usual];
    return given !== undefined && given !== text;
  })?.[0];
}

function templateVars(path: string, dest: string | undefined, now: Date): Layer {
  const values = new Map<string, Value>([
    ['ansible_managed', 'Ansible managed'],
    ['template_path', path],
    ['template_fullpath', path],
    ['template_host', process.env.HOSTNAME ?? 'localhost'],
    ['template_uid', process.env.USER ?? 'root'],
    ['template_run_date', now.toISOString().replace('T', ' ').replace('Z', '')],
    ['template_mtime', now.toISOString()],
    ['template_destpath', dest ?? null],
    ['template_name', basename(path)],
  ]);
  return valuesLayer('a variable of the template module', values) as Layer;
}
