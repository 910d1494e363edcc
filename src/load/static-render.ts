import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import { type Environment, pyStr, renderNative, standardEnvironment, TemplateError } from '../jinja/index.ts';
import { type Scope, Undefined, Unknown, type Value } from '../jinja/values.ts';
import { templateProblem } from './check-syntax.ts';
import type { StaticRender } from './context.ts';

/** Renders names that must be known at load from the variables of plays and imports, `-e` above them. */
export function staticRender(extraVars: Node | undefined): StaticRender {
  let env: Environment | undefined;
  return (node, vars) => {
    if (node.literal) return textFrom(node, node.value);
    env ??= standardEnvironment();
    const scope = new NodeScope(extraVars ? [...vars, extraVars] : vars, env);
    try {
      return textFrom(node, renderNative(node.value, scope, env));
    } catch (error) {
      if (error instanceof TemplateError) throw templateProblem(error, node, { hint });
      throw error;
    }
  };
}

const hint =
  'static imports and roles know only -e and the vars of plays, blocks and imports around them; includes know all';

function textFrom(node: Node, value: Value): string {
  const text = nameText(value);
  if (text !== '') return text;
  throw inputError('the name is empty', { origin: node.origin, expected: 'the name of a file or role' });
}

function nameText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Undefined || value === null) return '';
  const text = pyStr(value);
  return text instanceof Unknown ? '' : text;
}

/** Variables as nodes, rendered when asked for; the last node that defines a name wins. */
class NodeScope implements Scope {
  private readonly nodes: readonly Node[];
  private readonly env: Environment;
  private readonly open = new Set<string>();

  constructor(nodes: readonly Node[], env: Environment) {
    this.nodes = nodes;
    this.env = env;
  }

  get(name: string): Value | undefined {
    const node = [...this.nodes]
      .reverse()
      .find((vars) => vars.entries?.has(name))
      ?.entries?.get(name)?.node;
    if (!node || node.literal) return node?.value;
    if (this.open.has(name)) throw new TemplateError('undefined', `recursive loop in variable '${name}'`);
    this.open.add(name);
    try {
      return renderNative(node.value, this, this.env);
    } finally {
      this.open.delete(name);
    }
  }

  *names(): Iterable<string> {
    for (const node of this.nodes) yield* node.entries?.keys() ?? [];
  }
}
