import { checkText } from '../budget.ts';
import { parseLiteral } from '../python/literal.ts';
import { pyStr } from '../python/repr.ts';
import { markNow, markUnsafe, takeMark } from '../python/text.ts';
import { undefinedError } from '../python/types.ts';
import { isMapping, LazyDict, PyObject, Tuple, Undefined, Unsafe, type Value } from '../values.ts';

/** The pieces of one rendering. A single list or dict is kept as it is: nothing may ever want its text. */
export class Output {
  private readonly parts: string[] = [];
  private single?: Value;
  private length = 0;
  private marked = false;

  /** `eager`: the template changes lists and dicts, so what is printed must become text at once. */
  constructor(private readonly eager = false) {}

  add(value: Value): void {
    if (!this.eager && this.parts.length === 0 && this.single === undefined && isContainer(value)) {
      this.single = value;
      return;
    }
    this.flushSingle();
    this.addText(value);
  }

  private flushSingle() {
    const { single } = this;
    this.single = undefined;
    if (single !== undefined) this.addText(single);
  }

  private addText(value: Value) {
    const before = markNow();
    const text = pyStr(value);
    if (takeMark(before)) this.marked = true;
    this.length += text.length;
    checkText(this.length);
    this.parts.push(text);
  }

  text(): string | Unsafe {
    this.flushSingle();
    const text = this.parts.join('');
    return this.marked ? new Unsafe(text) : text;
  }

  /** Ansible's reading of a result: what looks like a list, dict or boolean becomes one. */
  native(): Value {
    if (this.single !== undefined && survivesReading(this.single)) return this.single;
    const result = this.text();
    return result instanceof Unsafe ? markUnsafe(readBack(result.text)) : readBack(result);
  }
}

function isContainer(value: Value): boolean {
  return Array.isArray(value) || isMapping(value) || value instanceof Tuple;
}

function readBack(text: string): Value {
  if (!text.startsWith('{') && !text.startsWith('[') && text !== 'True' && text !== 'False') return text;
  return parseLiteral(text, { jsonNames: true }) ?? text;
}

/** Whether writing the value as Python and reading it again gives the same value. */
function survivesReading(value: Value): boolean {
  if (value instanceof LazyDict) return true;
  return !(value instanceof Tuple) && isPlain(value);
}

function isPlain(value: Value): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof Map) return [...value].every(([key, item]) => isPlain(key) && isPlain(item));
  if (value instanceof Tuple) return value.items.every(isPlain);
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Undefined && !value.isSoft) throw undefinedError(value);
  return !(value instanceof PyObject);
}
