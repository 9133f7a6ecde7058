import type { Location } from '../schema/source.js'

export type { Location }

export type Level = 'error' | 'warning' | 'note'

/** What a rule says of a place. Lint, diff, conformance and reading itself all speak Findings. */
export type Finding = {
  /** A kebab-case sentence, subject first: `example-invalid`. */
  readonly rule: string
  readonly level: Level
  readonly location: Location
  readonly message: string
  /** Of a change: the same place in the version before. */
  readonly before?: Location
  /** A value that shows it, such as one that was taken before and is refused now. */
  readonly witness?: { readonly value: unknown }
  /** What to do instead, in a sentence. */
  readonly advice?: string
  /** What follows from the same cause, such as each property that is lost where a value may be anything. */
  readonly consequences?: readonly Finding[]
  /** What callers can call and meets it: `GET /orders`, `eth_getBalance`. */
  readonly operations?: readonly string[]
  /** The same from run to run, of a finding that has one; other findings are identified by rule, place and message. */
  readonly identity?: string
  /** What recorded requests say of it (`diff --usage`). */
  readonly usage?: FindingUsage
  /** What else is known, in a line each: `sent: POST /orders {}`. */
  readonly details?: readonly { readonly label: string; readonly words: string }[]
}

/** Requests that would have met a change, as a record of usage has them. */
export type FindingUsage = {
  /**
   * `used`: some met it. `possible`: some may have, which counts do not decide. `unused`: none did. `sent`: it is about
   * responses, which were sent; that says nothing of who reads them.
   */
  readonly verdict: 'used' | 'possible' | 'unused' | 'sent'
  /** At least and at most so many requests, of all requests of the operations. */
  readonly requests: { readonly least: number; readonly most: number; readonly of: number }
  readonly consumers: readonly string[]
  /** The first and the last day, in UTC. */
  readonly first?: string
  readonly last?: string
  /** One recorded request that met it: JSON with types in place of values. */
  readonly shape?: string
}

/** Whether a finding is about a file that could not be read, so that no line of it can be named. */
export const isAboutFile = ({ rule }: Finding): boolean => FILE_RULES.has(rule)

const FILE_RULES: ReadonlySet<string> = new Set([
  'document-does-not-exist',
  'document-is-a-folder',
  'document-is-not-utf-8',
  'document-is-too-large',
  'document-is-unreadable',
])

/** A document that cannot be generated from: one sentence, with its place, and what else was found with it. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  /** The first that keeps the document from being read. */
  readonly finding: Finding
  /** All that was found until reading ended, what is merely wrong as well; `finding` is among it. */
  readonly findings: readonly Finding[]

  constructor(
    finding: Finding,
    { all = [finding], ...options }: ErrorOptions & { readonly all?: readonly Finding[] } = {},
  ) {
    super(finding.message, options)
    this.finding = finding
    this.findings = all
  }
}

/** A row of a table of rules. */
export type RuleRow = {
  /** Subject and problem in kebab case: `paths-are-identical`. No two rules of lint, diff and conform share one. */
  readonly id: string
  /** error: callers are misled or generation breaks; warning: to be corrected; note: for information. */
  readonly level: Level
  /** Why it matters, in a sentence. */
  readonly purpose: string
}

/** What a rule reports of one place; the row adds id and level. */
export type Said = Pick<Finding, 'location' | 'message' | 'witness' | 'advice'>

/**
 * Collects findings while documents are read, so that one run reports every fault. Reading continues after a fault;
 * `settle` throws where nothing useful is left.
 */
export function createFaults(): Faults {
  const findings: Finding[] = []
  const seen = new Set<string>()
  let cause: unknown
  const reportOnce = (finding: Finding) => {
    const key = JSON.stringify(finding)
    if (!seen.has(key)) findings.push(finding)
    seen.add(key)
  }
  const report = (finding: Finding) => {
    // A file that does not parse is read again for each reference into it.
    if (finding.level === 'error') reportOnce(finding)
    else findings.push(finding)
  }
  const keep = (error: unknown): undefined => {
    if (!(error instanceof DocumentError)) throw error
    if (error.finding.level === 'error') cause ??= error
    for (const finding of error.findings) reportOnce(finding)
  }
  return {
    findings,
    report,
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
  readonly report: (finding: Finding) => void
  /** What `work` returns; undefined where it throws a DocumentError, which is reported. */
  readonly attempt: <T>(work: () => T) => T | undefined
  /** Tells what a DocumentError says; throws any other. */
  readonly keep: (error: unknown) => undefined
  /** Throws one DocumentError of all that was reported, where an error is among it. */
  readonly settle: () => void
}
