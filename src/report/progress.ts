import { Listr, type ListrTask, Spinner } from 'listr2';
import type { RunEvent } from '../core/events.ts';
import { createBoard, updateBoard } from './board.ts';
import type { ViewOptions } from './board-rows.ts';
import { boardView, closingView } from './board-view.ts';
import type { Display } from './display.ts';
import { Frame, type Screen } from './frame.ts';
import type { Style } from './style.ts';

export interface ProgressOptions {
  screen: Screen & {
    on?(event: 'resize', listener: () => void): unknown;
    off?(event: 'resize', listener: () => void): unknown;
  };
  style: Style;
  /** Text to print above the frame for an event; '' for none. */
  log(event: RunEvent): string;
  /** Whether the closing state of the waves stays on the screen. */
  keep: boolean;
  now?(): number;
}

/** Milliseconds between frames: just under ten a second. */
const interval = 110;

/**
 * Live progress of a run on a terminal. listr2 runs the waves (a task each, settled by events) and calls the renderer
 * below; what is drawn is a pure view of the board that fits the window. listr2's own renderer draws at every
 * change of a title, outgrows the window and takes both streams over, so it is not used.
 */
export function createProgress(options: ProgressOptions): Display {
  const board = createBoard();
  const frame = new Frame(options.screen);
  const spinner = new Spinner();
  let waves: Waves | undefined;
  let tick = 0;
  const view = (): ViewOptions => ({
    rows: options.screen.rows ?? 24,
    columns: options.screen.columns ?? 80,
    now: (options.now ?? Date.now)(),
    style: options.style,
    frame: tick,
  });
  const draw = () => frame.draw(boardView(board, view()));
  const resized = () => {
    frame.resized();
    draw();
  };
  const start = () => {
    options.screen.on?.('resize', resized);
    spinner.start(() => {
      tick++;
      draw();
    }, interval);
  };
  const stop = () => {
    options.screen.off?.('resize', resized);
    spinner.stop();
    frame.clear();
  };
  const startWaves = (count: number) => {
    const mine: Waves = runWaves(count, { start, stop: () => (waves === mine ? stop() : undefined) });
    return mine;
  };
  const stopWaves = () => {
    const ran = waves;
    waves = undefined;
    ran?.end();
    stop();
    return ran;
  };
  return {
    add: (event) => {
      updateBoard(board, event);
      if (event.type === 'phase') stopWaves();
      if (event.type === 'play-start') waves ??= startWaves(event.waves);
      if (event.type === 'play-end') waves?.settle(event.failed.length > 0);
      const text = options.log(event);
      if (text !== '') frame.print(text);
    },
    pause: stopWaves,
    end: async () => {
      const ran = stopWaves();
      await ran?.done;
      const lines = ran && options.keep ? closingView(board, view()) : [];
      if (lines.length > 0) options.screen.write(`${lines.join('\n')}\n`);
    },
  };
}

interface Waves {
  /** The next wave is over. */
  settle(failed: boolean): void;
  /** All of them are. */
  end(): void;
  done: Promise<unknown>;
}

interface Renderer {
  start(): void;
  stop(): void;
}

function runWaves(count: number, renderer: Renderer): Waves {
  const ends = Array.from({ length: count }, deferred);
  const tasks: ListrTask[] = ends.map((end, i) => ({ title: `wave ${i + 1}`, task: () => end.promise }));
  const listr = new Listr(tasks, {
    concurrent: true,
    exitOnError: false,
    registerSignalListeners: false,
    renderer: rendererClass(renderer),
  });
  return {
    settle: (failed) => ends.shift()?.settle(failed),
    end: () => {
      for (const one of ends.splice(0)) one.settle(false);
    },
    done: listr.run(),
  };
}

function deferred() {
  let settle: (failed: boolean) => void = () => {};
  const promise = new Promise<void>((resolve, reject) => {
    settle = (failed) => (failed ? reject(new Error('hosts failed')) : resolve());
  });
  promise.catch(() => {}); // listr2 may come to it only after it was rejected
  return { promise, settle };
}

function rendererClass(renderer: Renderer) {
  return class {
    static nonTTY = true;
    static rendererOptions = {};
    static rendererTaskOptions = {};
    render = () => renderer.start();
    end = () => renderer.stop();
  };
}
