import { Argument, Command, Option } from 'commander';
import { inputError } from '../../core/errors.ts';
import type { Io } from '../io.ts';
import { styleFor } from '../look.ts';
import { addOptions } from '../option-groups.ts';
import type { Output } from '../output.ts';
import { examples } from './run-commands.ts';

interface Given {
  inventory?: string[];
  extraVars?: string[];
  playbook?: string;
}

export function inventoryCommand(io: Io, output: Output): Command {
  const command = new Command('inventory')
    .summary('show groups, hosts and their variables')
    .description('Shows the inventory as read: as JSON with all variables, or as a tree. Connects nowhere.')
    .option('--list', "ansible-inventory's JSON (default)")
    .option('--graph', 'a tree of groups and hosts')
    .option('--playbook <file>', 'a playbook whose group_vars and host_vars count, too')
    .addHelpText(
      'after',
      examples('inventory -i inventory.yaml --graph', 'inventory -i inventory.yaml --list | jq ._meta.hostvars.h1'),
    )
    .action(async (given: Given & { graph?: boolean }) => {
      const [{ inventory, scopes, point }, text] = await Promise.all([
        offline(given, io),
        import('../inventory-text.ts'),
      ]);
      if (given.graph) return output.out(text.inventoryGraph(inventory));
      const { toPlain } = await import('../../jinja/index.ts');
      const { inventoryVars } = await import('../host-vars.ts');
      output.out(text.inventoryList(inventory, (host) => inventoryVars(scopes, point(host), toPlain)));
    });
  return addOptions(command, 'inventory', 'vars');
}

export function explainCommand(io: Io, output: Output): Command {
  const command = new Command('explain')
    .summary('say where a variable of a host comes from')
    .description('Shows a variable of a host: its value, the file and line that set it, and what that overrode.')
    .argument('<host>', 'the host')
    .argument('[variable]', 'the variable; without it, all that files set, and how the host is reached')
    .option('--playbook <file>', 'a playbook whose group_vars and host_vars count, too')
    .addHelpText('after', examples('explain -i inventory.yaml h1 ansible_user', 'explain -i inventory.yaml h1'))
    .action(async (host: string, variable: string | undefined, given: Given) => {
      const [{ scopes, point, reach }, text, how] = await Promise.all([
        offline(given, io),
        import('../inventory-text.ts'),
        import('../../resolve/explain.ts'),
      ]);
      const style = styleFor(io, io.stdout, {});
      const here = point(host);
      const names = how.variableNames(here, scopes);
      if (variable === undefined) {
        const written = names.map((name) => how.explain(name, here, scopes)[0]).filter((one) => one?.origin);
        const reached = text.reachText(() => reach(host), style);
        return output.out(written.map((one) => text.variableLine(one, style)).join('') + reached);
      }
      const found = how.explain(variable, here, scopes);
      if (found.length === 0) throw await unknownVariable(variable, host, names);
      output.out(text.explanation(found, style));
    });
  return addOptions(command, 'inventory', 'vars');
}

export function lintCommand(io: Io, output: Output): Command {
  return new Command('lint')
    .summary('check playbooks and inventories')
    .description('Checks playbooks and inventories, and all they take in, without connecting anywhere.')
    .argument('[path...]', 'files, or folders to search', ['.'])
    .option('--strict', 'warnings about the input are errors')
    .addHelpText('after', examples('lint', 'lint site.yml inventory.yaml --strict'))
    .action(async (paths: string[], given: { strict?: boolean }) => {
      const { lint } = await import('../lint.ts');
      const { errorText } = await import('../errors.ts');
      const { count } = await import('../../report/wording.ts');
      const style = styleFor(io, io.stderr, {});
      const { files, errors, warnings } = lint(paths, io.cwd);
      for (const error of errors) output.err(`${style.red('error:')} ${errorText(error, io.cwd)}\n`);
      for (const warning of warnings) output.err(`${style.yellow('warning:')} ${errorText(warning, io.cwd)}\n`);
      output.out(`${count(files, 'file')}, ${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}\n`);
      if (errors.length > 0 || (given.strict && warnings.length > 0)) output.fail(1);
    });
}

export function coverageCommand(io: Io, output: Output): Command {
  return new Command('coverage')
    .summary('say which tasks of a tree kpush can run')
    .description(
      'Reads every role, playbook and file of tasks below a folder, says which tasks kpush can run, and what it lacks for the rest. Connects nowhere.',
    )
    .argument('[folder]', 'the folder', '.')
    .option('--all', 'every place, not the first five')
    .addOption(new Option('--output <format>', 'pretty, plain or json').choices(['pretty', 'plain', 'json']))
    .addHelpText('after', examples('coverage kubeasz', 'coverage --output json . | jq .tasks.percent'))
    .action(async (folder: string, given: { output?: string; all?: boolean }) => {
      const [{ coverage }, { coverageText }] = await Promise.all([
        import('../coverage/coverage.ts'),
        import('../coverage/text.ts'),
      ]);
      const found = coverage(folder, io.cwd);
      if (given.output === 'json') return output.out(`${JSON.stringify(found, null, 2)}\n`);
      output.out(coverageText(found, styleFor(io, io.stdout, {}), given.all ?? false));
    });
}

export function docCommand(io: Io, output: Output): Command {
  return new Command('doc')
    .summary('explain a module, gate or keyword')
    .description('Explains a module, action, gate or keyword; without a name it lists all of them.')
    .argument('[name]', 'what to explain')
    .addHelpText('after', examples('doc', 'doc systemd_unit', 'doc serial'))
    .action(async (name: string | undefined) => {
      const [{ docEntries, findDoc }, { docList, docText }] = await Promise.all([
        import('../doc-entries.ts'),
        import('../doc-text.ts'),
      ]);
      const style = styleFor(io, io.stdout, {});
      if (name === undefined) return output.out(docList(docEntries(), style));
      output.out(
        findDoc(name)
          .map((entry) => docText(entry, style))
          .join('\n'),
      );
    });
}

export function schemaCommand(output: Output): Command {
  return new Command('schema')
    .summary('print the JSON Schema for your editor')
    .description('Prints the JSON Schema of playbooks or inventories, for yaml-language-server.')
    .addArgument(new Argument('[kind]', 'of what').choices(['playbook', 'inventory']).default('playbook'))
    .addHelpText('after', examples('schema > playbook.schema.json', 'schema inventory > inventory.schema.json'))
    .action(async (kind: 'playbook' | 'inventory') => {
      const { schemaText } = await import('../schema.ts');
      output.out(schemaText(kind));
    });
}

export function initCommand(io: Io, output: Output): Command {
  return new Command('init')
    .summary('write a commented start')
    .description('Writes an inventory, a playbook and the editor schemas to begin with. Never overwrites a file.')
    .argument('[dir]', 'where to', '.')
    .addHelpText('after', examples('init', 'init my-cluster'))
    .action(async (dir: string) => {
      const { init } = await import('../init.ts');
      output.out(
        init(dir, io.cwd)
          .map((file) => `${file}\n`)
          .join(''),
      );
    });
}

async function offline(given: Given, io: Io) {
  const { readOffline } = await import('../offline.ts');
  return readOffline({
    inventories: given.inventory ?? [],
    extraVars: given.extraVars ?? [],
    playbook: given.playbook,
    cwd: io.cwd,
  });
}

async function unknownVariable(name: string, host: string, names: string[]) {
  const { nearest } = await import('../../core/nearest.ts');
  return inputError(`${host} has no variable ${name}`, { nearest: nearest(name, names) });
}
