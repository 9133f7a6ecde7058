import type { Operation } from '../model/api.js'
import type { Finding } from '../model/finding.js'

/** What is experimental may change, and is reported; what is nearly stable warns. */
export function weighed<F extends Finding>(
  finding: F,
  { stability }: Pick<Operation, 'stability'>,
): F {
  const level = stability === undefined || stability === 'stable' ? 'error' : HIGHEST[stability]
  if (RANK[finding.level] <= RANK[level]) return finding
  return {
    ...finding,
    level,
    message: `${finding.message} (its stability is ${stability}, so it may change)`,
  }
}

const HIGHEST = { draft: 'note', alpha: 'note', beta: 'warning' } as const

export const RANK = { note: 0, warning: 1, error: 2 } as const
