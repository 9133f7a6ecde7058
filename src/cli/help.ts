import { styler, type TextStyle } from '../report/style.js'
import type { Command } from './command.js'
import { COMMANDS, type Verb } from './commands.js'
import { type Flag, flagsOf } from './flags.js'
import { isColoured, type Sink } from './io.js'
import { version } from './version.js'

/** The help of a command, or of the whole command line. */
export const help = (verb: Verb | undefined, sink: Sink): string => {
  const style = styler(isColoured(sink))
  const name = verb === undefined ? 'twinspec' : `twinspec ${verb}`
  const { text, words = [], examples }: Command = verb === undefined ? TOP : COMMANDS[verb]
  const usage =
    verb === undefined
      ? Object.keys(COMMANDS).join('|')
      : ['[OPTIONS]', ...words.map(([word]) => `[${word.toUpperCase()}]`)].join(' ')
  const commands = verb === undefined ? Object.entries(COMMANDS) : []
  const sections: readonly (readonly [string, Rows])[] = [
    ['ARGUMENTS', words.map(([word, about]) => [word.toUpperCase(), about])],
    ['OPTIONS', Object.entries(verb ? flagsOf(verb) : {}).map((row) => flagRow(row, style))],
    ['COMMANDS', commands.map(([command, row]) => [command, row.text])],
  ]
  return [
    style('gray', `${text} (${name} v${version})`),
    '',
    `${style(TITLE, 'USAGE')} ${style('cyan', `${name} ${usage}`)}`,
    ...sections.flatMap(([title, rows]) =>
      rows.length === 0 ? [] : ['', style(TITLE, title), '', ...columns(rows, style)],
    ),
    ...(verb === undefined
      ? [
          '',
          `Use ${style('cyan', 'twinspec <command> --help')} for more information about a command.`,
        ]
      : []),
    ...['', style(TITLE, 'EXAMPLES'), '', ...examples.map((example) => `  ${example}`)],
  ].join('\n')
}

const TITLE: Parameters<TextStyle>[0] = ['underline', 'bold']

const TOP: Command = {
  text: 'Clients, servers, mocks, checks and a reference from OpenAPI and OpenRPC documents',
  flags: {},
  examples: ['twinspec init', 'twinspec generate', 'twinspec mock', 'twinspec lint'],
}

type Rows = readonly (readonly [string, string])[]

const flagRow = (
  [name, { short, hint, default: usual, text }]: readonly [string, Flag],
  style: TextStyle,
): Rows[number] => {
  const about = usual === undefined ? text : `${text} ${style('gray', `(Default: ${usual})`)}`
  const flag = short === undefined ? `--${name}` : `-${short}, --${name}`
  return [hint === undefined ? flag : `${flag}=<${hint}>`, about]
}

const columns = (rows: Rows, style: TextStyle): readonly string[] => {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(
    ([first, about]) => `  ${' '.repeat(width - first.length)}${style('cyan', first)}    ${about}`,
  )
}
