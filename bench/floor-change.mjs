// The floors of "everything to change": one bare ssh2 connection a host and one exec that makes all of site.yml true,
// with each file on the disk. Usage: node bench/floor-change.mjs KEY HOST:PORT... [--careful]
// Blindly; or carefully: asking before, each file beside its place and put there whole, commands in sessions of their own,
// reading afterwards what was changed. That is what kpush does on a host, without kpush, its watching and its answers.
import { readFileSync } from 'node:fs';
import { bareExec, closed, rootAt } from './bare-exec.mjs';

const words = process.argv.slice(2);
const careful = words.includes('--careful');
const [key, ...hosts] = words.filter((word) => word !== '--careful');
const privateKey = readFileSync(key);
const unit =
  '[Service]\\nType=oneshot\\nRemainAfterExit=yes\\nExecStart=/bin/true\\n[Install]\\nWantedBy=multi-user.target\\n';
const units = 'kb0 kb1 kb2 kb3 kb4';

const blind = `set -e
groupadd -r kube
for n in 0 1 2 3 4 5 6 7 8 9; do
  mkdir -p /etc/kb/d$n
  printf 'version=v1.20.2 n=%s\\n' $n >/etc/kb/d$n/conf
done
for n in 0 1 2 3 4; do
  printf '${unit}' >/etc/systemd/system/kb$n.service
done
printf 'l0=1\\nl1=1\\nl2=1\\nl3=1\\n' >/etc/kb/lines
touch /etc/kb/c0 /etc/kb/c1 /etc/kb/c2 /etc/kb/c3
sync /etc/kb/d?/conf /etc/systemd/system/kb?.service /etc/kb/lines
systemctl -q enable --no-reload ${units}
systemctl daemon-reload
systemctl start ${units}`;

/** Asked before, and read again after: attributes, hashes, units, group. */
const look = `stat /etc/kb /etc/kb/d? /etc/kb/d?/conf /etc/kb/lines /etc/kb/c? /etc/systemd/system/kb?.service
sha256sum /etc/kb/d?/conf /etc/kb/lines /etc/systemd/system/kb?.service
systemctl show ${units}
getent group kube`;

const carefully = `put() (
  umask 077
  set -C
  printf "$2" >"$1.new" || exit
  chmod 0644 "$1.new" && sync "$1.new" && mv -fT "$1.new" "$1"
)
{ ${look}
dpkg-query -W ca-certificates curl iproute2 procps; } >/dev/null 2>&1
set -e
mkdir -m 0755 /etc/kb
for n in 0 1 2 3 4 5 6 7 8 9; do mkdir -m 0755 /etc/kb/d$n; done
for n in 0 1 2 3 4 5 6 7 8 9; do put /etc/kb/d$n/conf "version=v1.20.2 n=$n\\n"; done
for n in 0 1 2 3 4; do put /etc/systemd/system/kb$n.service '${unit}'; done
systemctl -q enable --no-reload ${units}
systemctl daemon-reload
systemctl start ${units}
lines=
for n in 0 1 2 3; do
  lines="\${lines}l$n=1\\n"
  put /etc/kb/lines "$lines"
done
for n in 0 1 2 3; do setsid sh -c "touch /etc/kb/c$n" </dev/null; done
setsid groupadd -r kube
{ ${look}; } >/dev/null`;

await Promise.all(hosts.map(one));

async function one(target) {
  const { client, code } = await bareExec(rootAt(target, privateKey), careful ? carefully : blind);
  if (code !== 0) throw new Error(`${target}: exit ${code}`);
  await closed(client);
}
