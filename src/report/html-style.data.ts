/** Look of the HTML report: light and dark by the reader's setting, readable on paper. */
export const css = `
:root { color-scheme: light dark; --ink: #1c2024; --paper: #ffffff; --soft: #f2f4f6; --line: #d5dade; --dim: #5c6670;
  --good: #1a7f37; --bad: #c62828; --change: #9a6700; --gate: #8250df; --info: #0969da; --step: #57a773; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e6e9; --paper: #14171a; --soft: #1f2428; --line: #363d44; --dim: #98a2ad;
  --good: #56d364; --bad: #ff7b72; --change: #e3b341; --gate: #bc8cff; --info: #58a6ff; --step: #3f8f5f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1280px; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
code, pre, .mono, .timeline text { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; margin: .4rem 0; font-size: 13px; line-height: 1.4; }
table { border-collapse: collapse; } th, td { text-align: right; padding: .15rem .7rem; border-bottom: 1px solid var(--line); } th:first-child, td:first-child { text-align: left; }
th { font-weight: 500; color: var(--dim); }
a { color: var(--info); } .note, .dim { color: var(--dim); } .wide { overflow-x: auto; }
.verdict { font-weight: 600; } .good, .ok { color: var(--good); } .bad, .failed, .unreachable { color: var(--bad); } .changed { color: var(--change); } .unknown { color: var(--info); }
.add { color: var(--good); } .del { color: var(--bad); } .hunk { color: var(--info); }
.filters { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .8rem; align-items: center; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line); z-index: 1; }
.filters input[type=search] { font: inherit; padding: .25rem .5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); color: var(--ink); min-width: 14rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; padding: .3rem .7rem; } summary { cursor: pointer; }
.failure { border-left: 4px solid var(--bad); padding: .1rem .8rem; margin: .8rem 0; }
.timeline { width: 100%; min-width: 720px; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.timeline text { font-size: 11px; fill: var(--ink); } .wave rect { fill: var(--soft); opacity: .55; } .wave:nth-of-type(even) rect { opacity: 1; } .wave text { font-weight: 600; }
.wave.bad text { fill: var(--bad); } .tick line { stroke: var(--line); stroke-width: .5; } .tick text { fill: var(--dim); font-size: 9px; }
.connect { fill: var(--line); } .step { fill: var(--step); } .step.failed, .step.timeout, .step.ended, .connect.failed { fill: var(--bad); } .step.open { fill: var(--change); }
.gate { fill: none; stroke: var(--gate); stroke-width: 1.5; } .gate.failed { stroke: var(--bad); } .interrupt { stroke: var(--bad); stroke-dasharray: 4 3; }
.mark { text-anchor: middle; font-size: 13px !important; } .mark.failed, .mark.lost { fill: var(--bad) !important; } .mark.restart { fill: var(--info) !important; }
.legend span { margin-right: 1.2rem; } .legend b { display: inline-block; width: 1.1em; height: .75em; border-radius: 2px; margin-right: .35em; }
.hidden { display: none; }
@media print { body { max-width: none; padding: 0; font-size: 11px; } .filters { display: none; } details { border: 0; padding: 0; } pre { white-space: pre-wrap; overflow: visible; }
  .timeline { min-width: 0; } h2 { break-after: avoid; } .failure, tr { break-inside: avoid; } }
`;

/** Filters of the report; without scripts everything is simply shown. */
export const script = `
(() => {
  const search = document.querySelector('#search');
  const boxes = [...document.querySelectorAll('.filters input[type=checkbox]')];
  const apply = () => {
    const word = search.value.trim().toLowerCase();
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    for (const item of document.querySelectorAll('[data-filter]')) {
      const status = item.dataset.status;
      const isWanted = !status || wanted.has(status);
      item.classList.toggle('hidden', !isWanted || !item.dataset.filter.toLowerCase().includes(word));
    }
    for (const row of document.querySelectorAll('.timeline .host'))
      row.style.opacity = row.dataset.host.toLowerCase().includes(word) ? 1 : 0.15;
  };
  search.addEventListener('input', apply);
  for (const box of boxes) box.addEventListener('change', apply);
  addEventListener('beforeprint', () => { for (const one of document.querySelectorAll('details')) one.open = true; });
  document.querySelector('.filters').classList.remove('hidden');
})();
`;
