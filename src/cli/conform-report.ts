import type { Verdict } from '../conform/conform.js'
import { CONFORM_RULES } from '../conform/rules.js'
import { report } from './report.js'

export const CONFORM_FORMATS = ['text', 'json', 'junit', 'sarif', 'github', 'html'] as const

export type ConformFormat = (typeof CONFORM_FORMATS)[number]

/** A verdict for a machine, or as one page for people. */
export const conformReport = (
  verdict: Verdict,
  format: Exclude<ConformFormat, 'text'>,
  version: string,
): string => {
  if (format === 'json') return `${JSON.stringify(verdict, null, 2)}\n`
  if (format === 'html') return ''
  return report(verdict.findings, format, { version, rules: CONFORM_RULES })
}
