// `npm run demo`: three throwaway hosts, a plan with diffs, an apply in two waves with a gate between them, and a second
// apply that changes nothing. Everything it makes is gone afterwards, also when it is interrupted or killed.
import { spawn } from 'node:child_process';
import { Lab } from '../test/lab-kit/index.ts';

const playbook = 'playbooks/prepare.yaml';

say('Three bare Debian machines with systemd and sshd, without Python');
const lab = await Lab.up({ hosts: 3, say: (text) => console.log(`  ${text}`) });
process.on('SIGINT', () => {}); // kpush itself tells what an interrupt does; the lab goes down below
try {
  await kpush('What would change? Nothing is written for this', 'plan', playbook, '--diff');
  await kpush('Change it: the control plane, its gate, then the nodes', 'apply', playbook, '--yes');
  await kpush('Again: nothing to change', 'apply', playbook, '--yes');
  await kpush('And by hand, on all hosts', 'exec', 'all', '--', 'systemctl is-active host-prepared.service');
} finally {
  say('Taking the machines down');
  await lab.down();
}

async function kpush(title: string, verb: string, ...args: string[]) {
  say(`${title}\n  $ kpush ${verb} -i ${lab.inventoryPath} ${args.join(' ')}`);
  const child = spawn('bin/kpush', [verb, '-i', lab.inventoryPath, ...args], { stdio: 'inherit' });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) {
    process.exitCode = 1;
    throw new Error(`kpush ${verb} ended with ${code}`);
  }
}

function say(text: string) {
  console.log(`\n\x1b[1m── ${text}\x1b[0m`);
}
