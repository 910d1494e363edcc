/** Where in the user's files something stands: `line` and `column` count from 1. */
export interface Origin {
  file: string;
  line: number;
  column: number;
}

/** `file:line:column`, the form editors and terminals make clickable. */
export function at(origin: Origin): string {
  return `${origin.file}:${origin.line}:${origin.column}`;
}
