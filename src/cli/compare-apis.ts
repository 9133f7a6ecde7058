import type { Difference } from '../diff/differences.js'
import type { Api } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import type { Usage } from '../usage/usage.js'

/** All changes between two versions, and every difference. */
export const compareApis = async (
  before: Api,
  after: Api,
  { today, usage, show }: CompareOptions,
): Promise<Compared> => {
  const [comparison, walk, faults] = await Promise.all([
    import('../diff/diff.js'),
    import('../diff/differences.js'),
    import('../diff/document-faults.js'),
  ])
  const findings = comparison.diff(before, after, {
    today,
    usage,
    onProgress: (done, total) => show?.(`compared ${done} of ${total} operations …`),
  })
  const differences = walk.differences(before, after)
  return {
    findings: [
      ...findings,
      ...faults.documentFaults(before, after),
      ...faults.roundedFindings(differences),
    ],
    differences,
  }
}

export type CompareOptions = {
  /** The date for checking removals and sunsets. */
  readonly today: Date
  readonly usage?: Usage | undefined
  readonly show?: ((words: string) => void) | undefined
}

export type Compared = {
  readonly findings: readonly Finding[]
  /** All differences, whether or not a rule covers them. */
  readonly differences: readonly Difference[]
}
