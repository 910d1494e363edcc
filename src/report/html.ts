import { createHash } from 'node:crypto';
import type { RunEvent } from '../core/events.ts';
import { at } from '../core/origin.ts';
import type { HostCounts } from './counts.ts';
import { brokeOff, type Failure } from './failures.ts';
import { foldAll } from './fold.ts';
import { hostList } from './host-list.ts';
import { changesSection } from './html-changes.ts';
import { logsSection } from './html-logs.ts';
import { css, script } from './html-style.data.ts';
import { timelineDrawing } from './html-timeline.ts';
import { html, Markup } from './markup.ts';
import { type PlanModel, planModel } from './plan-fold.ts';
import { type RecapModel, recapModel } from './recap.ts';
import { timeline } from './timeline.ts';
import { totalsText } from './totals.ts';
import { count, duration } from './wording.ts';

/** A run as one HTML file that needs nothing else: no network, no other file; scripts only filter. */
export function htmlReport(events: readonly RunEvent[]): string {
  const told = withoutPredictions(events);
  const recap = foldAll(recapModel(), told);
  const plan = foldAll(planModel(), told);
  const start = told[0]?.time ?? 0;
  const body = html`${header(recap, plan, start)}
${failureSection(recap)}
<h2>Timeline</h2>
${legend}
<div class="wide">${timelineDrawing(foldAll(timeline(), told))}</div>
${filters}
${hostSection(recap.summary.hosts)}
${timeSection(recap)}
${changesSection(plan)}
${logsSection(told)}`;
  return page(`kpush ${plan.verb} ${plan.playbook}`, body).text;
}

/** Of an apply that asked first, what it predicted before is left out. */
function withoutPredictions(events: readonly RunEvent[]): RunEvent[] {
  const from = events.findIndex((event) => event.type === 'phase' && event.phase === 'plan');
  const to = events.findIndex((event) => event.type === 'phase' && event.phase !== 'plan');
  if (from === -1 || to === -1) return events.filter((event) => event.type !== 'phase');
  return [...events.slice(0, from), ...events.slice(to + 1)];
}

/** Only the one script, by its hash: nothing that a host printed can run, were it ever to get into the page. */
function page(title: string, body: Markup): Markup {
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(css)}</style>
</head>
<body>
${body}
<script>${new Markup(script)}</script>
</body>
</html>
`;
}

function header({ summary, run, failures }: RecapModel, plan: PlanModel, start: number): Markup {
  const when = new Date(start).toISOString().replace('T', ' ').slice(0, 19);
  const changed = [...summary.hosts.values()].reduce((sum, counts) => sum + counts.changed, 0);
  const word = summary.ok ? 'ok' : `${summary.class} (exit code ${summary.exit})`;
  const planned = brokeOff(failures) ? 'the plan is incomplete' : totalsText(plan.totals);
  const did = plan.verb === 'plan' ? planned : `${changed} changed on ${count(summary.hosts.size, 'host')}`;
  return html`<header>
<h1>kpush ${plan.verb} ${plan.playbook}</h1>
<p class="note">run ${run}, ${when} UTC, ${plan.inventory.join(', ')}</p>
<p class="verdict ${summary.ok ? 'good' : 'bad'}" data-exit="${summary.exit}">${word}: ${did}, in ${duration(summary.seconds * 1000)}</p>
</header>`;
}

function failureSection({ failures }: RecapModel): Markup | undefined {
  if (failures.length === 0) return undefined;
  return html`<h2>Failures</h2>
${failures.map(failureBlock)}`;
}

function failureBlock(failure: Failure): Markup {
  const { title, kind, hosts, origin, message, command, rc, stderr, stdout, evidence, hint } = failure;
  return html`<section class="failure" data-filter="${`${title} ${hosts.join(' ')}`}" data-status="failed">
<h3>${title || kind} <span class="dim">${hostList(hosts)} ${origin && at(origin)}</span></h3>
<p>${message}</p>
${command !== undefined && html`<p class="mono">${command}${rc !== undefined && html` <span class="dim">exit code ${rc}</span>`}</p>`}
${[stderr || stdout, evidence].filter((text) => text?.trim()).map((text) => html`<pre>${text}</pre>`)}
${hint && html`<p>Try: ${hint}</p>`}
</section>
`;
}

const legend = html`<p class="legend note"><span><b style="background:var(--step)"></b>step</span><span><b style="background:var(--bad)"></b>failed</span>
<span><b style="border:1.5px solid var(--gate)"></b>gate waits</span><span><b style="background:var(--line)"></b>connecting</span>
<span>✖ failure</span><span>⚡ lost</span><span>↻ restart</span></p>`;

const filters = html`<div class="filters hidden"><input id="search" type="search" placeholder="host or task" aria-label="Filter by host or task">
${['changed', 'failed', 'unreachable', 'unknown', 'ok', 'skipped'].map(
  (
    status,
  ) => html`<label><input type="checkbox" value="${status}" ${status === 'ok' || status === 'skipped' ? '' : new Markup('checked')}> ${status}</label>
`,
)}</div>`;

const columns: (keyof HostCounts)[] = [
  'ok',
  'changed',
  'skipped',
  'failed',
  'unreachable',
  'rescued',
  'ignored',
  'unknown',
];

function hostSection(hosts: ReadonlyMap<string, HostCounts>): Markup {
  const row = ([name, counts]: [string, HostCounts]) =>
    html`<tr data-filter="${name}"><td class="mono">${name}</td>${columns.map((column) => html`<td class="${counts[column] > 0 ? column : 'dim'}">${counts[column]}</td>`)}</tr>
`;
  return html`<h2>Hosts</h2>
<div class="wide"><table><thead><tr><th>host</th>${columns.map((column) => html`<th>${column}</th>`)}</tr></thead>
<tbody>${[...hosts].map(row)}</tbody></table></div>`;
}

function timeSection({ timings }: RecapModel): Markup {
  const all = timings.tasks.slice(0, 15);
  const waves = timings.waves.map(
    (
      wave,
    ) => html`<tr><td>wave ${wave.wave}: ${wave.name}</td><td>${wave.end === undefined ? 'not ended' : duration(wave.end - wave.start)}</td></tr>
`,
  );
  const tasks = all.map(
    (
      task,
    ) => html`<tr><td>${task.name || task.task}</td><td>${duration(task.max)}</td><td class="dim">${task.maxHost}, ${count(task.hosts, 'host')}</td></tr>
`,
  );
  const gates = timings.gates.map(
    (
      gate,
    ) => html`<tr><td>gate ${gate.name}</td><td>${duration(gate.max)}</td><td class="${gate.failed ? 'bad' : 'dim'}">${gate.failed ? `failed for ${gate.failed}` : 'passed'}, ${count(gate.attempts, 'attempt')} at most</td></tr>
`,
  );
  return html`<h2>Time</h2>
<div class="wide"><table><tbody>${waves}${gates}${tasks}</tbody></table></div>`;
}
