import type { Finding } from '../model/finding.js'
import { stepOf } from '../pack/change-kind.js'
import { markdown } from './report-markdown.js'

/** Changes for people, in Markdown, and under them how much of a version they ask for. */
export const changelogOf = (findings: readonly Finding[]): string => {
  const steps = findings.map(stepOf)
  const step = STEPS.find((one) => steps.includes(one))
  const asked = step === undefined ? '' : `\nThis asks for a **${step}** version.\n`
  return `${markdown(findings)}${asked}`
}

const STEPS = ['major', 'minor', 'patch'] as const
