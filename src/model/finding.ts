import type { Location } from '../schema/source.js'

export type { Location }

export type Level = 'error' | 'warning' | 'note'

/** A violation of a rule at a place. Lint, diff, conform, compatibility and the reading of documents report the same type. */
export type Finding = {
  /** A kebab-case sentence, subject first: `example-invalid`. */
  readonly rule: string
  readonly level: Level
  readonly location: Location
  readonly message: string
  /** For a change: the same place in the version before. */
  readonly before?: Location
  /** A value that shows the problem, such as one that was accepted before and is rejected now. */
  readonly witness?: {
    readonly value: unknown
    /** It shows a change of one alternative of a union; another alternative accepts it in both versions. */
    readonly isOfAlternative?: true
  }
  /** What to do instead, in a sentence. */
  readonly advice?: string
  /** Findings with the same cause, such as each property that is lost where a value may be anything. */
  readonly consequences?: readonly Finding[]
  /** The affected operations: `GET /orders`, `eth_getBalance`. */
  readonly operations?: readonly string[]
  /** An identity that is stable from run to run, for findings that have one; others are identified by rule, place and message. */
  readonly identity?: string
  /** The same for all findings with one cause: formats for people print these once, with the number of places. */
  readonly cause?: string
  /** The specification that a server violates: `RFC 9110, 15.5.6`. */
  readonly clause?: string
  /** The exchange with a server that shows the problem (`conform`). */
  readonly exchange?: FindingExchange
  /** The line of a baseline that accepts the finding. */
  readonly acceptance?: string
  /** The recorded requests that the finding affects (`diff --usage`). */
  readonly usage?: FindingUsage
  /** Further facts, each with a label: `sent: POST /orders {}`. */
  readonly details?: readonly { readonly label: string; readonly words: string }[]
}

/** A request and its response, as text in which keys are `$KEY`. */
export type FindingExchange = {
  readonly request: string
  /** The response, or why there was none. */
  readonly response: string
  readonly expected: string
  /** A command for any POSIX shell that sends the same request. */
  readonly curl: string
  /** The number of exchanges that show the problem. */
  readonly count: number
}

/** Recorded requests that a change would have affected. */
export type FindingUsage = {
  /**
   * `used`: some were affected. `possible`: some may have been; counts do not decide it, or `unread` requests. `unused`: none were. `sent`: the
   * finding is about responses, which were sent; the record does not show who reads them.
   */
  readonly verdict: 'used' | 'possible' | 'unused' | 'sent'
  /** The least and the greatest possible number of requests, of all requests of the operations. */
  readonly requests: { readonly least: number; readonly most: number; readonly of: number }
  readonly consumers: readonly string[]
  /** Recorded requests that may be affected because they could not be read, by the reason: `content-encoding`. */
  readonly unread?: Readonly<Record<string, number>>
  /** The first and the last day, in UTC. */
  readonly first?: string
  readonly last?: string
  /** One affected request as recorded: JSON with types in place of values. */
  readonly shape?: string
}

/** Whether a file is that of a git revision, as `git:origin/main:spec/openapi.yaml`, and not of the working tree. */
export const isAtRevision = (file: string): boolean => file.startsWith(REVISION_SCHEME)

export const REVISION_SCHEME = 'git:'

/** Whether a finding is about a file that could not be read, so that it has no line. */
export const isAboutFile = ({ rule }: Finding): boolean => FILE_RULES.has(rule)

const FILE_RULES: ReadonlySet<string> = new Set([
  'document-does-not-exist',
  'document-is-a-folder',
  'document-is-not-utf-8',
  'document-is-too-large',
  'document-is-unreadable',
])

/** Errors that leave the rest of the document readable: what depends on their place is unknown, or left out. */
const PARTIAL_RULES: ReadonlySet<string> = new Set([
  'document-key-is-duplicate',
  'field-has-wrong-type',
  'field-is-missing',
  'method-has-no-name',
  'method-is-duplicate',
  'openrpc-document-is-invalid',
  'param-has-no-name',
  'reference-is-circular',
  'reference-is-dangling',
  'reference-is-no-pointer',
  'reference-is-remote',
  'schema-keyword-invalid',
  'variant-without-request',
  'yaml-number-is-hex',
  'yaml-number-is-not-json',
])

/** A document from which nothing can be generated: one sentence with its place, and the other findings. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  /** The first error of the document. */
  readonly finding: Finding
  /** All findings until reading ended, warnings included; `finding` is one of them. */
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
  /** error: callers are misled or a part cannot be read; warning: to be corrected; note: for information. */
  readonly level: Level
  /** The reason for the rule, in a sentence. */
  readonly purpose: string
}

/** A report of a rule at one place; the row adds id and level. */
export type FindingDetails = Pick<Finding, 'location' | 'message' | 'witness' | 'advice'>

/**
 * Collects findings while documents are read, so that one run reports every fault. Reading continues after a fault;
 * `settle` throws if an error was reported that affects more than its place.
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
    settle: (strictly = false) => {
      const first = findings.find(
        (one) => one.level === 'error' && (strictly || !PARTIAL_RULES.has(one.rule)),
      )
      if (first) throw new DocumentError(first, { cause, all: findings })
    },
  }
}

/** Reports a warning at a pointer of one document. */
export type WarnAt = (rule: string, pointer: string, message: string) => void

export type Faults = {
  readonly findings: readonly Finding[]
  /** Adds a finding. */
  readonly report: (finding: Finding) => void
  /** The result of `work`; undefined if it throws a DocumentError, which is reported. */
  readonly attempt: <T>(work: () => T) => T | undefined
  /** Reports a DocumentError; rethrows any other error. */
  readonly keep: (error: unknown) => undefined
  /** Throws one DocumentError with all findings, if one of them is an error that is not partial; `strictly`, for any error. */
  readonly settle: (strictly?: boolean) => void
}

/** Throws errors at once and ignores warnings. */
export const THROWING: Pick<Faults, 'attempt' | 'report'> = {
  attempt: (work) => {
    try {
      return work()
    } catch (error) {
      const isError = !(error instanceof DocumentError) || error.finding.level === 'error'
      if (isError) throw error
      return undefined
    }
  },
  report: () => undefined,
}
