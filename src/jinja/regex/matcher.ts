import { limitError } from '../errors.ts';
import { holds } from './assertions.ts';
import type { Instruction, Program } from './compiler.ts';
import { fold } from './sets.ts';
import type { Subject } from './subject.ts';

/** How many steps one operation (a search, a replacement of all matches) may still take. */
export interface Allowance {
  steps: number;
}

/**
 * A backtracking matcher over an explicit stack: patterns of users run in bounded steps (a catastrophic one ends with
 * an error, always at the same step) and bounded memory, and captures behave as Python's, not as JavaScript's.
 */
export class Matcher {
  /** Capture and loop slots; -1 is unset. */
  readonly slots: Int32Array;
  /** Choices not taken yet: pc, position, trail length, lowest position of a run (or -1). */
  private readonly stack: number[] = [];
  /** Slots as they were: slot, value. */
  private readonly trail: number[] = [];

  constructor(
    private readonly program: Program,
    private readonly subject: Subject,
    private readonly allowance: Allowance,
  ) {
    this.slots = new Int32Array(program.slots);
  }

  /** Where a match that begins at `start` ends, or -1. `mustAdvance` refuses an empty one. */
  match(start: number, mustAdvance: boolean, mustReachEnd = false): number {
    this.slots.fill(-1);
    this.trail.length = 0;
    this.stack.length = 0;
    return this.run(
      0,
      start,
      (end) => !(mustAdvance && end === start) && !(mustReachEnd && end !== this.subject.length),
    );
  }

  /** Runs from `pc` until a `match` that `accept` takes; leaves the stack as it was. */
  private run(pc: number, start: number, accept: (end: number) => boolean): number {
    const base = this.stack.length;
    let position = start;
    let next = pc;
    for (;;) {
      this.spend();
      const instruction = this.program.code[next]!;
      if (instruction.op === 'match') {
        if (accept(position)) {
          this.stack.length = base;
          return position;
        }
        position = -1;
      } else {
        this.pc = next + 1;
        position = this.step(instruction, position);
        next = this.pc;
      }
      while (position < 0) {
        if (this.stack.length === base) return -1;
        position = this.backtrack();
        next = this.pc;
      }
    }
  }

  /** Where to go on after a step or a backtrack. */
  private pc = 0;

  private spend() {
    if (--this.allowance.steps < 0) throw limitError('the regular expression takes too many steps on this text');
  }

  /** The position after an instruction, or -1 when it fails. */
  private step(instruction: Exclude<Instruction, { op: 'match' }>, position: number): number {
    switch (instruction.op) {
      case 'set':
        return position < this.subject.length && instruction.set(this.subject.code(position)) ? position + 1 : -1;
      case 'split':
        this.push(instruction.second, position, -1);
        this.pc = instruction.first;
        return position;
      case 'jump':
        this.pc = instruction.to;
        return position;
      case 'save':
        this.assign(instruction.slot, position);
        return position;
      case 'run':
        return this.stepRun(instruction, position);
      case 'loop':
        return this.stepLoop(instruction, position);
      case 'enter':
        this.assign(instruction.slot, 0);
        this.assign(instruction.slot + 1, -1);
        return position;
      default:
        return this.stepRarer(instruction, position);
    }
  }

  private stepRarer(
    instruction: Instruction & { op: 'assert' | 'reference' | 'look' | 'atomic' | 'condition' },
    position: number,
  ): number {
    switch (instruction.op) {
      case 'assert':
        return holds(instruction.what, this.subject, position, instruction.ascii) ? position : -1;
      case 'reference':
        return this.reference(instruction.index, instruction.ignoreCase, position);
      case 'condition':
        if (!this.isSet(instruction.index)) this.pc = instruction.no;
        return position;
      case 'atomic':
        return this.inside(instruction.end, position, () => true);
      case 'look':
        return this.look(instruction, position);
    }
  }

  private isSet(group: number): boolean {
    return this.slots[2 * group + 1]! >= 0;
  }

  private push(pc: number, position: number, low: number) {
    this.stack.push(pc, position, this.trail.length, low);
    if (this.stack.length > 4_000_000) throw limitError('the regular expression needs too much memory on this text');
  }

  private assign(slot: number, value: number) {
    this.trail.push(slot, this.slots[slot]!);
    this.slots[slot] = value;
  }

  private undo(length: number) {
    while (this.trail.length > length) {
      const value = this.trail.pop()!;
      this.slots[this.trail.pop()!] = value;
    }
  }

  /** Takes the last choice back: the position to go on from, with `pc` set. */
  private backtrack(): number {
    const low = this.stack.pop()!;
    const trailLength = this.stack.pop()!;
    const position = this.stack.pop()!;
    const pc = this.stack.pop()!;
    this.undo(trailLength);
    this.pc = pc;
    if (low === -1) return position;
    const run = this.program.code[pc - 1] as Instruction & { op: 'run' };
    return run.mode === 'lazy' ? this.extendRun(run, position, low) : this.shortenRun(position, low, pc);
  }

  /** One character less of a greedy run. */
  private shortenRun(position: number, low: number, pc: number): number {
    if (position - 1 > low) this.push(pc, position - 1, low);
    return position - 1;
  }

  /** One character more of a lazy run; `left` is how many more there may be, plus one. */
  private extendRun(run: Instruction & { op: 'run' }, position: number, left: number): number {
    if (position >= this.subject.length || !run.set(this.subject.code(position))) return -1;
    if (left > 1) this.push(this.pc, position + 1, left - 1);
    return position + 1;
  }

  private stepRun(run: Instruction & { op: 'run' }, position: number): number {
    const wanted = run.mode === 'lazy' ? run.min : run.max;
    const end = Math.min(this.subject.length, wanted === Infinity ? Infinity : position + wanted);
    let at = position;
    while (at < end && run.set(this.subject.code(at))) at++;
    this.allowance.steps -= (at - position) >> 3;
    if (at - position < run.min) return -1;
    if (run.mode === 'greedy' && at - position > run.min) this.push(this.pc, at, position + run.min);
    const left = Math.min(run.max - run.min, 0x3fffffff);
    if (run.mode === 'lazy' && left > 0) this.push(this.pc, at, left);
    return at;
  }

  private stepLoop(loop: Instruction & { op: 'loop' }, position: number): number {
    const turns = this.slots[loop.slot]!;
    const stuck = this.slots[loop.slot + 1] === position;
    if (turns < loop.min) return this.turn(loop, turns, this.slots[loop.slot + 1]!, position);
    if (turns >= loop.max || stuck) {
      this.pc = loop.exit;
      return position;
    }
    if (!loop.lazy) {
      this.push(loop.exit, position, -1);
      return this.turn(loop, turns, position, position);
    }
    this.pushTurn(loop, turns, position);
    this.pc = loop.exit;
    return position;
  }

  /** `last` is where the loop must not stand again after an empty turn; as in Python, needed turns do not move it. */
  private turn(loop: Instruction & { op: 'loop' }, turns: number, last: number, position: number): number {
    this.assign(loop.slot, turns + 1);
    this.assign(loop.slot + 1, last);
    this.pc = loop.body;
    return position;
  }

  /** A turn of a lazy loop for later: going back to it finds the loop's slots as they are when it is pushed. */
  private pushTurn(loop: Instruction & { op: 'loop' }, turns: number, position: number) {
    const last = this.slots[loop.slot + 1]!;
    this.assign(loop.slot, turns + 1);
    this.assign(loop.slot + 1, position);
    this.push(loop.body, position, -1);
    this.assign(loop.slot, turns);
    this.assign(loop.slot + 1, last);
  }

  private inside(end: number, position: number, accept: (end: number) => boolean): number {
    const after = this.run(this.pc, position, accept);
    this.pc = end;
    return after;
  }

  private look(look: Instruction & { op: 'look' }, position: number): number {
    const start = look.behind ? position - look.width : position;
    const trailLength = this.trail.length;
    const found = start < 0 ? -1 : this.inside(look.end, start, (end) => !look.behind || end === position);
    this.pc = look.end;
    if (look.negated) this.undo(trailLength);
    return found >= 0 !== look.negated ? position : -1;
  }

  private reference(index: number, ignoreCase: boolean, position: number): number {
    if (!this.isSet(index)) return -1;
    const [start, end] = [this.slots[2 * index]!, this.slots[2 * index + 1]!];
    if (position + end - start > this.subject.length) return -1;
    for (let i = 0; i < end - start; i++) {
      const [a, b] = [this.subject.code(start + i), this.subject.code(position + i)];
      if (a !== b && !(ignoreCase && fold(a) === fold(b))) return -1;
    }
    return position + end - start;
  }
}
