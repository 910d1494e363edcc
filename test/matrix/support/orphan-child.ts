// A controller of its own, to be killed: begins every case on the host whose target ORPHAN_BASE names.
import { begin, orphanCases } from './orphan-cases.ts';

const { base, from, to } = JSON.parse(process.env.ORPHAN_BASE ?? '{}');
await Promise.all(
  orphanCases(base)
    .slice(from, to)
    .map((one) => begin(one, { deadline: 60, beat: 5000 }).change),
);
