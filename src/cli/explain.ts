import { styler } from '../report/style.js'
import { jsonText } from '../text/escape.js'
import { suggestion } from '../text/nearest.js'
import type { Args } from './flags.js'
import { type ExitCode, type Io, isColoured, UsageError, writeLine, writeStyled } from './io.js'
import type { ExplainedRule } from './rules.js'
import { rulesPage } from './version.js'

/** Explains the named rules, or lists all rules. */
export const explain = async (
  { format }: Args<'explain'>,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const { RULES } = await import('./rules.js')
  const ids = RULES.map(({ id }) => id)
  const named = words.map((word) => {
    const id = word.replace(/^\[(.*)\]$/, '$1')
    const rule = RULES.find((one) => one.id === id)
    if (rule !== undefined) return rule
    throw new UsageError(`there is no rule ${word}${alike(word, ids)}`)
  })
  const rules = named.length === 0 ? RULES : named
  if (format === 'json') writeStyled(io.stdout, jsonText(rules, 2))
  else if (named.length === 0) listRules(rules, io)
  else for (const rule of named) for (const line of linesOf(rule, io)) writeStyled(io.stdout, line)
  return 0
}

const alike = (word: string, ids: readonly string[]): string => {
  const near = suggestion(word, ids)
  if (near.startsWith(': did')) return near
  const within = ids.filter((id) => id.includes(word))
  return within.length > 0 && within.length <= 10
    ? `: did you mean ${within.join(', ')}?`
    : ': twinspec explain lists all rules'
}

const listRules = (rules: readonly ExplainedRule[], io: Io): void => {
  const width = Math.max(...rules.map(({ id }) => id.length))
  for (const { id, level, command, what } of rules)
    writeLine(io.stdout, `${id.padEnd(width)}  ${level.padEnd(7)}  ${command.padEnd(8)}  ${what}`)
}

const linesOf = (rule: ExplainedRule, { stdout }: Io): readonly string[] => {
  const { id, level, command, what, why, example, fix } = rule
  const style = styler(isColoured(stdout))
  const change = ['lint', 'diff', 'conform', 'compatibility'].includes(command)
    ? [['level', `rules: { ${id}: off } in twinspec.config.yaml, or error, warning, note`]]
    : []
  const rows = [
    ['what', what],
    ['why', why],
    ['example', example],
    ['fix', fix],
    ...change,
    ['page', `${rulesPage()}#${id}`],
  ]
  return [
    `${style('bold', id)}  ${level} of ${command}`,
    ...rows.map(([label = '', text = '']) => `  ${style('dim', label.padEnd(8))} ${text}`),
    '',
  ]
}
