import type { TaskEvent } from '../../../../src/core/events.ts';
import type { Diff } from '../../../../src/core/steps.ts';
import type { Act } from './case.ts';
import type { Entry, Files } from './disk.ts';

/** What a host holds by the word of the diffs alone: the files before, and every diff of an executed step since. */
export class DiffModel {
  readonly problems: string[] = [];
  readonly files: Map<string, Partial<Entry>>;
  /** Units by name: what the diffs say of them last. */
  readonly units = new Map<string, { state?: string; enabled?: string }>();
  /** Users and groups, as `user NAME`: whether the diffs say that they are there. */
  readonly accounts = new Map<string, string>();
  /** Packages by name: whether the diffs say that they are installed. */
  readonly packages = new Map<string, boolean>();

  constructor(before: Files) {
    this.files = new Map([...before].map(([path, { stamp: _stamp, ...entry }]) => [path, entry]));
  }

  /** Takes up what the steps of a task said that they changed; `act` says what a diff leaves to be known. */
  add(task: TaskEvent, act: Act | undefined): void {
    for (const step of task.steps) {
      if (step.rc === undefined) continue;
      for (const diff of step.diff ?? []) this.fold(diff, `${task.name}: ${step.title}`, act);
    }
  }

  /** `shell: mkdir -p … && echo made > …` has no diff; what it does is known to the test. */
  created(path: string): void {
    for (const parent of parents(this.real(path)))
      if (!this.files.has(parent) && parents(parent).some((above) => this.files.has(above)))
        this.files.set(parent, fresh('directory', 0o755));
    const real = this.real(path);
    this.files.set(real, { ...(this.files.get(real) ?? fresh('file', 0o644)), text: 'made\n' });
  }

  /** Ways in which what is there is not what the diffs said. */
  compare(after: Files): string[] {
    const found: string[] = [];
    for (const path of new Set([...this.files.keys(), ...after.keys()])) {
      if (path === '/etc/passwd' || path === '/etc/group' || isOurs(path)) continue;
      const [said, is] = [this.files.get(path), after.get(path)];
      if (!said || !is)
        found.push(
          `${path}: ${is ? `is there as a ${is.kind}` : 'is not there'}, by the diffs ${said ? 'it is' : 'it is not'}`,
        );
      else
        for (const name of ['kind', 'mode', 'owner', 'group', 'text', 'target'] as const)
          if (said[name] !== undefined && said[name] !== is[name] && !isOrphaned(said[name], is[name]))
            found.push(`${path}: ${name} is ${show(is[name])}, by the diffs ${show(said[name])}`);
    }
    return found;
  }

  private fold(diff: Diff, where: string, act: Act | undefined) {
    if (diff.kind === 'fields')
      return act?.do === 'fetch' ? this.fetched(diff, where, act.text) : this.fields(diff, where);
    const path = this.real(diff.path);
    const there = this.files.get(path);
    if (diff.kind === 'text')
      this.expect(
        where,
        path,
        'text',
        diff.unknownBefore || diff.secret ? undefined : diff.before,
        there?.kind === 'file' ? there.text : undefined,
      );
    const text = diff.kind === 'text' ? diff.after : packedText(path, act);
    // A new file takes the place of whatever was there; only an existing file's attributes last.
    const kept = there?.kind === 'file' ? there : fresh('file');
    this.files.set(path, { ...kept, kind: 'file', text: text ?? undefined });
  }

  /** The diff of a download tells of the content by its checksum. */
  private fetched(diff: Extract<Diff, { kind: 'fields' }>, where: string, text: string) {
    const path = this.real(diff.subject);
    if (diff.fields.some(({ name }) => name === 'content')) {
      const there = this.files.get(path);
      this.files.set(path, { ...(there?.kind === 'file' ? there : fresh('file')), text: `${text}\n` });
    }
    this.fields({ ...diff, fields: diff.fields.filter(({ name }) => name !== 'content') }, where);
  }

  private fields({ subject, fields }: Extract<Diff, { kind: 'fields' }>, where: string) {
    const [word, name] = subject.split(' ');
    if (subject === 'packages') for (const { name, after } of fields) this.packages.set(name, after !== null);
    else if (word === 'user' || word === 'group') {
      const state = fields.find((field) => field.name === 'state');
      if (state) this.account(`${word} ${name}`, state, where);
    } else if (subject.endsWith('.service')) {
      for (const { name: field, after } of fields)
        this.units.set(subject, { ...this.units.get(subject), [field]: after ?? undefined });
    } else for (const field of fields) this.field(this.real(subject), field, where);
  }

  private account(who: string, { before, after }: Field, where: string) {
    const known = this.accounts.get(who);
    if (known !== undefined && known !== before)
      this.problems.push(`${where}: ${who} was ${known}, the diff says ${before}`);
    this.accounts.set(who, after ?? '');
    // A user's own group comes and may go with it, unsaid.
    if (who.startsWith('user ')) this.accounts.delete(`group ${who.slice(5)}`);
  }

  private field(path: string, { name, before, after }: Field, where: string) {
    const there = this.files.get(path);
    if (name === 'state') return this.state(path, before, after, there, where);
    if (!there) return void (after !== null && this.problems.push(`${where}: ${name} of ${path}, which is not there`));
    if (name === 'mode') {
      if (before !== null) this.expect(where, path, 'mode', octal(Number.parseInt(before, 8)), octal(there.mode));
      if (after !== null) there.mode = Number.parseInt(after, 8);
    } else if (name === 'owner' || name === 'group' || name === 'target') {
      if (before !== null) this.expect(where, path, name, before, there[name]);
      if (after !== null) there[name] = after;
    }
  }

  private state(
    path: string,
    before: string | null,
    after: string | null,
    there: Partial<Entry> | undefined,
    where: string,
  ) {
    const is = there?.kind ?? 'absent';
    const isFile = before === 'present' || before?.startsWith('hard');
    if (before !== is && !(isFile && is === 'file'))
      this.problems.push(`${where}: ${path} is ${is}, the diff says ${before}`);
    for (const below of [...this.files.keys()]) if (below.startsWith(`${path}/`)) this.files.delete(below);
    if (after === 'absent') this.files.delete(path);
    else if (after === 'directory' || after === 'link')
      this.files.set(path, fresh(after, after === 'link' ? 0o777 : undefined));
    else if (after?.startsWith('hard link to ')) this.share(path, after.slice('hard link to '.length));
  }

  /** One file under two names: what changes of it changes under both, until a new file takes the place of one. */
  private share(path: string, source: string) {
    const entry = this.files.get(this.real(source));
    if (entry) this.files.set(path, entry);
  }

  private expect(where: string, path: string, name: string, said: string | null | undefined, is: string | undefined) {
    if (said === undefined) return;
    if (isOrphaned(said, is)) return;
    if ((is ?? null) !== said)
      this.problems.push(`${where}: ${name} of ${path} was ${show(is)}, the diff says ${show(said)}`);
  }

  /** The path with links in its directories followed, as the model has them; its last name stays. */
  real(path: string): string {
    let found = path.startsWith('/lib/') ? `/usr${path}` : path.startsWith('/var/run/') ? path.slice(4) : path;
    for (const parent of parents(found)) {
      const entry = this.files.get(parent);
      if (entry?.kind !== 'link' || entry.target === undefined) continue;
      const target = entry.target.startsWith('/')
        ? entry.target
        : `${parent.slice(0, parent.lastIndexOf('/'))}/${entry.target}`;
      found = this.real(target + found.slice(parent.length));
      break;
    }
    return found;
  }
}

type Field = { name: string; before: string | null; after: string | null };

/** What an archive has for a path; its diff tells a checksum. */
function packedText(path: string, act: Act | undefined): string | undefined {
  if (act?.do !== 'unpack') return undefined;
  const below = act.at.rel === 'a/s' ? path.slice(path.indexOf('/a/s/') + '/a/s/'.length) : path;
  const name = below.endsWith('s/f') ? 's/f' : below.slice(below.lastIndexOf('/') + 1);
  return `packed ${name}\n`;
}

/** What root makes anew; the mode is told by a field, the group may come from the directory above. */
function fresh(kind: Entry['kind'], mode?: number): Partial<Entry> {
  return { kind, mode, owner: 'root' };
}

/** The owner's name, where its account came or went since: only the number is left. */
function isOrphaned(said: unknown, is: unknown): boolean {
  return [said, is].some((name) => typeof name === 'string' && /^\d+$/.test(name));
}

function parents(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return names.map((_, at) => `/${names.slice(0, at + 1).join('/')}`);
}

function octal(mode: number | undefined): string | undefined {
  return mode?.toString(8).padStart(4, '0');
}

function show(value: unknown): string {
  return typeof value === 'number' ? `0${value.toString(8)}` : JSON.stringify(value ?? null);
}

/** What kpush keeps for itself. */
function isOurs(path: string): boolean {
  return path.startsWith('/run/kpush') || path.startsWith('/var/lib/kpush');
}
