import { checkText } from '../budget.ts';
import { typeError } from '../errors.ts';
import { type CallContext, Undefined, type Value } from '../values.ts';
import { formatSpec } from './format-spec.ts';
import { pyRepr, pyStr } from './repr.ts';
import { undefinedError } from './types.ts';

type Keywords = ReadonlyMap<string, Value>;

/** Python's str.format(). Attributes and items in `{0.a[b]}` are those that templates can reach, no others. */
export function formatBraces(template: string, args: readonly Value[], kwargs: Keywords, context: CallContext): string {
  return new Formatter(args, kwargs, context).format(template, 0);
}

class Formatter {
  private automatic = 0;

  constructor(
    private readonly args: readonly Value[],
    private readonly kwargs: Keywords,
    private readonly context: CallContext,
  ) {}

  format(template: string, depth: number): string {
    if (depth > 1) throw typeError('Max string recursion exceeded');
    let result = '';
    let position = 0;
    while (position < template.length) {
      const at = template.slice(position).search(/[{}]/);
      if (at < 0) break;
      result += template.slice(position, position + at);
      position += at;
      const next = this.brace(template, position, depth);
      result += next.text;
      position = next.end;
      checkText(result.length);
    }
    return result + template.slice(position);
  }

  private brace(template: string, at: number, depth: number): { text: string; end: number } {
    const character = template[at]!;
    if (template[at + 1] === character) return { text: character, end: at + 2 };
    if (character === '}') throw typeError("Single '}' encountered in format string");
    const end = closing(template, at);
    return { text: this.field(template.slice(at + 1, end), depth), end: end + 1 };
  }

  private field(source: string, depth: number): string {
    const found = /^([^:!]*)(?:!([rsa]))?(?::([\s\S]*))?$/.exec(source);
    if (!found) throw typeError(`'${source}' is no replacement field`);
    const value = this.value(found[1]!, found[2]);
    const converted = found[2] === undefined ? value : found[2] === 's' ? pyStr(value) : pyRepr(value);
    return formatSpec(converted, found[3] ? this.format(found[3], depth + 1) : '');
  }

  private value(path: string, conversion: string | undefined): Value {
    const [first = ''] = /^[^.[]*/.exec(path) ?? [];
    let value = this.argument(first);
    for (const [, name, key] of path.slice(first.length).matchAll(/\.([^.[]+)|\[([^\]]+)\]/g)) {
      value = name !== undefined ? this.context.attribute(value, name) : this.context.item(value, indexOrKey(key!));
    }
    if (value instanceof Undefined)
      throw undefinedError(value, conversion ? ' (inside a value that becomes text)' : '');
    return value;
  }

  private argument(name: string): Value {
    const index = name === '' ? this.automatic++ : /^\d+$/.test(name) ? Number(name) : undefined;
    const value = index === undefined ? this.kwargs.get(name) : this.args[index];
    if (value !== undefined) return value;
    throw typeError(index === undefined ? `format() has no argument '${name}'` : 'format() has too few arguments');
  }
}

function closing(template: string, at: number): number {
  let depth = 0;
  for (let i = at; i < template.length; i++) {
    if (template[i] === '{') depth++;
    else if (template[i] === '}' && --depth === 0) return i;
  }
  throw typeError("expected '}' before end of string");
}

function indexOrKey(text: string): Value {
  return /^\d+$/.test(text) ? Number(text) : text;
}
