import type { Finding, Level } from '../model/finding.js'
import type { FailOn } from './report.js'

/** The most severe first. */
export const LEVELS = ['error', 'warning', 'note'] as const satisfies readonly Level[]

/** Whether a finding ends a command with exit code 1. */
export const isFailing = ({ level, usage }: Finding, failOn: FailOn): boolean => {
  if (failOn !== 'used') return LEVELS.indexOf(level) <= LEVELS.indexOf(failOn)
  if (level === 'error') return usage?.verdict !== 'unused'
  return level === 'warning' && usage?.verdict === 'used'
}

/** `2 errors, 1 note`; zero counts are omitted, and the text is empty without findings. */
export const counted = (findings: readonly { readonly level: Level }[]): string =>
  LEVELS.flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? '' : 's'}`]
  }).join(', ')
