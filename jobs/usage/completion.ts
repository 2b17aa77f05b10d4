/** Completion of command lines in bash, zsh and fish: scripts made of the commands and their options, so that no program runs at a key press. */
import type { Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { metrics } from '../../pipeline/game/value.js';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

const TEXT = `"mergemate help completion SHELL" prints a script for bash, zsh or fish, with which the Tab key completes commands, options and their
values. To have it in every new shell:

  bash   mergemate help completion bash > ~/.local/share/bash-completion/completions/mergemate
  zsh    echo 'source <(mergemate help completion zsh)' >> ~/.zshrc
  fish   mergemate help completion fish > ~/.config/fish/completions/mergemate.fish
`;

/**
 * @param shell undefined, or a flag: how to install the scripts. @param root with all commands. @param topics of "mergemate help".
 * @throws UserError if there is no script for the shell.
 */
export function completion(shell: string | undefined, root: Command, topics: readonly string[]): string {
  if (shell === undefined || shell.startsWith('-')) return TEXT;
  if (!Object.hasOwn(SHELLS, shell))
    throw new UserError(`help completion ${shell}: scripts are made for ${shells.join(', ')}`);
  return SHELLS[shell as keyof typeof SHELLS](root, topics);
}

const shells: readonly string[] = Object.keys(SHELLS);

/** The values of an option where they are known: its choices, or the metrics. */
const valuesOf = ({ argChoices, long }: Option): readonly string[] =>
  argChoices ?? (long === '--metric' ? metrics : []);

const takesValue = ({ required, optional }: Option): boolean => required || optional;

function bashScript(root: Command, topics: readonly string[]): string {
  const commands = [...root.commands.map((command) => command.name()), 'help'].sort();
  const options = root.commands.map(
    (command) =>
      `    ${command.name()}) words="${command.options.flatMap(({ short, long }) => [short, long].filter(Boolean)).join(' ')} --help" ;;\n`,
  );
  const values = root.commands.flatMap((command) =>
    command.options.filter(takesValue).map((option) => {
      const after = [option.short, option.long].filter(Boolean).map((flag) => `"${command.name()} ${flag}"`);
      return `    ${after.join('|')}) words="${valuesOf(option).join(' ')}"; value=1 ;;\n`;
    }),
  );
  return `_mergemate() {
  local current=\${COMP_WORDS[COMP_CWORD]} words="" value=""
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
    "help help") words="${[...commands, ...topics].join(' ')}"; value=1 ;;
    "help completion") words="${shells.join(' ')}"; value=1 ;;
${values.join('')}  esac
  # An option without known values takes a file, or anything else.
  if [[ -n $value ]]; then
    [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${options.join('')}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ $COMP_CWORD -eq 2 ]]; then
    COMPREPLY=($(compgen -W "chess checkers" -- "$current") $(compgen -f -- "$current"))
  fi
}
complete -o default -F _mergemate mergemate
`;
}

function zshScript(root: Command, topics: readonly string[]): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(root, topics)}`;
}

const quoted = (text: string) => `'${text.replace(/\s+/g, ' ').replace(/[\\']/g, '\\$&')}'`;

function fishScript(root: Command, topics: readonly string[]): string {
  const lines = [`complete -c mergemate -n __fish_use_subcommand -fa help -d ${quoted('help of a command')}`];
  for (const command of root.commands) {
    const name = command.name();
    lines.push(
      `complete -c mergemate -n __fish_use_subcommand -fa ${name}${command.summary() === '' ? '' : ` -d ${quoted(command.summary())}`}`,
    );
    for (const option of command.options) {
      const flag = [option.short, option.long].map((each) =>
        each === undefined ? '' : each.startsWith('--') ? ` -l ${each.slice(2)}` : ` -s ${each.slice(1)}`,
      );
      const values = valuesOf(option);
      const takes = !takesValue(option)
        ? ''
        : values.length === 0
          ? ' -r'
          : ` -xa ${quoted(values.join(' '))}`;
      lines.push(
        `complete -c mergemate -n '__fish_seen_subcommand_from ${name}'${flag.join('')}${takes} -d ${quoted(option.description)}`,
      );
    }
  }
  const names = root.commands.map((command) => command.name());
  lines.push(
    `complete -c mergemate -n '__fish_seen_subcommand_from help' -fa ${quoted([...names, ...topics].join(' '))}`,
  );
  return `${lines.join('\n')}\n`;
}
