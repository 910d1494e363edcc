/**
 * How many hosts may find out what they will ask, or wait for their turn to ask it: each holds all its questions
 * meanwhile (185 KB for 200 tasks), and where hosts are slower than this machine nearly all of them would. A host that is
 * let in asks next and waits for no other host, so those that are held always get in.
 */
export class Ahead {
  private readonly limit: number;
  private readonly hosts = new Set<string>();
  private readonly held: (() => void)[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Undefined: it may go on at once. */
  enter(host: string): Promise<void> | undefined {
    if (this.hosts.size < this.limit || this.hosts.has(host)) {
      this.hosts.add(host);
      return undefined;
    }
    return new Promise((resolve) => {
      this.held.push(() => {
        this.hosts.add(host);
        resolve();
      });
    });
  }

  /** It has its answers, or will never ask. */
  leave(host: string): void {
    if (this.hosts.delete(host)) this.held.shift()?.();
  }
}
