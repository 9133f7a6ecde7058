import type { Operation } from '../model/api.js'
import type { Complaint } from './case.js'
import { isEchoOfSilence } from './report/findings.js'
import { type Came, type Count, isRefusal, type Tally } from './report/met.js'
import { CONFORM_RULES } from './rules.js'

/**
 * A complaint for each operation that gave no documented response to any of its requests, its examples included. Where an error about
 * its first example says so already, nothing is added.
 */
export const neverResponded = (
  { counts }: Tally,
  complaints: readonly Complaint[],
  absent: ReadonlySet<Operation>,
): readonly Complaint[] => {
  const explained = new Set(complaints.filter(isError).map(({ exchange }) => exchange))
  return [...counts].flatMap(([operation, count]): readonly Complaint[] => {
    const { example, isDocumented, came } = count
    if (isDocumented || example === undefined || absent.has(operation)) return []
    if (explained.has(example) || !isTried(count)) return []
    const requests = [...came.values()].reduce((sum, { times }) => sum + times, 0)
    const subject =
      requests === 1
        ? 'its only request, an example of the document, got no documented response'
        : `none of its ${requests} requests, the examples of the document included, got a documented response`
    return [
      {
        rule: 'operation-never-answered',
        message: `${subject}: ${listed(came)}`,
        due: 'a response that the document declares, at least for its own example',
        exchange: example,
        operation,
        cause: listed(came),
      },
    ]
  })
}

/** Without what is only said because an operation never responds to anything: that no value of it is rejected or accepted. */
export const withoutSilence = (
  { counts }: Tally,
  complaints: readonly Complaint[],
): readonly Complaint[] =>
  complaints.filter(({ rule, exchange, operation }) => {
    if (exchange.answer !== undefined || operation === undefined || !isEchoOfSilence(rule))
      return true
    const came = [...(counts.get(operation)?.came.values() ?? [])]
    return came.some(({ kind }) => kind !== 'nothing')
  })

/** Whether its responses say anything: it was not only the caller who was not let in. */
const isTried = ({ came }: Count): boolean =>
  ![...came.values()].every((one) => isRefusal(one) || isLimit(one))

/** The limit of the server is used up, or what stands behind it is away. */
const isLimit = ({ kind, code }: Came): boolean =>
  kind === 'error' ? code === -32005 : kind === 'status' && LIMITS.has(Number(code))

const LIMITS: ReadonlySet<number> = new Set([429, 502, 503, 504])

const listed = (came: Count['came']): string => {
  const all = [...came.keys()].sort()
  const rest = all.length > FEW ? [`${all.length - FEW} others`] : []
  return `${[...all.slice(0, FEW), ...rest].join(', ')} came`
}

const FEW = 3

const isError = ({ rule }: Complaint): boolean =>
  CONFORM_RULES.some(({ id, level }) => id === rule && level === 'error')
