import type { RunOptions } from '../core/options.ts';
import type { TargetDefaults } from '../resolve/target-defaults.ts';

/** What the command line says about reaching hosts; weaker than variables and keywords, as in Ansible. */
export function targetFlags(options: RunOptions): Partial<TargetDefaults> {
  const { user, privateKey, connection, timeout, sshCommonArgs, sshExtraArgs, become, becomeMethod, becomeUser } =
    options;
  const given = {
    user,
    privateKeyFile: privateKey,
    connection,
    timeout,
    sshCommonArgs,
    sshExtraArgs,
    become,
    becomeMethod,
    becomeUser,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
