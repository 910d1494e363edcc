import { type Release, reaches } from './release.ts';

/** The components that the version skew policy speaks of. */
export const skewComponents = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
] as const;
export type SkewComponent = (typeof skewComponents)[number];

/** Where the rules stand in words, and since when each is so. */
export const policy = 'https://kubernetes.io/releases/version-skew-policy/';

/** One component of one host, with the release that it is at some point of a roll. */
export interface Instance {
  host: string;
  component: SkewComponent;
  release: Release;
}

/** A pair that may not be, in words. `key` is the same while it lasts. */
export interface Breach {
  key: string;
  message: string;
}

/** How a component may stand to another one, in minor releases; patch releases never matter. */
interface Rule {
  component: SkewComponent;
  to: SkewComponent;
  /** How much newer and older it may be. */
  newer: number;
  older: (own: Release) => number;
  says: string;
  /** Only where both are of one host: a control plane component asks the apiserver beside it. */
  sameHost?: true;
}

/** Three minor releases since kubelet and kube-proxy 1.25, which an apiserver can be that much ahead of since 1.28. */
const threeOrTwo = (release: Release) => (reaches(release, '1.25') ? 3 : 2);
const one = () => 1;
const aged = 'at most 3 minor releases older (2 before 1.25)';

const rules: readonly Rule[] = [
  {
    component: 'kube-apiserver',
    to: 'kube-apiserver',
    newer: 1,
    older: one,
    says: 'apiservers of one cluster are within one minor release',
  },
  {
    component: 'kubelet',
    to: 'kube-apiserver',
    newer: 0,
    older: threeOrTwo,
    says: `a kubelet is never newer than an apiserver, and ${aged}`,
  },
  {
    component: 'kube-proxy',
    to: 'kube-apiserver',
    newer: 0,
    older: threeOrTwo,
    says: `kube-proxy is never newer than an apiserver, and ${aged}`,
  },
  {
    component: 'kube-proxy',
    to: 'kubelet',
    newer: 3,
    older: threeOrTwo,
    says: 'kube-proxy is within 3 minor releases of the kubelet beside it (2 before 1.25)',
    sameHost: true,
  },
  ...(['kube-controller-manager', 'kube-scheduler'] as const).map(
    (component): Rule => ({
      component,
      to: 'kube-apiserver',
      newer: 0,
      older: one,
      says: `${component} is never newer than the apiserver it asks, and at most one minor release older`,
      sameHost: true,
    }),
  ),
  {
    component: 'kubectl',
    to: 'kube-apiserver',
    newer: 1,
    older: one,
    says: 'kubectl is within one minor release of every apiserver',
  },
];

/** Every pair of a moment that the policy does not allow. */
export function breaches(instances: readonly Instance[]): Breach[] {
  return rules.flatMap((rule) => {
    const others = instances.filter(({ component }) => component === rule.to);
    const own = instances.filter(({ component }) => component === rule.component);
    return own.flatMap((instance) => partners(instance, others, rule).flatMap((other) => judge(instance, other, rule)));
  });
}

/** A control plane component without an apiserver beside it may ask any. */
function partners(instance: Instance, others: readonly Instance[], rule: Rule): readonly Instance[] {
  if (!rule.sameHost) return others;
  const beside = others.filter(({ host }) => host === instance.host);
  return beside.length > 0 || rule.to === 'kubelet' ? beside : others;
}

function judge(instance: Instance, other: Instance, rule: Rule): Breach[] {
  const ahead = minorsBetween(instance.release, other.release);
  if (ahead <= rule.newer && -ahead <= rule.older(instance.release)) return [];
  const [a, b] = [nameOf(instance), nameOf(other)];
  return [
    {
      key: `${a} ${b}`,
      message: `${a} ${instance.release.text} beside ${b} ${other.release.text}: ${rule.says}`,
    },
  ];
}

/** How many minor releases `a` is ahead of `b`; another major release is out of any reach. */
function minorsBetween(a: Release, b: Release): number {
  return a.major === b.major ? a.minor - b.minor : (a.major - b.major) * 1000;
}

function nameOf({ component, host }: Instance): string {
  return `${component} of ${host}`;
}
