import type { Series } from './tables.ts';

const [left, right, top, bottom] = [60, 500, 40, 290];
const colors = ['#c0392b', '#2471a3', '#1e8449', '#9a7d0a', '#7d3c98', '#566573'];

/** Seconds against a count, both axes logarithmic: an SVG that needs nothing else. */
export function chart(title: string, unit: string, series: readonly Series[]): string {
  const drawn = series.filter(({ points }) => points.length > 0);
  const all = drawn.flatMap(({ points }) => points);
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [low, high] = [Math.min(...ys) / 1.5, Math.max(...ys) * 1.5];
  const x = scale(Math.min(...xs), Math.max(...xs), left, right);
  const y = scale(low, high, bottom, top);
  const grid = [0.1, 1, 10, 100, 1000].filter((mark) => mark >= low && mark <= high);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 340" font-family="sans-serif" font-size="12" fill="#888">',
    `<title>${title}</title><text x="${left}" y="20">${title}</text>`,
    ...grid.map((mark) => `<line x1="${left}" x2="${right}" y1="${y(mark)}" y2="${y(mark)}" stroke="#8884"/>`),
    ...grid.map((mark) => `<text x="${left - 8}" y="${y(mark) + 4}" text-anchor="end">${mark} s</text>`),
    ...[...new Set(xs)].map((mark) => `<text x="${x(mark)}" y="${bottom + 20}" text-anchor="middle">${mark}</text>`),
    `<text x="${(left + right) / 2}" y="${bottom + 40}" text-anchor="middle">${unit}</text>`,
    ...drawn.map((each, at) => line(each, colors[at % colors.length]!, x, y)),
    '</svg>\n',
  ].join('\n');
}

type Scale = (value: number) => number;

function line({ name, points }: Series, color: string, x: Scale, y: Scale): string {
  const path = points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ');
  const [lx, ly] = points.at(-1)!;
  const dots = points.map(
    ([px, py]) => `<circle cx="${x(px).toFixed(1)}" cy="${y(py).toFixed(1)}" r="3" fill="${color}"/>`,
  );
  const label = `<text x="${x(lx) + 8}" y="${y(ly) + 4}" fill="${color}">${name}</text>`;
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}${label}`;
}

function scale(from: number, to: number, start: number, end: number): Scale {
  const [low, high] = [Math.log(from), Math.log(to)];
  return (value) => start + ((Math.log(value) - low) / (high - low || 1)) * (end - start);
}
