import type { AskBlock } from '../core/session.ts';
import { minify } from './minify.ts';
import { RecordReader } from './records.ts';
import { newMarker, type StreamName, type Trip, type TripReader } from './trip.ts';

/** A read-only trip; `answers()` has the records of each block once it ran. */
export interface AskTrip extends Trip {
  answers(): string[][];
}

/** `visible`: its text, and so its marker, may be seen in argv; answers are then framed by their size. */
export function askTrip(blocks: AskBlock[], visible: boolean, has: ReadonlySet<string> = new Set()): AskTrip {
  const marker = newMarker();
  const frame = new AskFrame(blocks, marker);
  const script = blocksText(blocks);
  const asking = visible ? visibleText(marker, script) : `{ kp_go ${marker};kp_f begin ask;(\n${script});kp_f end ask;`;
  const text = `${librariesText(blocks, has)}${asking}kp_end 0;}\n`;
  return { marker, text, reader: frame, answers: () => frame.answers() };
}

/**
 * What is visible in argv may be repeated by any output, so the answers are held in a variable and framed by their size.
 * All in one write.
 */
function visibleText(marker: string, script: string): string {
  const frames = '\n$kp_m begin ask\n\n$kp_m count ${#kp_v}\n$kp_v\n$kp_m end ask\n';
  return `{ kp_go ${marker};kp_o;kp_v=$(\n${script}printf .);kp_v=\${kp_v%.};kp_o "${frames}";`;
}

/** Functions that the blocks call and the shell does not have yet. */
export function librariesText(blocks: readonly AskBlock[], has: ReadonlySet<string>): string {
  const missing = new Map(
    blocks.flatMap(({ library }) => (library && !has.has(library.name) ? [[library.name, library.text] as const] : [])),
  );
  return minify([...missing.values()].join('\n'));
}

/** Names of the libraries of blocks: what a shell has after a trip with them. */
export function libraryNames(blocks: readonly AskBlock[]): string[] {
  return blocks.flatMap(({ library }) => (library ? [library.name] : []));
}

/** The text of blocks, to stand in a subshell. */
export function blocksText(blocks: AskBlock[]): string {
  return blocks.map(({ script }) => (script.endsWith('\n') ? script : `${script}\n`)).join('');
}

/** The record separator of a trip: what `kp_sep` prints. */
export function separator(marker: string): string {
  return `\x1e${marker.slice(0, 8)}`;
}

/** Records of several blocks in one frame. */
export class BlockRecords {
  private readonly reader: RecordReader;
  private readonly blocks: AskBlock[];

  constructor(blocks: AskBlock[], marker: string) {
    this.blocks = blocks;
    const total = blocks.reduce((sum, { records }) => sum + records, 0);
    this.reader = new RecordReader(separator(marker), total, (index) => recordName(blocks, index));
  }

  push(chunk: Buffer): void {
    this.reader.push(chunk);
  }

  end(): string[][] {
    const all = this.reader.end();
    let at = 0;
    return this.blocks.map(({ records }) => {
      at += records;
      return all.slice(at - records, at);
    });
  }
}

class AskFrame implements TripReader {
  private readonly records: BlockRecords;

  constructor(blocks: AskBlock[], marker: string) {
    this.records = new BlockRecords(blocks, marker);
  }

  begin(stream: StreamName) {
    return stream === 'stdout' ? (chunk: Buffer) => this.records.push(chunk) : undefined;
  }

  end() {}

  note(_stream: StreamName, [word, count]: string[]) {
    return word === 'count' ? Number(count) : undefined;
  }

  answers(): string[][] {
    return this.records.end();
  }
}

function recordName(blocks: AskBlock[], index: number): string {
  let rest = index;
  for (const [at, block] of blocks.entries()) {
    if (rest < block.records) return block.names?.[rest] ?? `question ${rest + 1} of block ${at + 1}`;
    rest -= block.records;
  }
  return 'no question';
}
