import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lab } from '../lab-kit/index.ts';
import { Reader } from '../support/guide.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';

const guide = suite('a walk through the guide', { timeout: 300_000 });
let reader: Reader;

guide('install, and the first ten minutes', async () => {
  const lab = await Lab.up({ hosts: 2 });
  const dir = tempFolder('guide');
  const config = join(dir, 'ansible.cfg');
  const ssh = `[ssh_connection]\nssh_args = -o UserKnownHostsFile=${lab.knownHostsPath}\n`;
  writeFileSync(config, `[defaults]\nprivate_key_file = ${lab.keyPath}\n${ssh}`);
  const adapt = (text: string) => text.replaceAll(/192\.0\.2\.1(\d)/g, (_, nth) => lab.hosts[Number(nth) - 1]!.address);
  reader = new Reader(dir, { ANSIBLE_CONFIG: config }, adapt);
  await reader.read('docs/guide/install.md');
});

guide('writing a module', () => reader.read('docs/guide/writing-a-module.md'));

guide.run();
