import type { Value } from '../values.ts';

/** The names that a body binds: a loop turn, a macro call, a `with`. Bodies inside see those outside. */
export class Frame {
  private readonly names = new Map<string, Value>();

  constructor(private readonly outer?: Frame) {}

  get(name: string): Value | undefined {
    for (let frame: Frame | undefined = this; frame; frame = frame.outer) {
      const value = frame.names.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  set(name: string, value: Value): void {
    this.names.set(name, value);
  }

  *all(): Iterable<string> {
    for (let frame: Frame | undefined = this; frame; frame = frame.outer) yield* frame.names.keys();
  }
}
