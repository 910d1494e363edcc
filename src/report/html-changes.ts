import { at } from '../core/origin.ts';
import { diffLines } from './diff-lines.ts';
import { hostsOf } from './host-list.ts';
import { html, type Markup } from './markup.ts';
import type { PlanGroup, PlanModel, PlanTask, PlanWave } from './plan-fold.ts';
import { plainStyle } from './style.ts';

/** What changed, or would: by wave and task, hosts that change alike together, with differences. */
export function changesSection(plan: PlanModel): Markup {
  const waves = plan.waves.filter((wave) => wave.tasks.length > 0);
  if (waves.length === 0) return html`<h2>Changes</h2><p>None.</p>`;
  return html`<h2>Changes</h2>
${waves.map(waveBlock)}`;
}

function waveBlock(wave: PlanWave): Markup {
  return html`<h3>Wave ${wave.wave}: ${wave.name}</h3>
${wave.tasks.flatMap((task) => task.groups.map((group) => groupBlock(task, group, wave)))}`;
}

function groupBlock(task: PlanTask, group: PlanGroup, wave: PlanWave): Markup {
  const name = task.name || task.module;
  const remarks = [group.message, group.why, group.provisional, group.hint].filter((text) => text);
  const lines = group.steps.flatMap((step) =>
    step.diff?.length ? diffLines(step.diff, plainStyle, { full: true }) : [step.title],
  );
  return html`<details data-filter="${`${name} ${group.hosts.join(' ')}`}" data-status="${group.status}"><summary><span class="${group.status}">${group.always ? 'always' : group.status}</span>
<b>${name}</b> <span class="dim">${hostsOf(group.hosts, wave.hosts)} ${at(task.origin)}</span></summary>
${remarks.map((text) => html`<p>${text}</p>`)}
${lines.length > 0 && html`<pre>${lines.map((line) => diffLine(line))}</pre>`}
</details>
`;
}

function diffLine(line: string): Markup {
  const text = line.trimStart();
  const kind = text.startsWith('+') ? 'add' : text.startsWith('-') ? 'del' : text.startsWith('@@') ? 'hunk' : '';
  return kind
    ? html`<span class="${kind}">${line}</span>
`
    : html`${line}
`;
}
