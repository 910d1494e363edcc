import type { Release } from './release.ts';
import { breaches, type Instance, policy, type SkewComponent, skewComponents } from './skew-rules.ts';
import { compareReleases, lenientRelease } from './skew-version.ts';

/** What runs on a host: component to version, as its program says it; empty or absent: it does not run there. */
export interface Running {
  host: string;
  versions: Readonly<Record<string, string | undefined>>;
}

/** A roll from what runs to one release. */
export interface Roll {
  running: readonly Running[];
  to: string;
  /** What is replaced together, in the order in which it is. */
  order: readonly { host: string; components: readonly string[] }[];
  allowDowngrade: boolean;
}

export interface SkewVerdict {
  verdict: 'allowed' | 'refused' | 'unknown';
  /** Why it is not allowed, each with the moment it would happen at. */
  problems: string[];
  /** What is not as the policy wants it already now, and would not be made worse. */
  already: string[];
  /** How many moments were judged: the one before, and the one after each replacement. */
  moments: number;
}

/** Judges every moment of a roll by Kubernetes' version skew policy, before anything is changed. */
export function judgeRoll(roll: Roll): SkewVerdict {
  const to = lenientRelease(roll.to);
  if (!to) return unknownTo(roll.to);
  const { instances, unknown } = instancesOf(roll.running);
  if (unknown.length > 0) return { verdict: 'unknown', problems: unknown, already: [], moments: 0 };
  const already = breaches(instances);
  const known = new Set(already.map(({ key }) => key));
  const later = momentsOf(instances, roll, to).flatMap(({ title, state }) =>
    breaches(state)
      .filter(({ key }) => !known.has(key) && known.add(key))
      .map(({ message }) => `${title}: ${message}`),
  );
  const problems = [...stepProblems(instances, to, roll.allowDowngrade), ...later];
  return {
    verdict: problems.length > 0 ? 'refused' : 'allowed',
    problems,
    already: already.map(({ message }) => message),
    moments: roll.order.length + 1,
  };
}

/** Where the rules come from. */
export const skewPolicy = policy;

function unknownTo(text: string): SkewVerdict {
  return { verdict: 'unknown', problems: [`"${text}" is no version`], already: [], moments: 0 };
}

function instancesOf(running: readonly Running[]): { instances: Instance[]; unknown: string[] } {
  const unknown: string[] = [];
  const instances = running.flatMap(({ host, versions }) =>
    Object.entries(versions).flatMap(([component, text]) => {
      if (!text || !isComponent(component)) return [];
      const release = lenientRelease(text);
      if (!release) unknown.push(`${component} of ${host} says it is "${text}", which is no version`);
      return release ? [{ host, component, release }] : [];
    }),
  );
  return { instances, unknown };
}

function isComponent(name: string): name is SkewComponent {
  return (skewComponents as readonly string[]).includes(name);
}

/** The state after each replacement. The apiserver of a host is replaced before what asks it there. */
function momentsOf(start: readonly Instance[], { order }: Roll, to: Release) {
  let state = start;
  return order.map(({ host, components }) => {
    state = state.map((instance) =>
      instance.host === host && components.includes(instance.component) ? { ...instance, release: to } : instance,
    );
    return { title: `after ${components.join(', ')} of ${host}`, state };
  });
}

/** An apiserver goes up one minor release at a time, and nothing goes down unasked. */
function stepProblems(instances: readonly Instance[], to: Release, allowDowngrade: boolean): string[] {
  return instances.flatMap(({ host, component, release }) => {
    const name = `${component} of ${host}`;
    if (compareReleases(to, release) < 0)
      return allowDowngrade ? [] : [`${name} would go down from ${release.text} to ${to.text} (--allow-downgrade)`];
    const skips = to.major !== release.major || to.minor - release.minor > 1;
    return component === 'kube-apiserver' && skips
      ? [`${name} would go from ${release.text} to ${to.text}: apiservers go up one minor release at a time`]
      : [];
  });
}
