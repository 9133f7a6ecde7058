import { BASELINE_RULES } from '../conform/report/baseline.js'
import { type ConformFinding, foldFindings } from '../conform/report/findings.js'
import { CONFORM_RULES } from '../conform/rules.js'
import { jsonText } from '../model/escape.js'
import type { Args } from './commands.js'
import { withDetails } from './conform-details.js'
import { conformPage } from './conform-html/page.js'
import { conformJunit } from './conform-junit.js'
import type { ConformResult } from './conform-result.js'
import { LEVELS } from './levels.js'
import { report } from './report.js'

export type ConformFormat = Args<'conform'>['format']

const foldedFindings = (findings: readonly ConformFinding[]): readonly ConformFinding[] =>
  foldFindings(findings).map(({ first, findings: { length } }) =>
    length === 1
      ? first
      : { ...first, message: `${first.message} (and ${length - 1} more of this cause)` },
  )

/** A verdict for a machine, or as one page for people. */
export const conformReport = (
  judged: ConformResult,
  format: Exclude<ConformFormat, 'text'>,
  { version, workspace }: { readonly version: string; readonly workspace?: string | undefined },
): string => {
  if (format === 'json') {
    const { api: _, ...shown } = judged
    return `${jsonText(shown, 2)}\n`
  }
  if (format === 'html') return conformPage(judged, { version })
  if (format === 'junit') return conformJunit(judged)
  // GitHub shows ten annotations of a level and no more: one for each cause.
  const shown = format === 'github' ? foldedFindings(judged.findings) : judged.findings
  const findings = LEVELS.flatMap((level) => shown.filter((one) => one.level === level))
  const rules = [...CONFORM_RULES, ...BASELINE_RULES]
  return report([...findings.map(withDetails), ...judged.remarks], format, {
    version,
    rules,
    workspace,
  })
}
