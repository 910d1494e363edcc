import { defineModule } from './define.ts';
import { withEntry } from './lib/told.ts';
import { planUser, type UserParams, userKeys } from './lib/user-plan.ts';

export const userModule = defineModule({
  name: 'user',
  doc: {
    summary: 'Makes, changes and removes users',
    notes: [
      'Only what is given is changed. `password` is a hash, as in /etc/shadow; the one on the host never leaves it, its digest is compared.',
    ],
    examples: '- user: {name: deploy, groups: [sudo, docker], append: true, shell: /bin/bash}\n',
    returns: {
      name: 'the user',
      uid: 'its number',
      group: "its primary group's number",
      home: 'its home',
      shell: 'its shell',
    },
  },
  params: {
    name: { type: 'str', operand: true, doc: 'The user', required: true, aliases: ['user'] },
    state: { type: 'str', doc: 'Whether it shall be there', choices: ['absent', 'present'], default: 'present' },
    uid: { type: 'int', doc: 'Its number' },
    group: { type: 'str', operand: true, doc: 'Its primary group' },
    groups: { type: 'list', elements: 'str', operand: true, doc: 'Its other groups; an empty list: none' },
    append: { type: 'bool', doc: 'Keep it in the groups it is in', default: false },
    comment: { type: 'str', doc: 'Its description' },
    shell: { type: 'path', doc: 'Its login shell' },
    home: { type: 'path', doc: 'Its home' },
    create_home: { type: 'bool', doc: 'Make the home with the user', default: true, aliases: ['createhome'] },
    move_home: { type: 'bool', doc: 'Move what is in an old home', default: false },
    system: { type: 'bool', doc: 'Take a number from the system range; only for a new one', default: false },
    skeleton: { type: 'path', doc: 'Folder that a new home is copied from' },
    umask: { type: 'str', operand: true, doc: 'umask of a new home' },
    password: { type: 'str', operand: true, doc: 'Hash of its password', secret: true },
    update_password: {
      type: 'str',
      doc: 'When the password is set',
      choices: ['always', 'on_create'],
      default: 'always',
    },
    password_lock: { type: 'bool', doc: 'Whether the password is locked' },
    password_expire_max: { type: 'int', doc: 'Days a password is good for' },
    password_expire_min: { type: 'int', doc: 'Days between changes of the password' },
    expires: { type: 'float', doc: 'When the account ends, in seconds since the epoch; negative: never' },
    non_unique: { type: 'bool', doc: 'Allow a number that is in use', default: false },
    force: { type: 'bool', doc: 'Remove it although it is logged in', default: false },
    remove: { type: 'bool', doc: 'Remove its home and mail too', default: false },
    local: { type: 'bool', doc: 'Accepted; shadow tools look at local files', default: false },
  },
  rules: { requiredIf: [{ param: 'non_unique', value: true, needs: ['uid'] }] },
  facts: (params) => userKeys(params as UserParams),
  plan: (params, world, ctx) => planUser(params as UserParams, world, ctx),
  complete: (_params, predicted, outcomes) =>
    withEntry(predicted, outcomes, ([, , uid, gid, comment = '', home = '', shell = '']) => ({
      uid: Number(uid),
      group: Number(gid),
      comment,
      home,
      shell,
    })),
});
