import { setFlagsFromString } from 'node:v8';

/**
 * V8 compiles anew, with care, what ran through some 67,000 bytes of its code. Most of what plans a task is past that in a
 * short run, which ends before it pays: of planning 2,000 tasks a fifth was compiling. With this much it is as fast in the
 * end, and 41 tasks on 200 hosts cost less too; with a million 10,000 tasks would cost a quarter more.
 */
const budget = 250_000;

/** Has V8 wait longer before it optimises a function. */
export function optimiseLate(): void {
  // The build keeps compiled code of such a run (bin/kpush), and V8 takes that only under the flags it was made with.
  if (process.env.KPUSH_WRITE_CACHE) return;
  setFlagsFromString(`--interrupt-budget=${budget}`);
}
