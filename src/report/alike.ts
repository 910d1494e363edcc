/** A text without what names this host, so that the same on several hosts is the same text. */
export function nameless(text: string, host: string | undefined): string {
  const name = host?.replace(/[^\w-]/g, '\\$&');
  const named = name ? text.replace(new RegExp(`(?<![\\w.-])${name}(?![\\w-])`, 'g'), '<host>') : text;
  return named.replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '<address>');
}

/**
 * Without what is never the same twice: times, durations, process ids, who wrote a line of syslog, and the status of a
 * unit, which systemctl begins with a sign and the unit's name.
 */
export function timeless(text: string): string {
  return text
    .replace(/^[●○×↻*xo] \S+\.\w+[\s\S]*/m, '<status>')
    .replace(/^(?:[A-Z][a-z]{2} +\d+ [\d:]+|\d{4}-\S+) \S+ /gm, '<when> <who> ')
    .replace(/\b\d{4}-\d\d-\d\d\b|\b[A-Z][a-z]{2} +\d{1,2}(?= \d\d:)|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, '<date>')
    .replace(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, '<time>')
    .replace(/\b\d+(\.\d+)?(us|ms|s|min|h)\b/g, '<duration>')
    .replace(/\b(PID|Process|pid): ?\d+|\[\d+\]/g, '<process>');
}
