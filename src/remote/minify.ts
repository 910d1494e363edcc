/** Shell text as it is sent: without comment lines, indentation and empty lines. Library text only, never a user's. */
export function minify(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n')
    .concat('\n');
}
