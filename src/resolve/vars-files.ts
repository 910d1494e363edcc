import { dirname } from 'node:path';
import type { EvalPoint } from '../core/evaluator.ts';
import type { Node } from '../core/node.ts';
import { scalarText } from '../core/plain.ts';
import { TaskFailure } from '../core/result.ts';
import { type Environment, TemplateError, Undefined } from '../jinja/index.ts';
import { wrongType } from '../load/expect.ts';
import { varsFilePath } from '../load/play-vars-files.ts';
import type { Sources } from '../load/sources.ts';
import type { Host } from './inventory.ts';
import { magicLayer } from './magic.ts';
import { belowVarsFiles, type LayerTools } from './point-layers.ts';
import { LayeredScope } from './scope.ts';

/**
 * The variables of a play's vars_files for a host, weakest first. Names may use what is weaker than vars_files (facts,
 * inventory, play vars). A name that needs facts not gathered yet is passed over, as in Ansible.
 */
export function varsFilesNodes(
  point: EvalPoint,
  host: Host,
  tools: LayerTools,
  env: (scope: LayeredScope) => Environment,
): readonly Node[] {
  const { settings } = tools;
  const place = {
    settings,
    host,
    playDir: dirname(point.play.file),
    point,
    inPlay: true,
    hostvars: () => null,
    vars: () => null,
  };
  const scope = new LayeredScope([magicLayer(place), ...belowVarsFiles(point, host, tools)], env);
  return point.play.varsFiles.flatMap((entry) => chosen(entry, scope, point, tools) ?? []);
}

/** Whether a name of the entry, which may be a list of alternatives, shows only when it is rendered. */
export function isTemplated(entry: Node): boolean {
  return (entry.items ?? [entry]).some((name) => !name.literal);
}

function chosen(entry: Node, scope: LayeredScope, point: EvalPoint, { settings }: LayerTools): Node | undefined {
  const names = (entry.items ?? [entry]).map((name) => nameOf(name, scope, point));
  if (names.includes(undefined)) return undefined;
  for (const name of names) {
    const path = varsFilePath(name ?? '', point.play.file, settings.sources);
    if (path) return mappingOf(path, entry, settings.sources);
  }
  throw new TaskFailure(`vars file ${names.join(', ')} was not found`);
}

function mappingOf(path: string, entry: Node, sources: Sources): Node {
  const node = sources.yaml(path, entry.origin);
  if (node.value !== null && !node.entries) throw wrongType(node, sources.show(path), 'a mapping of variables');
  return node;
}

function nameOf(node: Node, scope: LayeredScope, point: EvalPoint): string | undefined {
  try {
    const value = scope.render(node);
    return value instanceof Undefined ? undefined : scalarText(value);
  } catch (error) {
    if (error instanceof TemplateError && error.kind === 'undefined' && !point.state.facts.has('module_setup'))
      return undefined;
    throw error;
  }
}
