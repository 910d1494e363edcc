/** The items in random order. `random`: a number of random bytes. */
export function shuffled<T>(items: readonly T[], random: (count: number) => Uint8Array = strongBytes): T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Buffer.from(random(4)).readUInt32BE(0) % (i + 1);
    [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
  }
  return mixed;
}

function strongBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
