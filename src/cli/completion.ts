import { suggestion } from '../text/nearest.js'
import { COMMANDS, type Verb } from './commands.js'
import { type Args, flagsOf } from './flags.js'
import { type ExitCode, type Io, UsageError, writeLine, writeStyled } from './io.js'

/** Prints the completion script for a shell. */
export const completion = (
  _: Args<'completion'>,
  [shell = '', ...others]: readonly string[],
  io: Io,
): ExitCode => {
  const shells = Object.keys(SCRIPTS)
  if (!Object.hasOwn(SCRIPTS, shell) || others.length > 0)
    throw new UsageError(
      shell === ''
        ? `name your shell: ${shells.join(', ')}`
        : others.length > 0
          ? `name one shell: ${shells.join(', ')}`
          : `there is no completion for ${shell}${suggestion(shell, shells)}`,
    )
  writeStyled(io.stdout, SCRIPTS[shell as keyof typeof SCRIPTS])
  return 0
}

/**
 * `twinspec complete -- WORDS`, which the scripts run: prints the candidates for the last word, one per line, with a tab before
 * the description. If nothing is printed, the shell completes file names.
 */
export const complete = async (words: readonly string[], io: Io): Promise<ExitCode> => {
  const [current = ''] = words.slice(-1)
  for (const [value, text] of await candidates(words)) {
    if (value.startsWith(current)) writeLine(io.stdout, `${value}\u0009${text}`)
  }
  return 0
}

type Candidates = readonly (readonly [value: string, text: string])[]

const candidates = async (words: readonly string[]): Promise<Candidates> => {
  const verbs = Object.entries(COMMANDS).map(([name, { text }]) => [name, text] as const)
  const [verb = '', ...rest] = words
  if (rest.length === 0) return [...verbs, ['help', 'Help of a command']]
  if (verb === 'help') return verbs
  if (!Object.hasOwn(COMMANDS, verb)) return []
  const flags = flagsOf(verb as Verb)
  const [before = '', current = ''] = rest.length > 1 ? rest.slice(-2) : ['', ...rest]
  const flag = before.startsWith('--')
    ? flags[before.slice(2)]
    : Object.values(flags).find(({ short }) => short !== undefined && before === `-${short}`)
  if (flag?.choices) return flag.choices.map((choice) => [choice, flag.text])
  if (flag?.hint !== undefined) return []
  if (current.startsWith('-'))
    return Object.entries(flags).map(([name, { text }]) => [`--${name}`, text])
  if (verb === 'completion') return Object.keys(SCRIPTS).map((shell) => [shell, ''])
  if (verb !== 'explain') return []
  const { RULES } = await import('./rules.js')
  return RULES.map(({ id, what }) => [id, what])
}

/** None of these scripts evaluates the words of the command line. */
const SCRIPTS = {
  bash: `_twinspec() {
  local IFS=$'\\n' found
  found=$(twinspec complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _twinspec twinspec`,
  zsh: `#compdef twinspec
_twinspec() {
  local -a found
  found=("\${(@f)$(twinspec complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')}")
  if [[ -n "$found" ]]; then
    _describe twinspec found
  else
    _files
  fi
}
compdef _twinspec twinspec`,
  fish: `complete -c twinspec -a '(twinspec complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
} as const
