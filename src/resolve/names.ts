/** Variables that say how to reach a host: in a delegated task they are the delegate's. */
export const connectionVars: ReadonlySet<string> = new Set([
  'ansible_host',
  'ansible_ssh_host',
  'ansible_port',
  'ansible_ssh_port',
  'ansible_user',
  'ansible_ssh_user',
  'ansible_password',
  'ansible_ssh_pass',
  'ansible_ssh_password',
  'ansible_connection',
  'ansible_private_key_file',
  'ansible_ssh_private_key_file',
  'ansible_ssh_common_args',
  'ansible_ssh_extra_args',
  'ansible_timeout',
  'ansible_ssh_timeout',
  'ansible_remote_tmp',
  'ansible_shell_executable',
  'ansible_become',
  'ansible_become_user',
  'ansible_become_method',
  'ansible_become_password',
  'ansible_become_pass',
  'ansible_become_flags',
  'ansible_become_exe',
  'ansible_python_interpreter',
]);

/** The fact (without prefix) that a variable of this name is injected from; undefined: it can be none. */
export function factName(variable: string): string | undefined {
  if (variable.startsWith('ansible_') && variable !== 'ansible_facts') return variable.slice('ansible_'.length);
  return bareFacts.has(variable) || variable.startsWith('getent_') ? variable : undefined;
}

/** Facts that modules return without the prefix. */
const bareFacts = new Set(['packages', 'services', 'module_setup', 'gather_subset', 'discovered_interpreter_python']);
