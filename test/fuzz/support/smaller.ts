/**
 * The input with as much taken away as it still fails without, in at most `tries` tries: pieces from half of it down to
 * a byte.
 */
export async function smaller(input: Buffer, fails: (input: Buffer) => Promise<boolean>, tries = 400): Promise<Buffer> {
  let left = tries;
  let made = input;
  for (let size = made.length >> 1; size >= 1; size = size >> 1) {
    for (let at = 0; at < made.length; ) {
      if (left-- <= 0) return made;
      const without = Buffer.concat([made.subarray(0, at), made.subarray(at + size)]);
      if (await fails(without)) made = without;
      else at += size;
    }
  }
  return made;
}
