import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';

export const rebootAction: ActionSpec = {
  name: 'reboot',
  doc: {
    summary: 'Restart the machine and wait until it is back, proved by a new boot id.',
    examples: '- reboot:\n    reboot_timeout: 300\n',
    returns: { rebooted: 'Whether it was restarted.', elapsed: 'Seconds until it was back.' },
  },
  params: {
    reboot_timeout: {
      type: 'int',
      default: 600,
      doc: 'Seconds until the machine must be back, and again for the test command.',
    },
    pre_reboot_delay: { type: 'int', default: 0, doc: 'Seconds to wait before the restart.' },
    post_reboot_delay: { type: 'int', default: 0, doc: 'Seconds to wait after it before looking.' },
    connect_timeout: { type: 'int', doc: 'Seconds for one try to connect.' },
    test_command: { type: 'str', default: 'whoami', doc: 'Must end with 0 before the machine counts as back.' },
    reboot_command: { type: 'str', doc: 'Used instead of `systemctl reboot`.' },
    msg: { type: 'str', default: 'Reboot initiated by kpush', doc: 'Text for users who are logged in.' },
    search_paths: { type: 'list', elements: 'path', doc: 'Accepted for compatibility.' },
    boot_time_command: { type: 'str', doc: 'Accepted for compatibility; the kernel boot id is used.' },
  },
  forgets: true,
  predict: () => result(true, { rebooted: true, elapsed: 0 }),
};
