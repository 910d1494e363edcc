import type { Answer, FactKey, Wants } from '../core/facts.ts';
import type { Identity } from '../core/identity.ts';
import type { WorldView } from '../core/module.ts';
import type { PlannedStep } from '../core/steps.ts';
import { families } from '../world/families.ts';
import { probeCommand } from '../world/probe.ts';
import type { World } from '../world/world.ts';

/** A fact that was not asked yet. */
export class MissingFact extends Error {
  readonly key: FactKey;
  constructor(key: FactKey) {
    super(`${key.family}:${key.id} was not asked`);
    this.key = key;
  }
}

/** The World as one identity sees it; remembers what was read, since the changes planned from it rest on that. */
export class RecordingView implements WorldView {
  private readonly world: World;
  private readonly identity: Identity;
  readonly rests: PlannedStep['rests'] = [];
  readCount = 0;
  /** Doubtful answers are taken for what they are unless the doubt comes true. */
  private readonly assume: boolean;
  /** Why what was read will be something else by then. */
  fleeting: string | undefined;
  /** Commands of the user's own that decided here. */
  readonly probes: string[] = [];

  constructor(world: World, identity: Identity, assume = false) {
    this.assume = assume;
    this.world = world;
    this.identity = identity;
  }

  read(family: string, id: string, wants?: Wants): Answer {
    const key = this.world.where(this.identity, wants ? { family, id, wants } : { family, id });
    const found = this.world.find(this.identity, key);
    const answer = this.assume && found?.state === 'unknown' && found.was ? found.was : found;
    if (!answer) throw new MissingFact(key);
    this.readCount++;
    this.fleeting ??= families.get(family)?.fleeting;
    if (family === 'probe') this.probes.push(probeCommand(key));
    if (answer.state === 'known' && answer.raw !== '' && isGuarded(key))
      this.rests.push({ identity: this.identity, key: { family, id: key.id, wants: answer.wants }, raw: answer.raw });
    return answer;
  }
}

function isGuarded({ family, id }: FactKey): boolean {
  const guarded = families.get(family)?.guarded ?? false;
  return typeof guarded === 'function' ? guarded(id) : guarded;
}
