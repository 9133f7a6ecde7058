import { readFileSync } from 'node:fs'
import { COMPATIBILITY_RULES } from '../compatibility/findings.js'
import { CONFORM_RULES } from '../conform/rules.js'
import { DIFF_RULES } from '../diff/rules.js'
import { LINT_RULES } from '../lint/lint.js'
import type { Level } from '../model/finding.js'
import { markdownCode, markdownText } from '../text/escape.js'
import { IGNORE_RULE } from './config/comments.js'
import { CONFIG_RULES } from './config/read.js'
import { STALE_RULE } from './stale-files.js'

/** A rule of any command, with its texts for `explain` and docs/rules.md. */
export type ExplainedRule = {
  readonly id: string
  /**
   * The command that checks it: `lint`, `diff`, `conform`, `compatibility`, `generate`; `config` for configurations and ignore
   * comments.
   */
  readonly command: string
  readonly level: Level
  readonly what: string
  readonly why: string
  readonly purpose: string
  readonly clause?: string
  /** A violation of the rule. For `diff`, both versions: `minimum: 1 -> minimum: 5`. */
  readonly example: string
  readonly fix: string
}

type Row = Pick<ExplainedRule, 'id' | 'level' | 'purpose'> & {
  readonly clause?: string
  readonly advice?: string
}

type Text = { readonly example: string; readonly fix: string }

const fileOf = (command: string): string =>
  `rule-texts/${['lint', 'diff', 'conform'].includes(command) ? command : 'other'}.txt`

/** Examples and fixes are in text files: a line with the id, one with an example and one with the fix. */
const textsOf = (command: string): ReadonlyMap<string, Text> => {
  const text = readFileSync(new URL(fileOf(command), import.meta.url), 'utf8')
  return new Map(
    text.split(/\n{2,}/).map((block) => {
      const [id = '', example = '', fix = ''] = block.trim().split('\n')
      return [id, { example, fix }] as const
    }),
  )
}

const sentence = (text: string): string =>
  `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** Response rules use the example of the same request rule, because the change is the same. */
const exampleOf = (texts: ReadonlyMap<string, Text>, id: string): Text | undefined =>
  texts.get(id) ?? texts.get(id.replace(/^response-/, 'request-'))

const explained = (command: string, about: (row: Row) => About) => {
  const texts = textsOf(command)
  return (row: Row): ExplainedRule => {
    const { example = '', fix = '' } = exampleOf(texts, row.id) ?? {}
    const { advice, ...rest } = row
    return { ...rest, command, example, fix: sentence(advice ?? (fix || NO_FIX)), ...about(row) }
  }
}

type About = Pick<ExplainedRule, 'what' | 'why'>

const NO_FIX = 'nothing to do'

/** The id says what is wrong, so the first sentence states the requirement. */
const ofDocument = ({ level, purpose }: Row): About => ({
  what: sentence(purpose),
  why: OF_DOCUMENT[level],
})

const OF_DOCUMENT = {
  error: 'It misleads callers, or a part of the document cannot be read.',
  warning: 'It should be corrected: callers and other tools may interpret it differently.',
  note: 'It is information: nothing is wrong.',
} as const

const OF_CHANGE = {
  error: 'Existing clients can break.',
  warning: 'Some clients can break, or the documents do not determine it.',
  note: 'No client breaks.',
} as const

const ofChange = ({ level, purpose }: Row): About => ({
  what: sentence(purpose),
  why: OF_CHANGE[level],
})

const ofServer = ({ purpose, clause = '' }: Row): About => ({
  what: sentence(purpose),
  why: `It follows from ${clause}.`,
})

const ofOldClient = ({ purpose }: Row): About => ({
  what: sentence(purpose),
  why: 'Consumers who do not update in time are affected.',
})

/** Every rule of every command, by id. */
export const RULES: readonly ExplainedRule[] = [
  ...LINT_RULES.map(explained('lint', ofDocument)),
  ...DIFF_RULES.map(explained('diff', ofChange)),
  ...CONFORM_RULES.map(explained('conform', ofServer)),
  ...COMPATIBILITY_RULES.map(explained('compatibility', ofOldClient)),
  ...[...CONFIG_RULES, IGNORE_RULE].map(explained('config', ofDocument)),
  ...[STALE_RULE].map(explained('generate', ofDocument)),
].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Instructions for each rule without an example or a fix. Most changes need no fix, so a rule of diff may have none. */
export const missingTexts = (rules: readonly ExplainedRule[] = RULES): readonly string[] =>
  rules
    .filter(({ command, example, fix }) => {
      return !example || (command !== 'diff' && fix === sentence(NO_FIX))
    })
    .map(({ id, command }) => {
      const lines = 'a line with the id, one with an example, one with the fix'
      return `add \`${id}\` to src/cli/${fileOf(command)}: ${lines}`
    })

/** The text of docs/rules.md: every rule as `explain` prints it. */
export const rulesMarkdown = (): string =>
  [
    '# Rules',
    '',
    '<!-- Printed from the tables of rules by `npm run rules`. Change the rules in src/lint, src/diff, src/conform, src/compatibility, src/cli/config and src/cli/stale-files.ts, and the examples and fixes in src/cli/rule-texts. -->',
    '',
    'A finding ends with the id of its rule in brackets. `twinspec explain RULE` prints the same text as this page.',
    'Levels are changed, and findings ignored, in [twinspec.config.yaml](configuration.md).',
    '',
    ...SECTIONS.flatMap(([command, title, text]) => {
      const rules = RULES.filter((rule) => rule.command === command)
      return [`## ${title}`, '', `${text} ${rules.length} rules.`, '', ...rules.flatMap(ruleLines)]
    }),
  ].join('\n')

const SECTIONS = [
  ['lint', 'Rules of lint', 'What is wrong, missing or undefined in documents.'],
  ['diff', 'Rules of diff', 'What changed between two versions; an example shows both.'],
  [
    'conform',
    'Rules of conform',
    'What a live server does; an example shows a request and its response.',
  ],
  [
    'compatibility',
    'Rules of compatibility',
    'Problems of clients of older versions, and of code that uses them.',
  ],
  ['generate', 'Rules of generate', 'What `generate --check` finds.'],
  [
    'config',
    'Rules of configurations',
    'What is wrong in twinspec.config.yaml, or in a comment that ignores a rule.',
  ],
] as const

const ruleLines = ({ id, level, what, why, example, fix }: ExplainedRule): readonly string[] => [
  `### ${id}`,
  '',
  `**${level}**: ${markdownText(what)} ${markdownText(why)}`,
  '',
  `- Example: ${markdownCode(example)}`,
  `- Fix: ${markdownText(fix)}`,
  '',
]
