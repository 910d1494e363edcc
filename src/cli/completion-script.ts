import type { Command, Option } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A completion script made from the declared commands. Files are offered wherever nothing better is known. */
export function completionScript(shell: Shell, program: Command): string {
  return scripts[shell](program.commands.filter((command) => command.name() !== 'help'));
}

const scripts: Record<Shell, (commands: Command[]) => string> = { bash, zsh, fish };

function bash(commands: Command[]): string {
  const cases = commands.map((command) => `    ${command.name()}) words=${quoted(words(command).join(' '))} ;;`);
  const choices = valueCases(commands).map(
    ([flag, values]) => `    ${flag}) COMPREPLY=($(compgen -W ${quoted(values)} -- "$word")); return ;;`,
  );
  return `# kpush completion for bash
_kpush() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map((command) => command.name()).join(' '))} -- "$word"))
    return
  fi
  case $before in
${choices.join('\n')}
  esac
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _kpush kpush
`;
}

function zsh(commands: Command[]): string {
  const names = commands.map((command) => `    ${quoted(`${command.name()}:${command.summary()}`)}`);
  const cases = commands.map((command) => {
    const specs = command.options.flatMap(zshOption).map((spec) => `        ${quoted(spec)}`);
    return `      ${command.name()})\n      _arguments -s \\\n${[...specs, "        '*:file:_files'"].join(' \\\n')} ;;`;
  });
  return `#compdef kpush
_kpush() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _kpush kpush
`;
}

function fish(commands: Command[]): string {
  const names = commands.map(
    (command) => `complete -c kpush -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.summary())}`,
  );
  const options = commands.flatMap((command) =>
    command.options.map((option) => {
      const value = takesValue(option)
        ? option.argChoices
          ? ` -x -a ${quoted(option.argChoices.join(' '))}`
          : ' -r'
        : '';
      const short = option.short ? ` -s ${option.short.slice(1)}` : '';
      const long = option.long ? ` -l ${option.long.slice(2)}` : '';
      return `complete -c kpush -n '__fish_seen_subcommand_from ${command.name()}'${short}${long}${value} -d ${quoted(option.description)}`;
    }),
  );
  return `# kpush completion for fish\n${[...names, ...options].join('\n')}\n`;
}

function words(command: Command): string[] {
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  return [
    ...choices,
    ...command.options.flatMap((option) => [option.short, option.long].filter((flag) => flag !== undefined)),
  ];
}

function valueCases(commands: Command[]): [string, string][] {
  const options = commands.flatMap((command) => command.options).filter((option) => option.argChoices);
  return [...new Map(options.map((option) => [option.long ?? '', option.argChoices?.join(' ') ?? ''] as const))];
}

function zshOption(option: Option): string[] {
  const help = option.description.replace(/[[\]:]/g, ' ');
  const value = option.argChoices ? `:value:(${option.argChoices.join(' ')})` : ':value:_files';
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  return flags.map((flag) => `*${flag}[${help}]${takesValue(option) ? value : ''}`);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
