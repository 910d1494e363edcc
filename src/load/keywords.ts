import type { Keywords } from '../core/play.ts';

/** The form a keyword's value has before rendering. A templated text fits all but `mapping`, `vars`, `tasks` and `name`. */
export type Form =
  | 'any'
  | 'text'
  | 'name'
  | 'bool'
  | 'int'
  | 'number'
  | 'percent'
  | 'list'
  | 'conditions'
  | 'mapping'
  | 'vars'
  | 'environment'
  | 'tasks';

/** Keywords that plays, blocks, roles and tasks share, and the property each becomes. */
export const sharedKeywords: Readonly<Record<string, { property: keyof Keywords; form: Form }>> = {
  vars: { property: 'vars', form: 'vars' },
  tags: { property: 'tags', form: 'list' },
  environment: { property: 'environment', form: 'environment' },
  become: { property: 'become', form: 'bool' },
  become_user: { property: 'becomeUser', form: 'text' },
  become_method: { property: 'becomeMethod', form: 'text' },
  become_flags: { property: 'becomeFlags', form: 'text' },
  become_exe: { property: 'becomeExe', form: 'text' },
  connection: { property: 'connection', form: 'text' },
  remote_user: { property: 'remoteUser', form: 'text' },
  port: { property: 'port', form: 'int' },
  no_log: { property: 'noLog', form: 'bool' },
  ignore_errors: { property: 'ignoreErrors', form: 'bool' },
  ignore_unreachable: { property: 'ignoreUnreachable', form: 'bool' },
  any_errors_fatal: { property: 'anyErrorsFatal', form: 'bool' },
  check_mode: { property: 'checkMode', form: 'bool' },
  diff: { property: 'diff', form: 'bool' },
  run_once: { property: 'runOnce', form: 'bool' },
  throttle: { property: 'throttle', form: 'int' },
  timeout: { property: 'timeout', form: 'number' },
  collections: { property: 'collections', form: 'list' },
  module_defaults: { property: 'moduleDefaults', form: 'any' },
};

/** Shared by all but plays. */
export const innerKeywords: typeof sharedKeywords = {
  ...sharedKeywords,
  when: { property: 'when', form: 'conditions' },
  delegate_to: { property: 'delegateTo', form: 'text' },
  delegate_facts: { property: 'delegateFacts', form: 'bool' },
};

export const playKeywords: Readonly<Record<string, Form>> = {
  name: 'any',
  hosts: 'any',
  gather_facts: 'bool',
  gather_subset: 'list',
  gather_timeout: 'int',
  vars_files: 'list',
  vars_prompt: 'list',
  roles: 'list',
  pre_tasks: 'tasks',
  tasks: 'tasks',
  post_tasks: 'tasks',
  handlers: 'tasks',
  serial: 'any',
  max_fail_percentage: 'percent',
  max_failures: 'int',
  strategy: 'text',
  order: 'text',
  force_handlers: 'bool',
  gates: 'list',
  user: 'text',
};

/** What plays may say of these, where it is no template. */
export const playChoices: Readonly<Record<string, readonly string[]>> = {
  strategy: ['linear', 'free'],
  order: ['inventory', 'reverse_inventory', 'sorted', 'reverse_sorted', 'shuffle'],
};

/** Of an entry of `vars_prompt`. */
export const promptKeys = [
  'name',
  'prompt',
  'default',
  'private',
  'confirm',
  'encrypt',
  'salt_size',
  'salt',
  'unsafe',
] as const;

/** Of `import_playbook`. */
export const importKeywords: readonly string[] = ['name', 'when', 'tags', 'vars', 'import_playbook'];

export const loopControls = [
  'loop_var',
  'index_var',
  'label',
  'pause',
  'extended',
  'extended_allitems',
  'break_when',
] as const;

export const blockKeywords: Readonly<Record<string, Form>> = {
  name: 'any',
  block: 'tasks',
  rescue: 'tasks',
  always: 'tasks',
};

export const taskKeywords: Readonly<Record<string, Form>> = {
  name: 'any',
  action: 'any',
  local_action: 'any',
  args: 'any',
  register: 'name',
  loop: 'any',
  loop_control: 'mapping',
  changed_when: 'conditions',
  failed_when: 'conditions',
  until: 'conditions',
  retries: 'int',
  delay: 'number',
  notify: 'list',
  listen: 'list',
  async: 'int',
  poll: 'int',
};

/** Accepted and without effect: they tune Ansible's own machinery. */
export const idleKeywords: ReadonlySet<string> = new Set(['debugger', 'fact_path', 'gather_timeout']);

/** Names after `with_`. */
export const loopNames: ReadonlySet<string> = new Set([
  'items',
  'list',
  'dict',
  'fileglob',
  'first_found',
  'nested',
  'cartesian',
  'subelements',
  'flattened',
  'together',
  'sequence',
  'indexed_items',
  'inventory_hostnames',
  'random_choice',
  'lines',
  'file',
  'filetree',
  'env',
  'vars',
  'varnames',
  'template',
  'ini',
  'csvfile',
  'password',
  'pipe',
  'url',
  'config',
]);
