import type { SshConfigTarget } from './ssh-config/target.ts';

/** What holds where neither variables nor keywords say how to reach a host: flags, ansible.cfg, ssh_config, the user's home. */
export interface TargetDefaults {
  /** `-u` or ansible.cfg's remote_user. */
  user?: string;
  /** Name of the user who runs kpush. */
  systemUser: string;
  home: string;
  /** `--connection` or ansible.cfg's. */
  connection?: string;
  port?: number;
  privateKeyFile?: string;
  /** `--timeout` or ansible.cfg's: seconds to connect. */
  timeout?: number;
  sshCommonArgs?: string;
  sshExtraArgs?: string;
  /** ansible.cfg's host_key_checking. */
  hostKeyChecking: boolean;
  password?: string;
  /** Of private keys, by file. */
  passphrases?: Record<string, string>;
  /** known_hosts of the project, asked after the user's and the system's. */
  projectKnownHosts?: string;
  becomePassword?: string;
  become?: boolean;
  becomeUser?: string;
  becomeMethod?: string;
  becomeFlags?: string;
  becomeExe?: string;
  remoteTmp?: string;
  shell: string;
  /** Socket of ssh-agent. */
  agent?: string;
  /** What ssh_config says for a host; files it names are absolute. */
  sshConfig?(host: string, user: string | undefined, port: number | undefined): SshConfigTarget;
}

export function defaultTargetDefaults(env: NodeJS.ProcessEnv): TargetDefaults {
  return {
    systemUser: env.USER ?? env.LOGNAME ?? 'root',
    home: env.HOME ?? '/root',
    hostKeyChecking: true,
    shell: '/bin/sh',
    ...(env.SSH_AUTH_SOCK ? { agent: env.SSH_AUTH_SOCK } : {}),
  };
}
