import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';
import { Unknown } from '../jinja/values.ts';

export const fetchAction: ActionSpec = {
  name: 'fetch',
  doc: {
    summary: 'Copy a file from the host to the controller.',
    examples: '- fetch:\n    src: /etc/kubernetes/admin.conf\n    dest: ./\n    flat: true\n',
    returns: {
      dest: 'Where it was put: an absolute path.',
      checksum: 'SHA-1 of it.',
      md5sum: 'MD5 of it.',
      remote_checksum: 'SHA-1 of the file on the host, when it was fetched.',
      file: 'The file on the host, when nothing was to be fetched.',
    },
  },
  params: {
    src: { type: 'path', required: true, doc: 'File on the host.' },
    dest: {
      type: 'path',
      required: true,
      doc: 'Folder on the controller; the file lands in HOST/PATH below it. A relative one starts from the folder of the playbook.',
    },
    flat: { type: 'bool', default: false, doc: '`dest` is the file itself, or the folder when it ends with a slash.' },
    fail_on_missing: { type: 'bool', default: true, doc: 'Whether a missing file fails the task.' },
    validate_checksum: { type: 'bool', default: true, doc: 'Accepted for compatibility; content is always verified.' },
  },
  predict: (params) => result(new Unknown('the file is read'), { dest: String(params.dest) }),
};
