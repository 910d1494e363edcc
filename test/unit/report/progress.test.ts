import stringWidth from 'string-width';
import * as assert from 'uvu/assert';
import { createBoard, updateBoard } from '../../../src/report/board.ts';
import { boardView, closingView } from '../../../src/report/board-view.ts';
import { Frame } from '../../../src/report/frame.ts';
import { createStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { golden } from './support/golden.ts';
import { crowd, midway } from './support/runs.ts';
import type { Scenario } from './support/scenario.ts';
import { Terminal } from './support/terminal.ts';

const progress = suite('progress view');
const sizes = [
  [80, 24],
  [120, 40],
  [40, 15],
] as const;

for (const [columns, rows] of sizes) {
  progress(`three hosts at ${columns}×${rows}`, async () =>
    golden(`progress-midway-${columns}x${rows}.txt`, await screen(midway(), columns, rows)),
  );
  progress(`200 hosts at ${columns}×${rows}`, async () =>
    golden(`progress-crowd-${columns}x${rows}.txt`, await screen(crowd(), columns, rows)),
  );
}

progress('after the first interrupt it says what may end', async () => {
  const s = midway().emit({ type: 'interrupt', count: 1, running: [{ host: 'h2', title: 'apt' }] });
  assert.match(await screen(s, 80, 24), /stopping: 2 running steps may end; Ctrl-C again ends them/);
});

progress('the closing state keeps every wave and every failed host', () => {
  const s = midway().playEnd(2, ['h1']);
  golden('progress-closing.txt', `${closingView(boardOf(s), at(s, 80, 24)).join('\n')}\n`);
});

progress('never taller than the window minus four, never wider, at any size', () => {
  for (const s of [midway(), crowd()])
    for (let columns = 40; columns <= 300; columns += 13)
      for (const rows of [10, 15, 24, 31, 60]) {
        const lines = boardView(boardOf(s), at(s, columns, rows, true));
        assert.ok(lines.length <= rows - 4, `${lines.length} lines of ${rows}`);
        for (const line of lines) assert.ok(stringWidth(line) < columns, `${columns}: ${line}`);
      }
});

progress('failed hosts and gates are seen even in the smallest window', () => {
  assert.match(boardView(boardOf(midway()), at(midway(), 60, 10)).join('\n'), /✖ h1[\s\S]*etcd healthy/);
  assert.match(boardView(boardOf(crowd()), at(crowd(), 60, 10)).join('\n'), /✖ node\[141:143\]/);
});

progress.run();

function boardOf(scenario: Scenario) {
  const board = createBoard();
  for (const event of scenario.events) updateBoard(board, event);
  return board;
}

function at(scenario: Scenario, columns: number, rows: number, color = false) {
  return { columns, rows, now: scenario.now, style: createStyle({ color, unicode: true }), frame: 0 };
}

/** Draws a frame after every event, as fast as they come, and reads the screen at the end. */
async function screen(scenario: Scenario, columns: number, rows: number): Promise<string> {
  const terminal = new Terminal(columns, rows);
  const frame = new Frame(terminal);
  const board = createBoard();
  for (const event of scenario.events) {
    updateBoard(board, event);
    frame.draw(boardView(board, { ...at(scenario, columns, rows, true), now: event.time }));
  }
  frame.draw(boardView(board, at(scenario, columns, rows, true)));
  return terminal.text();
}
