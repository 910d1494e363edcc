import { type Act, canonical, isBlock, isInclude, type Node, type Place, type Spec, type StartItem } from './case.ts';
import { places } from './claims.ts';

type Kind = 'dir' | 'file' | 'link';

/**
 * The tasks with what they need put before them (directories, files to edit, units, accounts), and without those that
 * could only fail: most generated playbooks shall run to their end. Conditions are taken to hold; it need not be exact.
 */
export function tidied(start: readonly StartItem[], tasks: readonly Node[]): Node[] {
  const room = new Room(start);
  return tasks.flatMap((node) => room.node(node));
}

class Room {
  private readonly there = new Map<string, Kind>(['B', 'U', 'R'].map((root) => [root, 'dir']));
  private readonly units = new Set<string>();
  private account = false;

  constructor(start: readonly StartItem[]) {
    for (const item of start) {
      if (item.is === 'unit') this.units.add(item.unit);
      else if (item.is === 'user') this.account = true;
      else if ('at' in item && this.fits(item.at)) this.put(item.at, item.is);
    }
  }

  node(node: Node): Node[] {
    const part = (nodes: Node[]) => nodes.flatMap((one) => this.node(one));
    if (isInclude(node)) {
      const include = part(node.include);
      return include.length > 0 ? [{ ...node, include }] : [];
    }
    if (!isBlock(node)) return this.spec(node);
    const block = part(node.block);
    if (block.length === 0) return [];
    const rescue = part(node.rescue);
    return [{ ...node, block, rescue: rescue.length > 0 ? rescue : node.rescue, always: part(node.always) }];
  }

  private spec(spec: Spec): Node[] {
    const before: Node[] = [];
    const add = (act: Act) => {
      const made = this.spec({ act });
      before.push(...made);
      return made.length > 0;
    };
    const ready = places(spec).every((at) => this.ready({ ...spec.act, at } as Act, add)) && this.others(spec.act, add);
    if (!ready) return before;
    for (const at of places(spec)) this.done({ ...spec.act, at } as Act);
    return [...before, spec];
  }

  /** Whether the act can work on its place, after adding what it lacks. */
  private ready(act: Act, add: (act: Act) => boolean): boolean {
    if (!('at' in act)) return true;
    const { at } = act;
    if (at.rel.startsWith('l/') && this.kind({ ...at, rel: 'l' }) === undefined)
      if (!add({ do: 'link', at: { ...at, rel: 'l' }, to: 'a' })) return false;
    if (at.rel.startsWith('l/') && this.kind({ ...at, rel: 'l' }) !== 'link') return false;
    if (act.do === 'stat' || act.do === 'absent' || act.do === 'find') return true;
    const parent = parentOf(at);
    if (parent && act.do !== 'dir' && this.kind(parent) === undefined && !add({ do: 'dir', at: parent })) return false;
    return this.fits(at) && this.suits(act, this.kind(at), add);
  }

  private suits(act: Act, kind: Kind | undefined, add: (act: Act) => boolean): boolean {
    if (!('at' in act)) return true;
    switch (act.do) {
      case 'dir':
      case 'tree':
        return kind === undefined || kind === 'dir';
      case 'unpack':
        if (kind === undefined) return add({ do: 'dir', at: act.at });
        return kind === 'dir' && this.kind({ ...act.at, rel: join(act.at.rel, 's') }) !== 'file';
      case 'slurp':
      case 'replace':
        return kind === 'file' || (kind === undefined && add({ do: 'copy', at: act.at, text: { say: 'x=1' } }));
      case 'link':
        return kind === undefined || kind === 'link' || (kind === 'file' && act.force === true);
      case 'hard':
        return kind === undefined && canonical(act.at)[0] === canonical(act.to)[0];
      case 'attr':
        return (
          kind === 'dir' ||
          kind === 'file' ||
          (kind === undefined && add({ do: 'copy', at: act.at, text: { say: 'one' } }))
        );
      case 'insert':
      case 'line':
        if (kind === undefined && !act.create) return add({ do: 'copy', at: act.at, text: { say: 'x=1' } });
        return kind === undefined || kind === 'file';
      default:
        return kind === undefined || kind === 'file';
    }
  }

  private others(act: Act, add: (act: Act) => boolean): boolean {
    if (act.do === 'remote' && this.kind(act.from) !== 'file')
      return add({ do: 'copy', at: act.from, text: { say: 'two' } });
    if (act.do === 'hard' && this.kind(act.to) !== 'file') return add({ do: 'copy', at: act.to, text: { say: 'two' } });
    if (act.do === 'service' && !this.units.has(act.unit)) return add({ do: 'unit', unit: act.unit, kind: 'stays' });
    if ('owner' in act && act.owner === 'own' && !this.account) return add({ do: 'user' });
    if (act.do === 'unit' || act.do === 'keep') this.units.add(act.unit);
    if (act.do === 'group' && act.gone) return !this.account;
    if (act.do === 'user') this.account = !act.gone;
    return true;
  }

  private done(act: Act) {
    if (!('at' in act)) return;
    if (act.do === 'absent') {
      const path = canonical(act.at);
      for (const known of [...this.there.keys()])
        if (known === path || known.startsWith(`${path}/`)) this.there.delete(known);
    } else if (act.do === 'unpack') {
      for (const name of ['f', 'g', 's/f']) this.put({ ...act.at, rel: join(act.at.rel, name) }, 'file');
    } else if (act.do === 'cron' && act.gone) this.there.delete(canonical(act.at));
    else if (act.do === 'dir' || act.do === 'tree') this.put(act.at, 'dir');
    else if (act.do === 'link') this.put(act.at, 'link');
    else if (!readers.has(act.do)) this.put(act.at, 'file');
  }

  private put(at: Place, kind: Kind) {
    const names = canonical(at).split('/');
    for (let depth = 1; depth < names.length; depth++) this.there.set(names.slice(0, depth).join('/'), 'dir');
    this.there.set(names.join('/'), kind);
  }

  private kind(at: Place): Kind | undefined {
    return this.there.get(canonical(at));
  }

  /** Nothing but directories above it. */
  private fits(at: Place): boolean {
    const names = canonical(at).split('/');
    return names.every(
      (_, depth) => depth === 0 || (this.there.get(names.slice(0, depth).join('/')) ?? 'dir') === 'dir',
    );
  }
}

/** Acts that make nothing. */
const readers = new Set<Act['do']>(['stat', 'attr', 'find', 'slurp', 'replace']);

function join(rel: string, name: string): string {
  return rel === '' ? name : `${rel}/${name}`;
}

function parentOf({ view, rel }: Place): Place | undefined {
  const cut = rel.lastIndexOf('/');
  return cut < 0 ? undefined : { view, rel: rel.slice(0, cut) };
}
