import type { Argument, Command, Option } from 'commander';

/** The reference of all commands as Markdown, made from their declarations (docs/cli.md holds it; a test compares). */
export function referenceText(program: Command): string {
  return program.commands.map(commandSection).join('\n');
}

function commandSection(command: Command): string {
  const usage = ['kpush', command.name(), ...command.registeredArguments.map(argumentText), '[options]'].join(' ');
  return `### kpush ${command.name()}

${command.description().replaceAll('\n', ' ')}

\`\`\`
${usage}
\`\`\`

${[...command.registeredArguments.map(argumentRow), ...groups(command)].join('\n')}
`;
}

/** Options under their headings, in the order of the help. */
function groups(command: Command): string[] {
  const names = [...new Set(command.options.map((option) => option.helpGroupHeading ?? 'Options:'))];
  return names.map((name) => {
    const options = command.options.filter(
      (option) => (option.helpGroupHeading ?? 'Options:') === name && !option.hidden,
    );
    return `\n${name.replace(/:$/, '')}\n\n${options.map(optionRow).join('\n')}`;
  });
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function argumentRow(argument: Argument): string {
  const choices = argument.argChoices ? ` (${argument.argChoices.join(', ')})` : '';
  return `- \`${argument.name()}\`: ${argument.description}${choices}`;
}

function optionRow(option: Option): string {
  const choices = option.argChoices ? ` (${option.argChoices.join(', ')})` : '';
  return `- \`${option.flags}\`: ${option.description}${choices}`;
}
