export interface Suite {
  name: string;
  /** Folders that hold its `*.test.ts` files. */
  dirs: string[];
  /** Pure tests share processes (one per core); tests that hold hosts get a process per file, one at a time. */
  oneProcess: boolean;
  /** Milliseconds a file may take before its worker is ended. */
  fileTimeoutMs: number;
  /** Whether `npm test` runs it. */
  inTest: boolean;
}

/** In the order of `npm test`: fast first. */
export const suites: Suite[] = [
  { name: 'unit', dirs: ['test/unit'], oneProcess: true, fileTimeoutMs: 60_000, inTest: true },
  /** The command line as a process of its own, with a made-up run in place of hosts. */
  { name: 'cli', dirs: ['test/cli'], oneProcess: true, fileTimeoutMs: 180_000, inTest: true },
  /** Real Ansible as the judge: the expressions, and a few playbooks. */
  {
    name: 'oracle',
    dirs: ['test/oracle', 'test/conformance/expressions'],
    oneProcess: false,
    fileTimeoutMs: 600_000,
    inTest: true,
  },
  { name: 'conformance', dirs: ['test/conformance'], oneProcess: false, fileTimeoutMs: 2_700_000, inTest: false },
  { name: 'shells', dirs: ['test/shells'], oneProcess: false, fileTimeoutMs: 300_000, inTest: true },
  /** Whole playbooks planned on machines that are only answers: seconds each, no host. */
  { name: 'playbooks', dirs: ['test/playbooks'], oneProcess: true, fileTimeoutMs: 300_000, inTest: true },
  { name: 'lab', dirs: ['test/lab'], oneProcess: false, fileTimeoutMs: 900_000, inTest: true },
  /** Needs chromium, which not every machine has. */
  { name: 'browser', dirs: ['test/browser'], oneProcess: false, fileTimeoutMs: 300_000, inTest: false },
  { name: 'cluster', dirs: ['test/cluster'], oneProcess: false, fileTimeoutMs: 1_800_000, inTest: true },
  /** Every login shell × way to become × coreutils: half an hour. Its fast part is among the lab tests. */
  { name: 'matrix', dirs: ['test/matrix'], oneProcess: false, fileTimeoutMs: 7_200_000, inTest: false },
  { name: 'e2e', dirs: ['test/e2e'], oneProcess: false, fileTimeoutMs: 3_600_000, inTest: false },
  /** Generated playbooks over generated hosts: the same ones each time in `npm test`, new ones in `npm run property`. */
  { name: 'property', dirs: ['test/property'], oneProcess: false, fileTimeoutMs: 7_200_000, inTest: true },
  /** Readers of what others write, the same inputs each time in `npm test`, new ones in `npm run fuzz`. */
  { name: 'fuzz', dirs: ['test/fuzz'], oneProcess: false, fileTimeoutMs: 7_200_000, inTest: true },
  { name: 'faults', dirs: ['test/faults'], oneProcess: false, fileTimeoutMs: 3_600_000, inTest: false },
];
