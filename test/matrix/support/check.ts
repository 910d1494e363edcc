import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { scratch } from '../../lab/support/inventory.ts';
import { Lab } from '../../lab-kit/index.ts';
import { type Cell, password } from './cells.ts';
import type { Row } from './rows.ts';
import { type Outcome, runRow, runShort, runWhole } from './run-cell.ts';

const script = fileURLToPath(new URL('./host.sh', import.meta.url));

/** A lab host with every shell, way, flavour and oddity; made once for all test files of a run. */
export async function matrixLab(): Promise<Lab> {
  const lab = await Lab.shared('matrix', { hosts: 1 }, async (fresh) => {
    await fresh.sh('h1', ['sh', '-ec', readFileSync(script, 'utf8'), 'sh', password], { timeoutMs: 600_000 });
  });
  // A host is ready with its own sshd; after a restored snapshot the others may still be starting.
  await lab.sh('h1', ['sh', '-c', listening], { timeoutMs: 60_000 });
  return lab;
}

const listening = `for port in $(seq 2201 2211); do
  n=0; until timeout 1 bash -c ": </dev/tcp/127.0.0.1/$port" 2>/dev/null; do n=$((n+1)); [ $n -lt 100 ] || exit 1; sleep .2; done
done`;

type Kind = 'short' | 'whole';

/** Judges cells of one lab by the first that worked: all must do and leave the same. */
export class Judge {
  private readonly lab: Lab;
  private readonly dir = scratch('matrix');
  private readonly reference: Partial<Record<Kind, Outcome>> = {};

  constructor(lab: Lab) {
    this.lab = lab;
  }

  async cell(cell: Cell): Promise<void> {
    this.same('short', await runShort(this.lab, this.dir, cell), nameOf(cell));
  }

  async whole(cell: Cell): Promise<void> {
    this.same('whole', await runWhole(this.lab, this.dir, cell), nameOf(cell));
  }

  async row(row: Row): Promise<void> {
    const outcome = await runRow(this.lab, this.dir, row);
    if (!row.fails) return this.same('short', outcome, row.name);
    if (typeof outcome !== 'string') return assert.unreachable(`${row.name}: it worked`);
    assert.match(outcome, row.fails.says, row.name);
    assert.match(/^hint: (.*)/m.exec(outcome)?.[1] ?? '', row.fails.hint, row.name);
  }

  /** Throws where a cell did or left anything else than the first. */
  same(kind: Kind, outcome: Outcome | string, name: string) {
    if (typeof outcome === 'string') return assert.unreachable(`${name}: ${outcome}`);
    assert.is(outcome.second.changed, 0, `${name}: changed the second time`);
    this.reference[kind] ??= outcome;
    assert.equal(outcome, this.reference[kind], name);
  }
}

export function nameOf({ login, way, flavour }: Cell): string {
  return `${login}, ${way}, ${flavour}`;
}
