import type { Cell, Matrix } from '../../src/compatibility/cell.js'
import { isUndecided } from '../../src/diff/change.js'
import type { Finding } from '../../src/model/finding.js'

/**
 * Where the cells of a matrix and `diff` contradict each other. A cell and the findings of its version agree unless:
 *
 * - it breaks, and of its operation and of its server diff reports no error, no warning, no undecided change, and no removal in time;
 * - it works or warns, and diff reports an error that every old client meets (`EVERY_CLIENT`);
 * - it works or warns, although a request was answered that does not fit the schemas of the new documents.
 *
 * An error about values that nothing sent or received contains is no contradiction. Of a server in place of the mock only the first
 * is judged: a server may accept more than its documents.
 */
export const disagreements = (
  { cells, findings }: Matrix,
  { isMock }: { readonly isMock: boolean },
): readonly Disagreement[] =>
  cells.flatMap((cell): readonly Disagreement[] => {
    const own = (findings.get(cell.version) ?? []).filter((one) => concerns(one, cell))
    const { version, operation, verdict, mismatch } = cell
    const disagree = (why: string) => [{ version, operation, why }]
    if (verdict === 'untested') return []
    if (verdict === 'breaks')
      return own.some(mayBreak)
        ? []
        : disagree('a client breaks, and diff does not say that one may')
    if (!isMock) return []
    const certain = own.find(({ rule, level }) => level === 'error' && EVERY_CLIENT.has(rule))
    if (certain) return disagree(`diff reports ${certain.rule}, and each request has a response`)
    if (mismatch === undefined) return []
    return disagree(
      `a request is answered that does not fit: ${mismatch.pointer} ${mismatch.message}`,
    )
  })

export type Disagreement = {
  readonly version: string
  readonly operation: string
  readonly why: string
}

const mayBreak = (finding: Finding): boolean =>
  finding.level !== 'note' || isUndecided(finding) || REMOVED_IN_TIME.has(finding.rule)

/** Findings without operations are about a server where clients can meet them. */
const concerns = ({ operations = [], rule }: Finding, { operation }: Cell): boolean =>
  operations.length === 0 ? OF_SERVER.has(rule) : operations.includes(operation)

const OF_SERVER: ReadonlySet<string> = new Set([
  'server-removed',
  'server-variable-changed',
  'server-chain-changed',
])

/** What the lifecycle of documents allows, and breaks clients that did not follow them. */
const REMOVED_IN_TIME: ReadonlySet<string> = new Set([
  'operation-removed-after-deprecation',
  'parameter-removed-after-deprecation',
  'request-property-removed-after-deprecation',
  'response-property-removed-after-deprecation',
])

/** Errors that every old client meets, whatever it sends: a sample of what was required is among its calls. */
const EVERY_CLIENT: ReadonlySet<string> = new Set([
  'operation-removed-without-deprecation',
  'operation-removed-before-sunset',
  'parameter-added-required',
  'parameter-became-required',
  'request-body-added-required',
  'request-body-became-required',
  'result-removed',
])
