import type { EventBody, GateEvent, RunEvent, TaskEvent } from '../../../../src/core/events.ts';
import type { Origin } from '../../../../src/core/origin.ts';

/** Builds the events of a made-up run: a clock that moves by hand, and short words for the long event bodies. */
export class Scenario {
  readonly events: RunEvent[] = [];
  now = Date.UTC(2026, 0, 15, 2, 0, 0);
  private seqs = new Map<string, number>();
  private origins = new Map<string, Origin>();

  constructor(
    readonly hosts: string[],
    start: Partial<Extract<EventBody, { type: 'run-start' }>> = {},
  ) {
    this.emit({
      type: 'run-start',
      run: '20260115-020000-ab12',
      verb: 'apply',
      playbook: 'playbooks/site.yml',
      inventory: ['inventory/lab.yaml'],
      hosts,
      check: false,
      ...start,
    });
  }

  emit(event: EventBody): this {
    this.events.push({ time: this.now, ...event });
    return this;
  }

  after(ms: number): this {
    this.now += ms;
    return this;
  }

  origin(name: string): Origin {
    const line = 10 + 6 * this.origins.size;
    const known = this.origins.get(name) ?? { file: 'playbooks/site.yml', line, column: 7 };
    this.origins.set(name, known);
    return known;
  }

  play(wave: number, waves: number, name: string, hosts = this.hosts, batches = [hosts], stopsAt?: number): this {
    const origin = this.origin(`play ${name}`);
    this.emit({ type: 'play-start', play: `p${wave}`, name, origin, wave, waves, hosts, batches, stopsAt });
    return this.batch(wave, 1, batches[0] ?? []);
  }

  batch(wave: number, batch: number, hosts: string[]): this {
    return this.emit({ type: 'batch-start', play: `p${wave}`, batch, hosts });
  }

  playEnd(wave: number, failed: string[] = []): this {
    return this.emit({ type: 'play-end', play: `p${wave}`, failed });
  }

  connect(host: string, ms = 40): this {
    this.emit({ type: 'connecting', host, address: `198.51.100.7:22` });
    return this.emit({ type: 'connected', host, ms });
  }

  step(host: string, name: string, title: string): this {
    return this.emit({ type: 'step-start', host, key: `${host}:${name}`, seq: 0, task: id(name), name, title });
  }

  output(host: string, name: string, text: string, stream: 'stdout' | 'stderr' = 'stdout'): this {
    return this.emit({ type: 'step-output', host, key: `${host}:${name}`, stream, text });
  }

  stepEnd(host: string, name: string, rc = 0, ms = 1000): this {
    const status = rc === 0 ? 'ok' : 'failed';
    return this.emit({ type: 'step-end', host, key: `${host}:${name}`, status, rc, ms });
  }

  task(host: string, name: string, status: TaskEvent['status'], more: Partial<TaskEvent> = {}): this {
    const seq = (this.seqs.get(host) ?? 0) + 1;
    this.seqs.set(host, seq);
    const place = { play: more.play ?? 'p1', seq, task: id(name), module: 'command', origin: this.origin(name) };
    return this.emit({ type: 'task', host, name, status, steps: [], ms: 0, ...place, ...more });
  }

  gate(host: string, name: string, state: GateEvent['state'], more: Partial<GateEvent> = {}): this {
    const fixed = { play: 'p1', gate: 'http', origin: this.origin(name), from: host, attempts: 0, ms: 0 };
    return this.emit({ type: 'gate', host, name, state, ...fixed, ...more });
  }

  end(exit: number, word: string, seconds: number): this {
    return this.emit({ type: 'run-end', exit, class: word, seconds });
  }
}

export function names(prefix: string, n: number): string[] {
  const width = String(n).length;
  return Array.from({ length: n }, (_, i) => `${prefix}${String(i + 1).padStart(width, '0')}`);
}

function id(name: string): string {
  return name.toLowerCase().replace(/\W+/g, '-');
}
