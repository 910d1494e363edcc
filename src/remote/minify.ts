/**
 * Shell text as it is sent: without comment lines, indentation, empty lines and blanks around operators. Library text
 * only, never a user's: no text in it that is for people may hold `&&`, `||` or a keyword after `;`.
 */
export function minify(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) =>
      line
        .replace(/ (&&|\|\|) /g, '$1')
        .replace(/; (\}|do|done|elif|else|fi|then)(?=[ ;)]|$)/g, ';$1')
        .replace(/ ;;$/, ';;'),
    )
    .join('\n')
    .concat('\n');
}
