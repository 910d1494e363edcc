import { isDeepStrictEqual } from 'node:util';
import { stageBlobs, staged } from '../../../src/apply/stage.ts';
import { Uploads } from '../../../src/apply/uploads.ts';
import { type Answer, type FactKey, keyText, type Wants } from '../../../src/core/facts.ts';
import { loginIdentity } from '../../../src/core/identity.ts';
import type { Plan, WorldView } from '../../../src/core/module.ts';
import type { Session, StepReply } from '../../../src/core/session.ts';
import type { Step } from '../../../src/core/steps.ts';
import { compileRun } from '../../../src/remote/compile.ts';
import { asked } from '../../../src/world/ask.ts';
import { families } from '../../../src/world/families.ts';
import { World } from '../../../src/world/world.ts';
import { ran, step as remoteStep, trip } from '../../unit/remote/support.ts';

class Missing extends Error {
  readonly key: FactKey;
  constructor(key: FactKey) {
    super(keyText(key));
    this.key = key;
  }
}

/** This machine through one session: what was asked of it, and a World of the answers. */
export class Host {
  world = new World();
  readonly keys = new Map<string, FactKey>();
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** Forgets all answers: what is planned next rests on what is there now. */
  forget(): void {
    this.world = new World();
  }

  /** Plans, asking in rounds whatever is read and not known yet. */
  async plan(make: (view: WorldView) => Plan): Promise<Plan> {
    for (let round = 0; round < 50; round++) {
      try {
        return make(this.view());
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        await this.ask([error.key]);
      }
    }
    throw new Error('it never stops asking');
  }

  async ask(keys: FactKey[]): Promise<void> {
    const all = asked(keys);
    const records = await this.session.ask(loginIdentity, all.blocks);
    const answers = all.answers(records).map((one) => ({ identity: loginIdentity, ...one }));
    for (const key of keys) this.keys.set(keyText(key), key);
    this.world = this.world.withAnswers(answers);
  }

  async run(steps: readonly Step[]): Promise<StepReply[]> {
    const sending = { ...tools, sessionOf: () => this.session };
    await stageBlobs('host', { identity: loginIdentity, steps: steps.map((first) => ({ first })) }, sending);
    const all = steps.map((one, i) =>
      remoteStep(String(i), '', { ...compileRun(staged(one.run), one), okCodes: one.okCodes ?? [0] }),
    );
    return ran(await this.session.change(trip(all), {}));
  }

  /** What the effects predict against what is there: of everything that was ever asked and of what proves the effects. */
  async unlike(steps: readonly Step[]): Promise<string[]> {
    const effects = steps.flatMap((one) => one.effects);
    if (effects.some(({ type }) => type === 'opaque')) return [];
    const predicted = this.world.after(effects);
    const proofs = [...families.values()].flatMap((family) =>
      effects.flatMap((effect) => family.proves?.(effect) ?? []),
    );
    const keys = new Map([...this.keys, ...proofs.map((key) => [keyText(key), key] as const)]);
    const all = asked([...keys.values()]);
    const now = all.answers(await this.session.ask(loginIdentity, all.blocks));
    return now.flatMap(({ key, answer }) =>
      differences(key, predicted.find(loginIdentity, { ...key, wants: undefined }), answer),
    );
  }

  private view(): WorldView {
    return {
      read: (family: string, id: string, wants?: Wants): Answer => {
        const key = wants ? { family, id, wants } : { family, id };
        const answer = this.world.find(loginIdentity, key);
        if (!answer) throw new Missing(key);
        return answer;
      },
    };
  }
}

const tools = {
  slot: <T>(use: () => Promise<T>) => use(),
  close: new AbortController().signal,
  uploads: new Uploads(() => undefined),
};

/** Only what was predicted counts. */
function differences(key: FactKey, predicted: Answer | undefined, actual: Answer): string[] {
  if (predicted?.state !== 'known' || actual.state !== 'known') return [];
  const differs = families.get(key.family)?.differs;
  if (differs) return differs(predicted.value, actual.value).map((text) => `${keyText(key)}: ${text}`);
  if (!exact.has(key.family) || isDeepStrictEqual(ordered(predicted.value), ordered(actual.value))) return [];
  return [`${keyText(key)}: expected ${JSON.stringify(predicted.value)}, is ${JSON.stringify(actual.value)}`];
}

/** Families whose predictions are whole. */
const exact = new Set(['bytes', 'deviations', 'digest', 'tree']);

function ordered(value: unknown): unknown {
  const entries = (value as { entries?: { path: string }[] }).entries;
  return entries ? { ...(value as object), entries: [...entries].sort((a, b) => (a.path < b.path ? -1 : 1)) } : value;
}
