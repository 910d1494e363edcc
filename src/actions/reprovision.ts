import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';

export const reprovisionAction: ActionSpec = {
  name: 'reprovision',
  doc: {
    summary: 'Have a machine made anew by a command of yours, and wait until the new one is there.',
    notes: [
      'The command runs on the controller, with KPUSH_NODE (the name in the inventory), KPUSH_ADDRESS and KPUSH_PORT in its environment. It may come back before the machine is there.',
      'The new machine is told from the old one by its boot id. Its SSH host key is expected to be a new one: it takes the place of the old one in known_hosts and is the only one taken from then on. Where the key is known before, name its fingerprint as `host_key`, or let the command print it (a line with SHA256:… in it, as ssh-keygen -l does); then no other one is taken. Without that the first new key after the command is.',
      'A plan shows it and cannot know anything of the new machine.',
    ],
    examples: '- reprovision:\n    cmd: ./reinstall.sh "$KPUSH_NODE"\n    timeout: 1200\n',
    returns: { host_key: 'Fingerprint of the key that the new machine shows.', elapsed: 'Seconds until it was there.' },
  },
  params: {
    cmd: { type: 'str', required: true, doc: 'Text that sh runs on the controller.' },
    host_key: { type: 'str', doc: 'Fingerprint of the key that the new machine will show, as SHA256:….' },
    timeout: { type: 'int', default: 1800, doc: 'Seconds until the new machine must be there.' },
  },
  forgets: true,
  remakes: 'the machine is made anew',
  predict: () => result(true, { host_key: '', elapsed: 0 }),
};
