/**
 * The short name a module goes by: `ansible.builtin.copy`, `ansible.legacy.copy` and what the builtin runtime redirects
 * (`ansible.posix.sysctl`, `community.general.modprobe`) are the short name; other collections keep their full name.
 */
export function shortName(written: string): string {
  const match = /^(?:ansible\.builtin|ansible\.legacy|ansible\.posix|community\.general)\.([A-Za-z0-9_]+)$/.exec(
    written,
  );
  return match?.[1] ?? written;
}

/** Modules whose text may be a command line instead of `k=v` pairs, and the options that may stand in it. */
const commandOptions = new Set([
  'creates',
  'removes',
  'chdir',
  'executable',
  'warn',
  'stdin',
  'stdin_add_newline',
  'strip_empty_ends',
]);

const commandLines = new Set(['command', 'shell', 'script', 'raw']);

/** Whether `option=…` in the free text of `module` is an option; `undefined`: the whole text is one value. */
export function freeTextOptions(module: string): ((option: string) => boolean) | undefined {
  if (commandLines.has(module)) return (option) => commandOptions.has(option);
  return wholeText.has(module) ? undefined : () => true;
}

const wholeText = new Set(['include_tasks', 'import_tasks', 'import_playbook', 'include_vars', 'meta', 'include']);

/** Whether text that is no `k=v` pair may stand beside the parameters of `module`. */
export function takesFreeText(module: string): boolean {
  return commandLines.has(module) || wholeText.has(module);
}

/** Modules whose parameter names are the user's own. */
export const openModules: ReadonlySet<string> = new Set(['set_fact', 'add_host', 'set_stats']);
