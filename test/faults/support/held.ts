/**
 * A playbook in which every step waits on the host until it may go on (`/srv/go/STEP` or `/srv/go/all`), and says that
 * it waits (`/srv/held/STEP`): a test cuts it off exactly there.
 */
export const unitName = 'kpush-held.service';
export const unitText = `[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/usr/local/bin/hold start\n`;
export const fresh = 'new content\n'.repeat(2000);

const hold = (step: string) => `/usr/local/bin/hold ${step}`;
/** Checked on the temporary file, before it takes its place: the moment at which a write is half done. */
const validate = (step: string) => `${hold(step)} %s`;

export const playbook = [
  {
    hosts: 'all',
    gather_facts: false,
    tasks: [
      {
        name: 'write',
        copy: { dest: '/srv/kb/a', content: fresh, mode: '0644', validate: validate('write') },
        notify: 'handle',
      },
      { name: 'shell', shell: `${hold('shell')} && touch /srv/kb/shell`, args: { creates: '/srv/kb/shell' } },
      {
        name: 'unit',
        copy: { dest: `/etc/systemd/system/${unitName}`, content: unitText, mode: '0644', validate: validate('unit') },
      },
      { name: 'start', systemd: { name: unitName, state: 'started', daemon_reload: true } },
      { name: 'line', lineinfile: { path: '/srv/kb/c', line: 'added', validate: validate('line') } },
      { name: 'package', apt: { deb: '/srv/held.deb' } },
      { name: 'command', command: hold('command'), args: { creates: '/srv/held/command' } },
    ],
    handlers: [
      { name: 'handle', shell: `${hold('handle')} && touch /srv/kb/handled`, args: { creates: '/srv/kb/handled' } },
    ],
  },
];

/** In the order in which they run. */
export const steps = ['write', 'shell', 'unit', 'start', 'line', 'package', 'command', 'handle'];

export const holdScript = `cat >/usr/local/bin/hold <<'END'
#!/bin/sh
: >"/srv/held/$1"
while [ ! -e "/srv/go/$1" ] && [ ! -e /srv/go/all ]; do sleep 0.05; done
END
chmod 755 /usr/local/bin/hold
mkdir -p /srv/go /srv/held /srv/kb`;

/** A package whose set-up waits: a transaction that must not be cut. */
export const packageScript = `work=$(mktemp -d)
mkdir "$work/DEBIAN"
printf 'Package: kpush-held\\nVersion: 1\\nArchitecture: all\\nMaintainer: test <test@example.com>\\nDescription: waits\\n' >"$work/DEBIAN/control"
printf '#!/bin/sh\\n[ "$1" != configure ] || /usr/local/bin/hold package\\n' >"$work/DEBIAN/postinst"
chmod 755 "$work/DEBIAN" "$work/DEBIAN/postinst"
dpkg-deb -b "$work" /srv/held.deb >/dev/null
rm -rf "$work"`;

/** Ends what the last round left, and makes the host as it was; the arguments are the steps that may go on. */
export const resetScript = `touch /srv/go/all; sleep 0.2
systemctl stop ${unitName} 2>/dev/null; dpkg -P kpush-held >/dev/null 2>&1
rm -rf /srv/kb /srv/go /srv/held /etc/systemd/system/${unitName}; systemctl daemon-reload; systemctl reset-failed
mkdir -p /srv/kb /srv/go /srv/held; printf 'old\\n' >/srv/kb/a; printf 'old\\n' >/srv/kb/c
for step; do : >"/srv/go/$step"; done`;
