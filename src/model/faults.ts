import { DocumentError, type Finding } from './finding.js'

/**
 * Gathers what is reported while documents are read, so that one run reports every fault that can be found:
 * reading goes on around a fault, and `settle` ends it where nothing could be made of what is left.
 */
export function createFaults(): Faults {
  const findings: Finding[] = []
  const seen = new Set<string>()
  let cause: unknown
  const tell = (finding: Finding) => {
    // A file that does not parse is come by once for each reference into it.
    if (finding.level === 'error') {
      const key = JSON.stringify(finding)
      if (seen.has(key)) return
      seen.add(key)
    }
    findings.push(finding)
  }
  const keep = (error: unknown): undefined => {
    if (!(error instanceof DocumentError)) throw error
    cause ??= error
    for (const finding of error.findings) tell(finding)
  }
  return {
    findings,
    tell,
    keep,
    attempt: (work) => {
      try {
        return work()
      } catch (error) {
        return keep(error)
      }
    },
    settle: () => {
      const first = findings.find(({ level }) => level === 'error')
      if (first) throw new DocumentError(first, { cause, all: findings })
    },
  }
}

export type Faults = {
  readonly findings: readonly Finding[]
  /** An error is what nothing can be made of: `settle` throws it. */
  readonly tell: (finding: Finding) => void
  /** What `work` returns; undefined where it throws a DocumentError, which is reported. */
  readonly attempt: <T>(work: () => T) => T | undefined
  /** Tells what a DocumentError says; throws any other. */
  readonly keep: (error: unknown) => undefined
  /** Throws one DocumentError of all that was reported, where an error is among it. */
  readonly settle: () => void
}
