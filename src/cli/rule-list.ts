import type { Finding, RuleRow } from '../model/finding.js'
import { jsonText } from '../text/escape.js'
import { type Io, UsageError, writeLine, writeStyled } from './io.js'
import { rulesPage } from './version.js'

/** Prints the page of each rule that has a finding, on terminals only. In logs, lines after the summary would be in the way. */
export const printRulePages = async (
  findings: readonly Pick<Finding, 'rule'>[],
  { stderr }: Io,
): Promise<void> => {
  if (stderr.isTTY !== true || findings.length === 0) return
  const { RULES } = await import('./rules.js')
  const found = new Set(findings.map(({ rule }) => rule))
  const ids = RULES.flatMap(({ id }) => (found.has(id) ? [id] : []))
  if (ids.length === 0) return
  const page = rulesPage()
  writeLine(stderr, 'the reason, an example and the fix of each rule: twinspec explain RULE, or')
  for (const id of ids.slice(0, MOST_PAGES)) writeLine(stderr, `  ${page}#${id}`)
  const others = ids.length - MOST_PAGES
  if (others > 0) writeLine(stderr, `  … and ${others} more in ${page}`)
}

const MOST_PAGES = 10

/** Prints rows of rules for `--list-rules`: as text, or as json. */
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
