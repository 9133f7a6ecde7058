import { markdownCode, markdownText } from '../model/escape.js'
import { type ExplainedRule, RULES } from './rules.js'

/** docs/rules.md: every rule with what `explain` says of it. */
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
      return [`## ${title}`, '', `${text} ${rules.length} rules.`, '', ...rules.flatMap(linesOf)]
    }),
  ].join('\n')

const SECTIONS = [
  ['lint', 'Rules of lint', 'What is wrong, missing or left open in documents.'],
  ['diff', 'Rules of diff', 'What changed between two versions; an example shows both.'],
  [
    'conform',
    'Rules of conform',
    'What a live server does; an example shows a request and its response.',
  ],
  [
    'compatibility',
    'Rules of compatibility',
    'What clients of older versions meet, and code that uses them.',
  ],
  ['generate', 'Rules of generate', 'What `generate --check` finds.'],
  [
    'config',
    'Rules of configurations',
    'What is wrong in twinspec.config.yaml, or in a comment that ignores a rule.',
  ],
] as const

const linesOf = ({ id, level, what, why, example, fix }: ExplainedRule): readonly string[] => [
  `### ${id}`,
  '',
  `**${level}**: ${markdownText(what)} ${markdownText(why)}`,
  '',
  `- Example: ${markdownCode(example)}`,
  `- Fix: ${markdownText(fix)}`,
  '',
]
