/** A task on a folder `DIR` of this machine, `DIR/site` being the controller's files. */
export interface Scenario {
  name: string;
  module: string;
  params: Record<string, unknown>;
  /** Shell text run in DIR before. */
  before?: string;
  /** Needs to be root. */
  root?: boolean;
  /** Titles of steps that planning again shows, `DIR` left in: none, where all of it lasts. */
  again?: string[];
  /** What a host of nothing but busybox says of it. */
  refusal?: RegExp;
  /** Why Ansible does it differently: it is not compared. */
  differs?: string;
}

const odd = 'o \'d" $x';

export const scenarios: Scenario[] = [
  { name: 'copy a new text', module: 'copy', params: { content: 'a\n', dest: 'DIR/x', mode: '0640' } },
  { name: 'copy without a mode', module: 'copy', params: { content: 'a\n', dest: 'DIR/x' } },
  { name: 'copy to an odd name', module: 'copy', params: { content: "it's\n", dest: `DIR/${odd}` } },
  {
    name: 'copy over what is there',
    module: 'copy',
    params: { content: 'b\n', dest: 'DIR/x', backup: true },
    before: 'echo a >x; chmod 751 x',
  },
  {
    name: 'copy keeps a foreign owner',
    differs: 'it lets chown drop the setuid bit',
    module: 'copy',
    params: { content: 'b\n', dest: 'DIR/x' },
    before: 'echo a >x; chmod 4711 x; chown 33:12 x; chmod 4711 x',
    root: true,
  },
  {
    name: 'copy gives owner and group',
    module: 'copy',
    params: { content: 'b\n', dest: 'DIR/x', owner: 'daemon', group: 'games', mode: '0600' },
    root: true,
  },
  {
    name: 'copy sets attributes alone',
    module: 'copy',
    params: { content: 'b\n', dest: 'DIR/x', owner: 'daemon', mode: 'u=rwx,g=rx,o=' },
    before: 'echo b >x',
    root: true,
  },
  {
    name: 'copy replaces a link',
    module: 'copy',
    params: { content: 'b\n', dest: 'DIR/l' },
    before: 'echo a >x; ln -s x l',
  },
  {
    name: 'copy follows a link',
    module: 'copy',
    params: { content: 'b\n', dest: 'DIR/l', follow: true },
    before: 'echo a >x; ln -s x l',
  },
  {
    name: 'copy into a setgid directory',
    differs: 'its new file comes from elsewhere and misses the group of the directory',
    module: 'copy',
    params: { content: 'b\n', dest: 'DIR/g/x' },
    before: 'mkdir g; chgrp 12 g; chmod 2775 g',
    root: true,
  },
  { name: 'copy with validate', module: 'copy', params: { content: 'b\n', dest: 'DIR/x', validate: 'grep -q b %s' } },
  {
    name: 'copy a tree',
    module: 'copy',
    params: { src: 'tree', dest: 'DIR/to', directory_mode: '0750' },
    before: 'mkdir -p site/tree/sub/deep to; echo 1 >site/tree/a; echo 2 >site/tree/sub/deep/b',
  },
  {
    name: 'copy the content of a tree below what is missing',
    module: 'copy',
    params: { src: 'tree/', dest: 'DIR/p/q' },
    before: 'mkdir -p site/tree/sub; echo 1 >site/tree/a; echo 2 >site/tree/sub/b',
  },
  {
    name: 'copy bytes',
    module: 'copy',
    params: { src: 'bin', dest: 'DIR/to/', mode: 'preserve' },
    before: "printf '\\000\\377\\001' >site/bin; chmod 755 site/bin",
  },
  {
    name: 'copy a long text',
    module: 'copy',
    params: { src: 'long', dest: 'DIR/long' },
    before: 'seq 1 60000 >site/long',
  },
  {
    name: 'copy on the host',
    module: 'copy',
    params: { src: 'DIR/x', dest: 'DIR/y', remote_src: true, mode: '0600' },
    before: 'echo a >x',
  },
  {
    name: 'copy bytes on the host',
    module: 'copy',
    params: { src: 'DIR/x', dest: 'DIR/y', remote_src: true, mode: 'preserve' },
    before: "printf '\\000\\377' >x; chmod 700 x",
  },
  {
    name: 'copy a tree on the host',
    module: 'copy',
    params: { src: 'DIR/from', dest: 'DIR/to', remote_src: true },
    before: 'mkdir -p from/sub; echo 1 >from/a; echo 2 >from/sub/b; ln -s a from/l; ln -s sub from/ld; mkdir to',
  },
  {
    name: 'a template',
    module: 'template',
    params: { src: 't.j2', dest: 'DIR/t', mode: '0444' },
    before: 'echo a >site/t.j2',
  },
  {
    name: 'a long template',
    module: 'template',
    params: { src: 't.j2', dest: 'DIR/t' },
    before: 'seq 1 60000 >site/t.j2',
  },
  { name: 'a directory', module: 'file', params: { path: 'DIR/a/b/c', state: 'directory' } },
  {
    name: 'a directory with attributes',
    module: 'file',
    params: { path: `DIR/a/${odd}`, state: 'directory', mode: '0701', owner: 'daemon', group: '12' },
    root: true,
  },
  {
    name: 'a directory below a setgid one',
    module: 'file',
    params: { path: 'DIR/g/a/b', state: 'directory' },
    before: 'mkdir g; chgrp 12 g; chmod 2775 g',
    root: true,
  },
  {
    name: 'a plain directory below a setgid one',
    module: 'file',
    params: { path: 'DIR/g/a/b', state: 'directory', mode: '0755' },
    before: 'mkdir g; chgrp 12 g; chmod 2775 g',
    root: true,
  },
  {
    name: 'a directory loses its setgid bit',
    module: 'file',
    params: { path: 'DIR/g', state: 'directory', mode: '0755' },
    before: 'mkdir g; chmod 2775 g',
  },
  { name: 'a sticky directory', module: 'file', params: { path: 'DIR/g', state: 'directory', mode: '1777' } },
  {
    name: 'a directory behind a link',
    module: 'file',
    params: { path: 'DIR/l', state: 'directory', mode: '0700' },
    before: 'mkdir d; ln -s d l',
  },
  {
    name: 'recurse with a mode',
    module: 'file',
    params: { path: 'DIR/d', state: 'directory', recurse: true, mode: '0750' },
    before: `mkdir -p d/e/f; echo 1 >d/x; echo 2 >"d/e/${odd.replace(/["$]/g, '\\$&')}"; ln -s /etc/passwd d/l; chmod 750 d/e`,
  },
  {
    name: 'recurse with a symbolic mode',
    module: 'file',
    params: { path: 'DIR/d', state: 'directory', recurse: true, mode: 'u=rwX,g=rX,o=' },
    before: 'mkdir -p d/e; echo 1 >d/x; echo 2 >d/e/y; chmod 755 d/e/y; chmod 4640 d/x',
  },
  {
    name: 'recurse with a mode that copies bits',
    module: 'file',
    params: { path: 'DIR/d', state: 'directory', recurse: true, mode: 'g=u,o-w' },
    before: 'mkdir -p d/e; echo 1 >d/x; chmod 602 d/x',
  },
  {
    name: 'recurse with an owner',
    module: 'file',
    params: { path: 'DIR/d', state: 'directory', recurse: true, owner: 'daemon', group: 'games' },
    before: 'mkdir -p d/e; echo 1 >d/x; ln -s x d/l; chown -h 1:12 d/e',
    root: true,
  },
  {
    name: 'recurse removes all rights from below',
    module: 'file',
    params: { path: 'DIR/d', state: 'directory', recurse: true, mode: 'a-x,u+X' },
    before: 'mkdir -p d/e; echo 1 >d/x; echo 1 >d/e/x',
    root: true,
  },
  {
    name: 'remove a file',
    module: 'file',
    params: { path: `DIR/${odd}`, state: 'absent' },
    before: `echo 1 >"${odd.replace(/["$]/g, '\\$&')}"`,
  },
  {
    name: 'remove a tree',
    module: 'file',
    params: { path: 'DIR/d', state: 'absent' },
    before: 'mkdir -p d/e; echo 1 >d/e/x; ln -s e d/l',
  },
  { name: 'remove a link', module: 'file', params: { path: 'DIR/l', state: 'absent' }, before: 'mkdir d; ln -s d l' },
  { name: 'a link', module: 'file', params: { path: 'DIR/l', src: 'DIR/x', state: 'link' }, before: 'echo 1 >x' },
  { name: 'a link to nothing', module: 'file', params: { path: 'DIR/l', src: odd, state: 'link', force: true } },
  {
    name: 'a link to a directory leads elsewhere',
    module: 'file',
    params: { path: 'DIR/l', src: 'b', state: 'link' },
    before: 'mkdir a b; ln -s a l',
  },
  {
    name: 'a link instead of a file',
    module: 'file',
    params: { path: 'DIR/l', src: 'b', state: 'link', force: true },
    before: 'mkdir b; echo 1 >l',
  },
  {
    name: 'a link instead of a directory',
    module: 'file',
    params: { path: 'DIR/l', src: 'b', state: 'link', force: true },
    before: 'mkdir b l',
  },
  {
    name: 'a link with an owner of its own',
    module: 'file',
    params: { path: 'DIR/l', src: 'b', state: 'link', owner: 'daemon', follow: false },
    before: 'mkdir b; ln -s b l',
    root: true,
  },
  {
    name: 'a hard link',
    module: 'file',
    params: { path: 'DIR/h', src: 'DIR/x', state: 'hard' },
    before: 'echo 1 >x; chmod 640 x',
  },
  {
    name: 'a hard link instead of a file',
    module: 'file',
    params: { path: 'DIR/h', src: 'DIR/x', state: 'hard', force: true, mode: '0600' },
    before: 'echo 1 >x; echo 2 >h',
  },
  { name: 'touch', module: 'file', params: { path: 'DIR/t', state: 'touch', mode: '0600' } },
  {
    name: 'touch with both times',
    module: 'file',
    params: {
      path: 'DIR/t',
      state: 'touch',
      modification_time: '202001020304.05',
      access_time: '201901020304.05',
    },
    before: 'echo 1 >t',
  },
  {
    name: 'touch what is there',
    module: 'file',
    params: { path: 'DIR/t', state: 'touch', modification_time: '202001020304.05' },
    before: 'echo 1 >t',
  },
  {
    name: 'owner of a setuid file',
    differs: 'it lets chown drop the bit, though nobody asked for another mode',
    module: 'file',
    params: { path: 'DIR/x', owner: 'daemon' },
    before: 'echo 1 >x; chmod 4755 x',
    root: true,
  },
  { name: 'a line', module: 'lineinfile', params: { path: 'DIR/x', line: 'b', backup: true }, before: 'echo a >x' },
  {
    name: 'a line in a new file in a new directory',
    module: 'lineinfile',
    params: { path: 'DIR/p/q/x', line: 'b', create: true },
  },
  {
    name: 'a line behind a link',
    module: 'lineinfile',
    params: { path: 'DIR/l', line: 'b' },
    before: 'echo a >x; ln -s x l',
  },
  {
    name: 'a block',
    module: 'blockinfile',
    params: { path: 'DIR/x', block: 'b\nc', mode: '0600' },
    before: 'printf a >x',
  },
  {
    name: 'replacements',
    module: 'replace',
    params: { path: 'DIR/x', regexp: 'a', replace: 'b' },
    before: 'echo aa >x',
  },
  { name: 'an option', module: 'ini_file', params: { path: 'DIR/x.ini', section: 's', option: 'o', value: 'v' } },
  { name: 'a temporary file', module: 'tempfile', params: { path: 'DIR', suffix: '.x' } },
  { name: 'a temporary directory', module: 'tempfile', params: { path: 'DIR', state: 'directory' } },
  {
    name: 'a temporary directory in a setgid one',
    module: 'tempfile',
    params: { path: 'DIR/g', state: 'directory' },
    before: 'mkdir g; chgrp 12 g; chmod 2775 g',
    root: true,
  },
  {
    name: 'unpack a tar.gz',
    module: 'unarchive',
    params: { src: 'a.tgz', dest: 'DIR/to', list_files: true },
    before: 'mkdir -p to a/sub; echo 1 >a/x; echo 2 >a/sub/y; ln -s x a/l; chmod 750 a/x; tar czf site/a.tgz -C a .',
    root: true,
  },
  {
    name: 'unpack a tar over what is there, with attributes',
    module: 'unarchive',
    params: { src: 'a.tar', dest: 'DIR/to', owner: 'daemon', group: 'games', mode: 'u=rwX,go=rX' },
    before:
      'mkdir -p to/sub a/sub; echo 9 >to/x; echo 1 >a/x; echo 2 >a/sub/y; ln -s x a/l; tar cf site/a.tar -C a x sub l',
    root: true,
  },
  {
    name: 'unpack a tar without its first directory',
    module: 'unarchive',
    params: { src: 'a.tgz', dest: 'DIR/to', extra_opts: ['--strip-components=1'] },
    before: 'mkdir -p to top/bin; echo 1 >top/bin/x; echo 2 >top/README.md; tar czf site/a.tgz top',
    root: true,
  },
  {
    name: 'unpack a part of a tar',
    module: 'unarchive',
    params: { src: 'a.tgz', dest: 'DIR/to', exclude: ['*.md'] },
    before: 'mkdir -p to top/bin; echo 1 >top/bin/x; echo 2 >top/README.md; tar czf site/a.tgz top',
    root: true,
    refusal: /unrecognized option '--exclude/,
  },
  {
    name: 'unpacked attributes alone',
    module: 'unarchive',
    params: { src: 'a.tgz', dest: 'DIR/to', mode: '0755' },
    before: 'mkdir -p to a; echo 1 >a/x; tar czf site/a.tgz -C a x; tar xzf site/a.tgz -C to',
  },
  {
    name: 'unpack names that look like options, with attributes',
    module: 'unarchive',
    params: { src: 'a.tar', dest: 'DIR/to', owner: 'daemon', group: 'games', mode: '0640' },
    before: 'mkdir to a; for n in -R --reference=x; do echo 1 >a/$n; done; tar cf site/a.tar -C a -- -R --reference=x',
    root: true,
  },
  {
    name: 'unpack on the host an archive named like an option',
    module: 'unarchive',
    params: { src: 'DIR/--to-command=x', dest: 'DIR/to', remote_src: true, mode: '0640' },
    before: 'mkdir to a; echo 1 >a/-x; tar cf ./--to-command=x -C a -- -x',
    root: true,
  },
  {
    name: 'recurse over names that look like options',
    module: 'file',
    params: { path: 'DIR/-d', state: 'directory', recurse: true, owner: 'daemon', mode: 'u=rwX,g=rX,o=' },
    before: 'mkdir -p ./-d/-delete; echo 1 >./-d/-R; echo 2 >./-d/-delete/--reference=x',
    root: true,
  },
  {
    name: 'unpack a zip',
    module: 'unarchive',
    params: { src: 'a.zip', dest: 'DIR/to' },
    before: 'mkdir -p to a/sub; echo 1 >a/x; chmod 755 a/x; echo 2 >a/sub/y; cd a; zip -qr ../site/a.zip .',
    root: true,
  },
  {
    name: 'unpack on the host',
    module: 'unarchive',
    params: { src: 'DIR/a.tgz', dest: 'DIR/to', remote_src: true, owner: 'daemon', mode: 'u=rwX,go=rX' },
    before: 'mkdir -p to a/sub; echo 1 >a/x; echo 2 >a/sub/y; tar czf a.tgz -C a .',
    root: true,
  },
  {
    name: 'unpack a zip on the host',
    module: 'unarchive',
    params: { src: 'DIR/a.zip', dest: 'DIR/to', remote_src: true },
    before: 'mkdir -p to a/sub; echo 1 >a/x; echo 2 >a/sub/y; cd a; zip -qr ../a.zip .',
  },
];
