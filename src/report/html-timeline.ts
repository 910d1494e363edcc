import { html, type Markup } from './markup.ts';
import type { Timeline, TimelineBar, TimelineHost } from './timeline.ts';
import { clock, duration } from './wording.ts';

/** Geometry in the drawing's own units. */
const [width, label, row, head] = [1200, 170, 18, 40];
/** Rows drawn; hosts beyond that did the least. */
const drawnHosts = 150;

/** The run as a drawing: waves as bands, a row a host, gates as outlined waits, restarts and losses as marks. */
export function timelineDrawing(line: Timeline): Markup {
  const hosts = busiest(line.hosts);
  const height = head + hosts.length * row + 8;
  const x = (time: number) =>
    round(label + ((time - line.start) / Math.max(1, line.end - line.start)) * (width - label - 10));
  const left = line.hosts.length - hosts.length;
  return html`<svg class="timeline" viewBox="0 0 ${width} ${height}" role="img" aria-label="Timeline of waves and hosts" data-start="${line.start}" data-end="${line.end}">
${line.waves.map((wave, i) => waveBand(wave, i, x, height))}
${ticks(line, x, height)}
${hosts.map((host, i) => hostRow(host, head + i * row, x))}
${line.interrupts.map((time) => html`<line class="interrupt" x1="${x(time)}" x2="${x(time)}" y1="0" y2="${height}"><title>interrupted at ${clock(time)}</title></line>`)}
</svg>${left > 0 && html`<p class="note">${left} hosts on which less happened are not drawn.</p>`}`;
}

type Scale = (time: number) => number;

function waveBand(wave: Timeline['waves'][number], i: number, x: Scale, height: number): Markup {
  const [from, to] = [x(wave.start), x(wave.end)];
  const title = `wave ${i + 1}: ${wave.name}, ${duration(wave.end - wave.start)}`;
  return html`<g class="wave ${wave.failed ? 'bad' : ''}"><rect x="${from}" y="0" width="${Math.max(1, round(to - from))}" height="${height}"><title>${title}</title></rect>
<text x="${from + 4}" y="14">${fits(`${i + 1} ${wave.name}`, to - from)}</text></g>`;
}

function ticks(line: Timeline, x: Scale, height: number): Markup[] {
  const span = line.end - line.start;
  const step =
    [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600].find((s) => span / (s * 1000) <= 10) ?? 86400;
  const times = Array.from({ length: Math.floor(span / (step * 1000)) + 1 }, (_, i) => line.start + i * step * 1000);
  return times.map(
    (
      time,
    ) => html`<g class="tick"><line x1="${x(time)}" x2="${x(time)}" y1="22" y2="${height}"/><text x="${x(time) + 3}" y="32">${duration(time - line.start)}</text></g>
`,
  );
}

function hostRow(host: TimelineHost, y: number, x: Scale): Markup {
  return html`<g class="host" data-host="${host.name}"><text x="4" y="${y + 13}">${fits(host.name, label - 8)}</text>
${host.bars.map((bar) => barShape(bar, y, x))}${host.marks.map((mark) => markShape(mark, y, x))}</g>
`;
}

function barShape(bar: TimelineBar, y: number, x: Scale): Markup {
  const size = Math.max(1.5, round(x(bar.end) - x(bar.start)));
  const title = `${bar.title}: ${bar.status}, ${duration(bar.end - bar.start)} from ${clock(bar.start)}`;
  return html`<rect class="${bar.kind} ${bar.status}" x="${x(bar.start)}" y="${y + 3}" width="${size}" height="${row - 6}" rx="2" data-start="${bar.start}" data-end="${bar.end}"><title>${title}</title></rect>`;
}

function markShape({ time, kind, text }: TimelineHost['marks'][number], y: number, x: Scale): Markup {
  const [cx, cy] = [x(time), y + row / 2];
  const shape = { failed: '✖', lost: '⚡', restart: '↻' }[kind];
  return html`<text class="mark ${kind}" x="${cx}" y="${cy + 4}" data-time="${time}">${shape}<title>${text} at ${clock(time)}</title></text>`;
}

/** Hosts in their order; where there are too many, those on which most happened. */
function busiest(hosts: TimelineHost[]): TimelineHost[] {
  if (hosts.length <= drawnHosts) return hosts;
  const weight = (host: TimelineHost) => host.marks.length * 100 + host.bars.length;
  const kept = new Set([...hosts].sort((a, b) => weight(b) - weight(a)).slice(0, drawnHosts));
  return hosts.filter((host) => kept.has(host));
}

/** A text cut to about so many units of the drawing. */
function fits(text: string, space: number): string {
  const room = Math.floor(space / 6.6);
  if (room < 2) return '';
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
