import type { Finding } from '../model/finding.js'

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
