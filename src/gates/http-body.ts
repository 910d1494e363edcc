/** What is wrong with the body of an answer; undefined: nothing. */
export function bodyTrouble(
  wanted: { body_contains?: string | undefined; json?: Record<string, unknown> | undefined },
  body: string,
): string | undefined {
  if (wanted.body_contains !== undefined && !body.includes(wanted.body_contains))
    return `without "${wanted.body_contains}" in it: ${excerpt(body)}`;
  return wanted.json === undefined ? undefined : jsonTrouble(wanted.json, body);
}

function jsonTrouble(wanted: Record<string, unknown>, body: string): string | undefined {
  let found: unknown;
  try {
    found = JSON.parse(body);
  } catch {
    return `no JSON: ${excerpt(body)}`;
  }
  for (const [path, value] of Object.entries(wanted)) {
    const there = path.split('.').reduce(member, found);
    if (value === '*' ? isNothing(there) : JSON.stringify(there) !== JSON.stringify(value))
      return `${path} is ${JSON.stringify(there) ?? 'missing'}`;
  }
  return undefined;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function excerpt(body: string): string {
  const line = body.trim().replace(/\s+/g, ' ');
  if (line === '') return 'nothing';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
