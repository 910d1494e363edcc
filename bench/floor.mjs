// The floor of "nothing to change": one bare ssh2 connection a host and one exec that reads the state of site.yml.
// Usage: node bench/floor.mjs KEY HOST:PORT...
import { readFileSync } from 'node:fs';
import { bareExec, closed, rootAt } from './bare-exec.mjs';

const [key, ...hosts] = process.argv.slice(2);
const privateKey = readFileSync(key);
const many = (path, last = '') => Array.from({ length: 10 }, (_, i) => `${path}${i}${last}`).join(' ');
const script = `export LC_ALL=C
cat /etc/os-release; uname -a; id
for p in ${many('/etc/kb/d')} ${many('/etc/kb/d', '/conf')} /etc/systemd/system/kb0.service /etc/systemd/system/kb1.service /etc/systemd/system/kb2.service /etc/systemd/system/kb3.service /etc/systemd/system/kb4.service /etc/kb/lines /etc/kb/c0 /etc/kb/c1 /etc/kb/c2 /etc/kb/c3; do [ -e "$p" ] && set -- "$@" "$p"; done
stat -c '%f|%u|%g|%s|%n' -- "$@"
sha256sum ${many('/etc/kb/d', '/conf')} /etc/systemd/system/kb?.service /etc/kb/lines 2>/dev/null
dpkg-query -W -f '\${db:Status-Abbrev} \${Package} \${Version}\\n' ca-certificates curl iproute2 procps
systemctl show -p LoadState,ActiveState,UnitFileState,FragmentPath,NeedDaemonReload kb0 kb1 kb2 kb3 kb4
getent group kube
cat /etc/kb/lines 2>/dev/null`;

await Promise.all(hosts.map(one));

async function one(target) {
  const { client } = await bareExec(rootAt(target, privateKey), script);
  await closed(client);
}
