import { setTimeout as pause } from 'node:timers/promises';
import { ms, wait } from '../core/waits.ts';
import type { BecomeWay } from './become.ts';

/** What sudo, su or doas says when it wants a password, as far as nobody made it say something else. */
const asks = /(?:password|passphrase|passcode)[^\n:]{0,80}: *$/i;

/** PAM wants a new password, which nobody here can give. */
const wantsNew = /(?:current|new|retype)[^\n:]*password[^\n:]{0,80}: *$/i;

/** sudo may put its own prompt in front of PAM's questions for a new one. */
const isExpired = /password (?:is |has )?expired|required to change|Changing password for/i;

/** Follows how another user is entered, by frames and by what is printed outside of them. */
export class Entrance {
  /** The password was refused: it was asked for once more. */
  get refused(): boolean {
    return Math.max(this.marked, this.printed) > 1;
  }
  /** It asked, and there was nothing to answer. */
  unanswerable = false;
  private marked = 0;
  private printed = 0;
  private tail = '';
  private isOver = false;
  private readonly way: BecomeWay | undefined;
  private readonly giveUp: () => void;
  private readonly waiting = { ready: gate(), typed: gate(), asked: gate() };

  /** `giveUp` ends the input, so that what asked for more ends. */
  constructor(way: BecomeWay | undefined, giveUp: () => void) {
    this.way = way;
    this.giveUp = giveUp;
  }

  /** Resolves when the inner shell is there and the channel's input is its own; `write` sends a line. */
  async pass(password: string | undefined, write: (line: string) => Promise<void> | undefined): Promise<void> {
    const { ready, typed, asked } = this.waiting;
    if (this.way?.password === 'stdin') await write(password ?? '');
    if (this.way?.password === 'tty')
      await write((await Promise.race([asked.opened, ready.opened])) ? (password ?? '') : '');
    await ready.opened;
    if (this.way?.password === 'tty') await nudge(write, typed.opened);
    this.isOver = true;
  }

  /** A frame of the shell's own; false: it is about something else. */
  frame(word: string | undefined): boolean {
    if (word === 'ready') this.waiting.ready.open(false);
    else if (word === 'typed') this.waiting.typed.open(false);
    else if (word === 'password') {
      this.marked++;
      this.wasAsked();
    } else return false;
    return true;
  }

  /** Text outside of frames. */
  noise(chunk: Buffer): void {
    if (this.isOver || !this.way) return;
    this.tail = (this.tail + chunk.toString('latin1')).slice(-200);
    if (!asks.test(this.tail)) return;
    const isNew = wantsNew.test(this.tail) || isExpired.test(this.tail);
    this.tail = '';
    this.printed++;
    this.wasAsked(isNew);
  }

  private wasAsked(isNew = false) {
    if (this.isOver) return;
    this.unanswerable ||= isNew || (this.way?.password === 'none' && this.way.mayAsk);
    // End of input ends sudo before a third try counts against the account.
    if (this.refused || this.unanswerable) return this.giveUp();
    this.waiting.asked.open(true);
  }
}

/**
 * Whoever types the password waits for one more line, and the inner shell reads the same input: which of them gets an
 * empty line is chance, and to the inner shell it means nothing. So they are sent until the typist says it had one.
 */
async function nudge(write: (line: string) => Promise<void> | undefined, typed: Promise<boolean>) {
  const once = typed.then(() => true);
  do await write('');
  while (!(await Promise.race([once, pause(ms(wait('nudge').interval), false)])));
}

function gate() {
  let open: (value: boolean) => void = () => {};
  const opened = new Promise<boolean>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
