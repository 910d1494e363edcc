import { normal } from '../../../../src/world/normal.ts';

/** A few files in memory, enough to say what a host would say of any path: present, or where it would be. */
export class SmallDisk {
  private readonly nodes = new Map<string, Node>([['/', { kind: 'directory', inode: 1 }]]);

  put(path: string, node: Omit<Node, 'inode'> & { inode?: number }): void {
    this.nodes.set(path, { inode: this.nodes.size + 1, ...node });
  }

  has(path: string): boolean {
    return this.nodes.has(path);
  }

  /** The fact of the `file` family for a path. */
  fact(path: string): object {
    const { at, rest, dangling } = this.walk(path);
    const canonical = normal([at, ...rest].join('/'));
    const node = rest.length === 0 ? this.nodes.get(canonical) : undefined;
    if (node) return { exists: true, canonical, owner: 'root', group: 'root', mode: 0o644, nlink: 2, dev: 1, ...node };
    const missing = rest.length;
    if (dangling) return { exists: false, canonical, parent: 'not-directory', missing, behind: dangling };
    if (this.nodes.get(at)?.kind === 'file') return { exists: false, canonical, parent: 'not-directory', missing };
    return { exists: false, canonical, parent: missing > 1 ? 'missing' : 'directory', missing };
  }

  /** As far as the path really goes, links followed but for the last name. */
  private walk(path: string, links = 0): { at: string; rest: string[]; dangling?: { target: string; path: string } } {
    const names = path.split('/').filter(Boolean);
    let at = '/';
    for (const [index, name] of names.entries()) {
      const next = normal(`${at}/${name}`);
      const node = this.nodes.get(next);
      const rest = names.slice(index + 1);
      if (!node) return { at, rest: names.slice(index) };
      if (node.kind === 'link' && rest.length > 0) {
        const target = normal(node.target!.startsWith('/') ? node.target! : `${at}/${node.target}`);
        if (!this.nodes.has(target) || links > 5)
          return { at: next, rest, dangling: { target, path: normal(`${target}/${rest.join('/')}`) } };
        return this.walk(`${target}/${rest.join('/')}`, links + 1);
      }
      if (node.kind === 'file' && rest.length > 0) return { at: next, rest };
      at = next;
    }
    return { at, rest: [] };
  }
}

interface Node {
  kind: 'file' | 'directory' | 'link';
  inode: number;
  target?: string;
}
