import { typeError } from '../errors.ts';
import type { Assertion, Node, Pattern } from './ast.ts';
import type { CharacterSet } from './sets.ts';

/** One step of the matcher. `pc` values are positions in the program. */
export type Instruction =
  | { op: 'set'; set: CharacterSet }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'save'; slot: number }
  | { op: 'assert'; what: Assertion; ascii: boolean }
  | { op: 'reference'; index: number; ignoreCase: boolean }
  | { op: 'look'; end: number; width: number; behind: boolean; negated: boolean }
  | { op: 'atomic'; end: number }
  | { op: 'condition'; index: number; no: number }
  | { op: 'run'; set: CharacterSet; min: number; max: number; mode: 'greedy' | 'lazy' | 'possessive' }
  | { op: 'enter'; slot: number }
  | { op: 'loop'; slot: number; min: number; max: number; lazy: boolean; body: number; exit: number }
  | { op: 'match' };

export interface Program {
  code: Instruction[];
  /** Capture slots (two per group) and loop slots (turns and last position). */
  slots: number;
}

export function compilePattern(pattern: Pattern): Program {
  const compiler = new Compiler(2 * (pattern.groups + 1));
  compiler.emit(pattern.root);
  compiler.code.push({ op: 'match' });
  return { code: compiler.code, slots: compiler.slots };
}

class Compiler {
  readonly code: Instruction[] = [];

  constructor(public slots: number) {}

  emit(node: Node): void {
    switch (node.kind) {
      case 'empty':
        return;
      case 'set':
        this.code.push({ op: 'set', set: node.set });
        return;
      case 'sequence':
        for (const item of node.items) this.emit(item);
        return;
      case 'choice':
        this.choice(node.options);
        return;
      case 'group':
        this.code.push({ op: 'save', slot: 2 * node.index });
        this.emit(node.body);
        this.code.push({ op: 'save', slot: 2 * node.index + 1 });
        return;
      case 'assertion':
        this.code.push({ op: 'assert', what: node.what, ascii: node.ascii });
        return;
      case 'reference':
        this.code.push({ op: 'reference', index: node.index, ignoreCase: node.ignoreCase });
        return;
      default:
        this.emitRarer(node);
    }
  }

  private emitRarer(node: Node & { kind: 'atomic' | 'look' | 'repeat' | 'condition' }): void {
    if (node.kind === 'repeat') this.repeat(node);
    else if (node.kind === 'condition') this.condition(node);
    else if (node.kind === 'atomic') this.atomic(node.body);
    else this.look(node);
  }

  private choice(options: Node[]): void {
    const jumps: (Instruction & { op: 'jump' })[] = [];
    for (const [i, option] of options.entries()) {
      if (i === options.length - 1) this.emit(option);
      else jumps.push(this.option(option));
    }
    for (const jump of jumps) jump.to = this.code.length;
  }

  private option(option: Node): Instruction & { op: 'jump' } {
    const split: Instruction = { op: 'split', first: this.code.length + 1, second: 0 };
    this.code.push(split);
    this.emit(option);
    const jump: Instruction & { op: 'jump' } = { op: 'jump', to: 0 };
    this.code.push(jump);
    split.second = this.code.length;
    return jump;
  }

  private condition(node: Node & { kind: 'condition' }): void {
    const test: Instruction = { op: 'condition', index: node.index, no: 0 };
    this.code.push(test);
    this.emit(node.yes);
    const jump: Instruction = { op: 'jump', to: 0 };
    this.code.push(jump);
    test.no = this.code.length;
    this.emit(node.no);
    jump.to = this.code.length;
  }

  private atomic(body: Node): void {
    const instruction: Instruction = { op: 'atomic', end: 0 };
    this.enclosed(instruction, body);
  }

  private look(node: Node & { kind: 'look' }): void {
    const width = node.behind ? fixedWidth(node.body) : 0;
    this.enclosed({ op: 'look', end: 0, width, behind: node.behind, negated: node.negated }, node.body);
  }

  private enclosed(instruction: Instruction & { op: 'atomic' | 'look' }, body: Node): void {
    this.code.push(instruction);
    this.emit(body);
    this.code.push({ op: 'match' });
    instruction.end = this.code.length;
  }

  private repeat(node: Node & { kind: 'repeat' }): void {
    const { body, min, max, mode } = node;
    if (body.kind === 'set') this.code.push({ op: 'run', set: body.set, min, max, mode });
    else if (mode === 'possessive') this.atomic({ ...node, mode: 'greedy' });
    else this.loop(node);
  }

  private loop({ body, min, max, mode }: Node & { kind: 'repeat' }): void {
    const slot = this.slots;
    this.slots += 2;
    this.code.push({ op: 'enter', slot });
    const loop: Instruction = {
      op: 'loop',
      slot,
      min,
      max,
      lazy: mode === 'lazy',
      body: this.code.length + 1,
      exit: 0,
    };
    const at = this.code.length;
    this.code.push(loop);
    this.emit(body);
    this.code.push({ op: 'jump', to: at });
    loop.exit = this.code.length;
  }
}

/** The width of a look-behind. */
function fixedWidth(node: Node): number {
  switch (node.kind) {
    case 'set':
      return 1;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + fixedWidth(item), 0);
    case 'choice':
      return common(node.options.map(fixedWidth));
    case 'condition':
      return common([node.yes, node.no].map(fixedWidth));
    case 'group':
    case 'atomic':
      return fixedWidth(node.body);
    case 'repeat':
      return common([node.min, node.max]) * fixedWidth(node.body);
    case 'reference':
      throw typeError('invalid regular expression: a look-behind cannot hold a group reference');
    default:
      return 0;
  }
}

function common(widths: number[]): number {
  if (widths.every((width) => width === widths[0])) return widths[0]!;
  throw typeError('invalid regular expression: look-behind requires fixed-width pattern');
}
