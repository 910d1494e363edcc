import { inputError } from '../core/errors.ts';
import type { Task } from '../core/play.ts';
import { parseTemplate, type Template, TemplateError } from '../jinja/index.ts';
import { field, textOf } from './expect.ts';
import { findIn, searchFolders } from './search.ts';
import type { Sources } from './sources.ts';

export interface TemplateFile {
  /** As shown in messages. */
  file: string;
  parsed: Template;
}

/** Options that change what a template's text means: such a file is read when it runs. */
const dialects = [
  'block_start_string',
  'block_end_string',
  'variable_start_string',
  'variable_end_string',
  'comment_start_string',
  'comment_end_string',
];

/**
 * The template a task names literally, parsed; undefined when it names none, or one that is not there (which is the
 * task's own failure, if it runs). Throws an input error with the place of a syntax error in the template.
 */
export function templateFile(task: Task, playFile: string, sources: Sources): TemplateFile | undefined {
  const src = task.module === 'template' && task.params ? field(task.params, 'src') : undefined;
  const name = src?.literal ? textOf(src) : undefined;
  if (name === undefined || dialects.some((option) => task.params?.entries?.has(option))) return undefined;
  const path = findIn(sources, searchFolders({ file: task.file, playFile, role: task.role }, 'templates'), name);
  if (!path || !sources.isFile(path)) return undefined;
  const file = sources.show(path);
  return { file, parsed: parsed(sources.bytes(path).toString('utf8'), file, task) };
}

function parsed(text: string, file: string, task: Task): Template {
  try {
    return parseTemplate(text, {}, { name: file });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw inputError(`template error: ${error.message}`, {
      origin: { file, line: error.line ?? 1, column: error.column ?? 1 },
      related: [{ origin: task.moduleNode.origin, text: 'this task uses it' }],
      cause: error,
    });
  }
}
