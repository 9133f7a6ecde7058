import type { Api, HttpOperation } from '../model/api.js'
import type { Location, Said } from '../model/finding.js'
import type { Rule, Survey } from './survey.js'

/** Rules for statuses that a generated server sends before a handler runs. */
export const SERVER_STATUS_RULES: readonly Rule[] = [
  {
    id: 'server-status-is-undeclared',
    level: 'warning',
    purpose:
      'A generated server sends 400, 401, 413 and 415 before a handler runs, and conform reports each undeclared status.',
    find: undeclared,
  },
]

function* undeclared({ api }: Survey): Generator<Said> {
  for (const { operation, statuses, location } of missingStatuses(api)) {
    const why = statuses.map((status) => `${status} (${REASONS[status]})`).join(', ')
    yield {
      location,
      message: `${operation.method} ${operation.path} does not declare ${why}, which a generated server returns by itself`,
      advice: 'declare each status, 4XX or default; twinspec lint --fix adds them',
    }
  }
}

/** The operations that do not declare all statuses of a generated server, with the place of their responses. */
export const missingStatuses = ({ operations }: Api): readonly MissingStatuses[] =>
  operations.flatMap((operation) => {
    if (operation.kind !== 'http') return []
    const statuses = SERVER_STATUSES.filter(
      (status) => isAnswered(operation, status) && !isDeclared(operation, status),
    )
    if (statuses.length === 0) return []
    return [{ operation, statuses, location: operation.source.locate('responses') }]
  })

export type MissingStatuses = {
  readonly operation: HttpOperation
  readonly statuses: readonly ServerStatus[]
  /** The location of the operation's responses. */
  readonly location: Location
}

const SERVER_STATUSES = ['400', '401', '413', '415'] as const

export type ServerStatus = (typeof SERVER_STATUSES)[number]

const REASONS: Readonly<Record<ServerStatus, string>> = {
  '400': 'an invalid request',
  '401': 'missing or wrong credentials',
  '413': 'a body that is too large',
  '415': 'a body of another media type',
}

/** An undeclared query parameter is a 400 response, so every operation can have one. */
const isAnswered = (
  { body, parameters, security }: HttpOperation,
  status: ServerStatus,
): boolean => {
  if (status === '400') return true
  if (status !== '401') return body !== undefined
  const isOpen = security.length === 0 || security.some((names) => names.length === 0)
  return !isOpen || parameters.some(({ secret }) => secret === true)
}

/** If 422 is declared and 400 is not, the response to an invalid request is 422. */
const isDeclared = ({ responses }: HttpOperation, status: ServerStatus): boolean =>
  responses.some(
    (one) =>
      [status, '4XX', 'default'].includes(one.status) || (status === '400' && one.status === '422'),
  )
