import { newMarker, type Trip, type TripReader } from './trip.ts';

/** A shell that an upload has for itself, opened by its first trip. */
export interface UploadShell {
  /** Runs a trip; the shell gets the library before it, if it does not have it. */
  run(library: 'stage' | 'ahead', trip: Trip): Promise<void>;
  /** From here on the trip reads its input itself. */
  feed(): void;
  /** Resolves when `bytes` may be used again. */
  write(bytes: Buffer): Promise<void>;
  close(): void;
}

/** One trip of an upload: the host tells what it has, and is then fed. */
export class Talk {
  /** The words that the host told; undefined when it ended without. */
  readonly told: Promise<string[] | undefined>;
  isTold = false;
  /** What went wrong on the host, in its own words. */
  broken: string | undefined;
  onThere: (there: number) => void = () => {};
  private readonly shell: UploadShell;
  private tell: (words?: string[]) => void = () => {};

  constructor(shell: UploadShell) {
    this.shell = shell;
    this.told = new Promise((resolve) => {
      this.tell = resolve;
    });
  }

  /** `command`: a function of the library that talks so. */
  async run(library: 'stage' | 'ahead', command: string): Promise<void> {
    const marker = newMarker();
    const text = `{ kp_go ${marker};${command};exec 5>&-;kp_live;kp_2 end trip 0;}\n`;
    try {
      await this.shell.run(library, { marker, text, reader: this.reader() });
    } finally {
      this.tell();
    }
  }

  async say(line: string): Promise<void> {
    await this.write(Buffer.from(`${line}\n`));
  }

  write(bytes: Buffer): Promise<void> {
    return this.shell.write(bytes);
  }

  close(): void {
    this.shell.close();
  }

  private reader(): TripReader {
    return {
      begin: () => undefined,
      end: () => {},
      note: (_stream, [word, ...rest]) => {
        if (word === 'have') this.listen(rest);
        if (word === 'at') this.onThere(Number(rest[0]));
        if (word === 'broken') this.broken ??= rest.join(' ');
        return undefined;
      },
    };
  }

  private listen(words: string[]) {
    this.isTold = true;
    this.shell.feed();
    this.tell(words);
  }
}
