import type { Difference } from '../diff/differences.js'
import type { Api } from '../model/api.js'
import { DocumentError, type Finding } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
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

/** The errors that only one version has: what cannot be read in one of them would look like a change. */
export const errorsOfOne = (before: Api, after: Api): DocumentError | undefined => {
  const [old, now] = [before, after].map(({ findings }) =>
    findings.filter(({ level }) => level === 'error'),
  )
  const others = [...beyond(old, now), ...beyond(now, old)]
  const [first] = others
  return first && new DocumentError(first, { all: others })
}

/** The findings that `others` has not, or not as often. Places differ from version to version. */
const beyond = (
  findings: readonly Finding[] = [],
  others: readonly Finding[] = [],
): readonly Finding[] => {
  const keyOf = ({ rule, message }: Finding) => `${rule} ${message}`
  const known = grouped(others, keyOf)
  return [...grouped(findings, keyOf)].flatMap(([key, own]) =>
    own.slice(known.get(key)?.length ?? 0),
  )
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
