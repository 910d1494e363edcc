/** A time span as people say it: `0.4 s`, `12 s`, `1 m 02 s`, `2 h 05 m`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${two(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
}

/** `1 host`, `3 hosts`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Bytes with the unit that keeps the figure short: `812 B`, `1.4 MiB`. */
export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  let value = n;
  for (; value >= 1024 && at < units.length - 1; at++) value /= 1024;
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`;
}

/** Time of day, `14:02:09`, in the zone of who reads. */
export function clock(time: number): string {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
}

/** The first line that says something. */
export function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? '';
}

/** The last `n` lines, without blank ones at the end. */
export function lastLines(text: string, n: number): string[] {
  return text.trimEnd().split('\n').slice(-n);
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
