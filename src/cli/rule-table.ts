import { jsonText } from '../model/escape.js'
import type { RuleRow } from '../model/finding.js'
import { type Io, UsageError, writeLine, writeStyled } from './io.js'

/** Prints rows of rules as `--list-rules` asks for them: as text, or as json. */
export const printRules = (
  command: string,
  rules: readonly RuleRow[],
  format: string,
  io: Io,
): void => {
  if (format !== 'text' && format !== 'json') {
    throw new UsageError(
      `twinspec ${command}: --list-rules is printed as text or json, not as ${format}`,
    )
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
