import type { RunEvent } from '../core/events.ts';
import { eventLines } from './event-lines.ts';
import { html, type Markup } from './markup.ts';
import { plainStyle } from './style.ts';
import { wholeLines } from './whole-lines.ts';
import { clock } from './wording.ts';

/** Lines kept of one host's log: so many from its end. */
const keptLines = 2000;

/** All that each host said, folded away. */
export function logsSection(events: readonly RunEvent[]): Markup {
  const logs = new Map<string, string[]>();
  const whole = wholeLines();
  for (const event of events.flatMap(whole)) {
    const host = 'host' in event ? event.host : undefined;
    if (host === undefined) continue;
    const lines = eventLines(event, { style: plainStyle, verbosity: 2, diff: false });
    const log = logs.get(host) ?? [];
    logs.set(host, log);
    log.push(...lines.map((line) => `${clock(event.time)} ${line.slice(host.length).replace(/^[:\s]+/, '')}`));
  }
  return html`<h2>Logs</h2>
${[...logs].map(([host, lines]) => logBlock(host, lines))}`;
}

function logBlock(host: string, lines: string[]): Markup {
  const left = lines.length - keptLines;
  return html`<details class="log" data-filter="${host}"><summary class="mono">${host} <span class="dim">${lines.length} lines</span></summary>
${left > 0 && html`<p class="note">The first ${left} lines are in the journal.</p>`}
<pre>${lines.slice(-keptLines).join('\n')}</pre></details>
`;
}
