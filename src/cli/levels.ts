import { jsonText } from '../model/escape.js'
import type { Finding, RuleRow } from '../model/finding.js'
import { type Io, UsageError, writeLine, writeStyled } from './io.js'
import { rulesPage } from './version.js'

export type Level = Finding['level']

/** The worst first. */
export const LEVELS = ['error', 'warning', 'note'] as const satisfies readonly Level[]

/** Whether a level is as bad as another, or worse. */
export const isAsBad = (level: Level, bound: Level): boolean =>
  LEVELS.indexOf(level) <= LEVELS.indexOf(bound)

/** `2 errors, 1 note`; nothing of a level that no finding has, and empty where there are none. */
export const counted = (findings: readonly { readonly level: Level }[]): string =>
  LEVELS.flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? '' : 's'}`]
  }).join(', ')

/** Says on a terminal where a rule is explained. */
export const hintAtExplain = (findings: readonly Finding[], { stderr }: Io): void => {
  const [first] = findings
  if (stderr.isTTY !== true || first === undefined) return
  writeLine(
    stderr,
    `twinspec explain ${first.rule} says why, with an example and the fix; ${rulesPage()} has all rules`,
  )
}

/** Prints rows of rules as `--list-rules` asks for them: as text, or as json. */
export const printRules = (rules: readonly RuleRow[], format: string, io: Io): void => {
  if (format !== 'text' && format !== 'json') {
    throw new UsageError(`--list-rules is printed as text or json, not as ${format}`)
  }
  if (format === 'json') {
    writeStyled(io.stdout, jsonText(rules, 2))
    return
  }
  const width = Math.max(...rules.map(({ id }) => id.length))
  for (const { id, level, purpose } of rules) {
    writeLine(io.stdout, `${id.padEnd(width)}  ${level.padEnd(7)}  ${purpose}`)
  }
}
