import type { Gift, VarState } from '../core/evaluator.ts';
import type { Need, Position, Reply, SharedResult } from '../core/needs.ts';
import { receive } from './gifts.ts';
import { comparePositions } from './state.ts';

interface Waiter {
  host: string;
  position: Position;
  /** run_once: the first that may go leads, the others get what it shares. */
  once?: boolean;
  /** Only this host must have come as far; absent: every live host. */
  for?: string;
  resolve(reply: Reply): void;
}

/**
 * Where the hosts of one batch meet. A host passes a barrier once every live host has come as far or has left; the
 * host that is furthest behind never waits for another, so there is no deadlock.
 */
export class Rendezvous {
  private readonly order: readonly string[];
  private readonly positions: Map<string, Position>;
  private readonly vars = new Map<string, VarState>();
  private readonly shared = new Map<string, SharedResult>();
  private readonly leaders = new Map<string, string>();
  /** Where the host that found them stood, and which it is. */
  private readonly gifts = new Map<Gift, { position: Position; at: number }>();
  private readonly delivered = new Set<Gift>();
  private waiters: Waiter[] = [];
  private halted: { why: string; beyond?: Position } | undefined;
  /** The furthest barrier that a host was let through. */
  private reached: Position = [];

  constructor(batch: readonly string[]) {
    this.order = batch;
    this.positions = new Map(batch.map((host) => [host, []]));
  }

  /** How far a host has come, and what it knows by now. */
  moved(host: string, position: Position, vars: VarState): void {
    this.vars.set(host, vars);
    for (const gift of vars.given ?? [])
      if (!this.gifts.has(gift)) this.gifts.set(gift, { position, at: this.order.indexOf(host) });
    this.positions.set(host, position);
    this.release();
  }

  /** The host takes no further part. */
  left(host: string): void {
    this.positions.delete(host);
    for (const [place, leader] of this.leaders)
      if (leader === host && !this.shared.has(place)) this.leaders.delete(place);
    this.release();
  }

  live(): string[] {
    return this.order.filter((host) => this.positions.has(host));
  }

  varsOf(host: string): VarState | undefined {
    return this.vars.get(host);
  }

  isDelivered(gift: Gift): boolean {
    return this.delivered.has(gift);
  }

  /** Facts that hosts of the batch found for others, who have not got them yet: task by task, host by host. */
  undelivered(): Gift[] {
    const found = [...this.gifts].filter(([gift]) => !this.delivered.has(gift));
    const sorted = found.sort(([, a], [, b]) => comparePositions(a.position, b.position) || a.at - b.at);
    return sorted.map(([gift]) => gift);
  }

  /** Whether what `host` knows is all that it can know when another stands at `position`. */
  hasPassed(host: string, position: Position): boolean {
    const own = this.positions.get(host);
    return !own || comparePositions(own, position) >= 0;
  }

  barrier(host: string, position: Position): Promise<Reply> {
    return this.wait({ host, position });
  }

  once(host: string, position: Position): Promise<Reply> {
    return this.wait({ host, position, once: true });
  }

  waitFor(host: string, other: string, position: Position): Promise<Reply> {
    return this.wait({ host, position, for: other });
  }

  share(position: Position, shared: SharedResult): void {
    this.shared.set(position.join('.'), shared);
    this.release();
  }

  /** Nobody goes on: interrupted, or too many failed. */
  halt(why: string): void {
    this.halted = { why };
    this.release();
  }

  /** Nobody begins another task; the one that hosts have met at is finished by all. Only where all meet again behind it. */
  haltBehindTask(why: string): void {
    this.halted ??= { why, beyond: this.reached };
    this.release();
  }

  get isHalted(): string | undefined {
    return this.halted?.why;
  }

  /** Why a host may not have what it needs. */
  forbids(need: Need): string | undefined {
    if (need.kind === 'inform' || need.kind === 'breathe') return undefined;
    return this.haltAt(need.kind === 'barrier' || need.kind === 'once' ? need.position : undefined);
  }

  /** Without a position: something in the middle of a task. */
  private haltAt(position: Position | undefined): string | undefined {
    const beyond = this.halted?.beyond;
    if (beyond && (!position || comparePositions(position, beyond) <= 0)) return undefined;
    return this.halted?.why;
  }

  private wait(waiter: Omit<Waiter, 'resolve'>): Promise<Reply> {
    if (!waiter.for) this.positions.set(waiter.host, waiter.position);
    return new Promise((resolve) => {
      this.waiters.push({ ...waiter, resolve });
      this.release();
    });
  }

  private release(): void {
    const order = (waiter: Waiter) => this.order.indexOf(waiter.host);
    for (const waiter of [...this.waiters].sort((a, b) => order(a) - order(b))) {
      const reply = this.replyFor(waiter);
      if (!reply) continue;
      this.waiters = this.waiters.filter((other) => other !== waiter);
      if (!waiter.for && reply.kind !== 'halt' && comparePositions(waiter.position, this.reached) > 0)
        this.reached = waiter.position;
      waiter.resolve(waiter.for ? reply : this.delivering(waiter.host, reply));
    }
  }

  /** Where hosts meet, each gets what others found for it and learns what they found for hosts that are not here. */
  private delivering(host: string, reply: Reply): Reply {
    if (reply.kind !== 'go' && reply.kind !== 'lead' && reply.kind !== 'shared') return reply;
    const gifts = this.undelivered().filter(({ to }) => to === host || !this.order.includes(to));
    const vars = this.vars.get(host);
    if (gifts.length === 0 || !vars) return reply;
    for (const gift of gifts) if (gift.to === host) this.delivered.add(gift);
    this.vars.set(host, receive(vars, host, gifts));
    return { ...reply, given: gifts };
  }

  private replyFor(waiter: Waiter): Reply | undefined {
    const why = this.haltAt(waiter.for ? undefined : waiter.position);
    if (why !== undefined) return { kind: 'halt', why };
    const hosts = waiter.for ? [waiter.for] : this.live().filter((host) => host !== waiter.host);
    if (!hosts.every((host) => this.hasPassed(host, waiter.position))) return undefined;
    return waiter.once ? this.lead(waiter) : { kind: 'go' };
  }

  /** Ansible lets the first live host of the batch lead, not the one that comes first. */
  private firstAt(position: Position): string | undefined {
    return this.live().find((host) => comparePositions(this.positions.get(host) ?? [], position) === 0);
  }

  private lead({ host, position }: Waiter): Reply | undefined {
    const place = position.join('.');
    const shared = this.shared.get(place);
    if (shared) return { kind: 'shared', shared };
    if (this.leaders.has(place) || this.firstAt(position) !== host) return undefined;
    this.leaders.set(place, host);
    return { kind: 'lead' };
  }
}
