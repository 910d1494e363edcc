/** What `systemctl enable` would link. */
export interface Install {
  wantedBy: string[];
  requiredBy: string[];
  alias: string[];
  also: string[];
}

/** What a unit file says about how the unit starts and what enables it. */
export interface UnitText {
  type?: string;
  remainAfterExit?: boolean;
  install: Install;
  /** Sections with their assignments in order, last ones win or add up as systemd does. */
  sections: ReadonlyMap<string, [name: string, value: string][]>;
}

/** A unit file or drop-in, as far as predictions need it. */
export function parseUnit(text: string): UnitText {
  const sections = sectionsOf(text);
  const service = sections.get('Service') ?? [];
  const last = (name: string) => service.findLast(([key]) => key === name)?.[1];
  const type = last('Type');
  const remain = last('RemainAfterExit');
  return {
    ...(type ? { type } : {}),
    ...(remain === undefined ? {} : { remainAfterExit: /^(1|yes|y|true|t|on)$/i.test(remain) }),
    install: collect(sections.get('Install') ?? []),
    sections,
  };
}

/** [Install] from its lines. */
export function installOf(lines: readonly string[]): Install {
  return collect(assignments(joined(lines)));
}

/** Whether enabling would make any link; without it a unit is `static`. */
export function canEnable(install: Install): boolean {
  return Object.values(install).some((names) => names.length > 0);
}

function sectionsOf(text: string): Map<string, [string, string][]> {
  const sections = new Map<string, [string, string][]>();
  let current: [string, string][] = [];
  for (const line of joined(text.split('\n'))) {
    const header = /^\[(.+)\]\s*$/.exec(line.trim());
    if (header) {
      current = sections.get(header[1]!) ?? [];
      sections.set(header[1]!, current);
    } else current.push(...assignments([line]));
  }
  return sections;
}

/** A line that ends in a backslash goes on in the next one that is no comment. */
function joined(lines: readonly string[]): string[] {
  const out: string[] = [];
  let open = '';
  for (const line of lines) {
    if (/^\s*[#;]/.test(line)) continue;
    if (line.endsWith('\\')) open += `${line.slice(0, -1)} `;
    else {
      out.push(open + line);
      open = '';
    }
  }
  return open ? [...out, open] : out;
}

function assignments(lines: readonly string[]): [string, string][] {
  return lines.flatMap((line) => {
    const found = /^\s*([^=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    return found ? [[found[1]!, found[2]!] as [string, string]] : [];
  });
}

/** An empty assignment clears the list, as in systemd. */
function collect(pairs: readonly [string, string][]): Install {
  const install: Install = { wantedBy: [], requiredBy: [], alias: [], also: [] };
  for (const [name, value] of pairs) {
    const list = fieldOf[name];
    if (!list) continue;
    install[list] = value === '' ? [] : [...install[list], ...value.split(/\s+/)];
  }
  return install;
}

const fieldOf: Record<string, keyof Install> = {
  WantedBy: 'wantedBy',
  RequiredBy: 'requiredBy',
  Alias: 'alias',
  Also: 'also',
};
