// The floor of "everything to change": one bare ssh2 connection a host and one exec that makes all of site.yml true,
// blindly, but with each file on the disk. Usage: node bench/floor-change.mjs KEY HOST:PORT...
import { readFileSync } from 'node:fs';
import { bareExec, closed, rootAt } from './bare-exec.mjs';

const [key, ...hosts] = process.argv.slice(2);
const privateKey = readFileSync(key);
const script = `set -e
groupadd -r kube
for n in 0 1 2 3 4 5 6 7 8 9; do
  mkdir -p /etc/kb/d$n
  printf 'version=v1.20.2 n=%s\\n' $n >/etc/kb/d$n/conf
done
for n in 0 1 2 3 4; do
  printf '[Service]\\nType=oneshot\\nRemainAfterExit=yes\\nExecStart=/bin/true\\n[Install]\\nWantedBy=multi-user.target\\n' >/etc/systemd/system/kb$n.service
done
printf 'l0=1\\nl1=1\\nl2=1\\nl3=1\\n' >/etc/kb/lines
touch /etc/kb/c0 /etc/kb/c1 /etc/kb/c2 /etc/kb/c3
sync /etc/kb/d?/conf /etc/systemd/system/kb?.service /etc/kb/lines
systemctl -q enable --no-reload kb0 kb1 kb2 kb3 kb4
systemctl daemon-reload
systemctl start kb0 kb1 kb2 kb3 kb4`;

await Promise.all(hosts.map(one));

async function one(target) {
  const { client, code } = await bareExec(rootAt(target, privateKey), script);
  if (code !== 0) throw new Error(`${target}: exit ${code}`);
  await closed(client);
}
