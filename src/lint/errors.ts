import { STATUS_CODES } from 'node:http'
import type { FindingDetails } from '../model/finding.js'
import { isSuccess } from '../model/http-content.js'
import { nameOf } from '../model/operation-name.js'
import type { LintRule, Survey } from './survey.js'

/** Errors of operations, and the names and codes that JSON-RPC reserves. */
export const ERROR_RULES: readonly LintRule[] = [
  {
    id: 'error-code-is-reserved',
    level: 'error',
    purpose:
      'JSON-RPC 2.0, 5.1 reserves -32768 to -32000, of which servers may define -32099 to -32000.',
    find: reservedCodes,
  },
  {
    id: 'error-code-is-declared-twice',
    level: 'warning',
    purpose: 'Clients distinguish the errors of a method only by their codes.',
    find: twinCodes,
  },
  {
    id: 'example-error-is-undeclared',
    level: 'warning',
    purpose:
      'Clients handle only declared errors, so a method must declare each error that its examples show.',
    find: undeclaredErrors,
  },
  {
    id: 'operation-declares-no-error',
    level: 'note',
    purpose: 'Every call can fail, and an undeclared error has no type.',
    find: declaringNoError,
  },
  {
    id: 'operation-declares-no-success',
    level: 'warning',
    purpose:
      'Without a default, 1xx, 2xx or 3xx response other than 304, the document describes no successful call.',
    find: declaringNoSuccess,
  },
  {
    id: 'status-is-unassigned',
    level: 'note',
    purpose:
      'Proxies and clients treat an unregistered status as the first status of its class, such as 200 for 299.',
    find: unassigned,
  },
  {
    id: 'method-name-is-reserved',
    level: 'warning',
    purpose: 'JSON-RPC 2.0, 4 reserves method names that begin with `rpc.`.',
    find: reservedNames,
  },
]

/** JSON-RPC 2.0, 5.1. */
const PREDEFINED = new Set([-32700, -32600, -32601, -32602, -32603])

function* reservedCodes({ rpc }: Survey): Generator<FindingDetails> {
  for (const { errors } of rpc) {
    for (const { code, source } of errors) {
      const isReserved = code >= -32768 && code <= -32000
      if (!isReserved || code >= -32099 || PREDEFINED.has(code)) continue
      yield {
        location: source.locate('code'),
        message: `${code} is reserved by JSON-RPC: choose a code of -32099 to -32000, or one outside of -32768 to -32000`,
      }
    }
  }
}

function* twinCodes({ rpc }: Survey): Generator<FindingDetails> {
  for (const { errors, method, source } of rpc) {
    for (const [index, { code, message }] of errors.entries()) {
      const first = errors.find((one) => one.code === code)
      if (!first || errors.indexOf(first) === index) continue
      yield {
        location: source.locate('errors', index),
        message: `${method} declares ${code} twice, as "${first.message}" and as "${message}": give one of them another code`,
      }
    }
  }
}

function* undeclaredErrors({ rpc }: Survey): Generator<FindingDetails> {
  for (const { errors, examples, method } of rpc) {
    const declared = new Set(errors.map(({ code }) => code))
    for (const { outcome, name, source } of examples) {
      if (outcome.kind !== 'error') continue
      const { code } = outcome.error
      if (declared.has(code) || PREDEFINED.has(code)) continue
      yield {
        location: source.locate('x-error'),
        message: `the example ${name} of ${method} shows the error ${code}, which the method does not declare: add it to its errors`,
      }
    }
  }
}

function* declaringNoError({ api }: Survey): Generator<FindingDetails> {
  for (const operation of api.operations) {
    const { source } = operation
    const isSilent =
      operation.kind === 'rpc'
        ? operation.errors.length === 0
        : !operation.responses.some(({ status }) => /^([45]|default)/.test(status))
    if (!isSilent) continue
    const where =
      operation.kind === 'rpc'
        ? 'those that it may return, under errors'
        : 'a 4XX, 5XX or default response'
    yield {
      location: source.locate(),
      message: `${nameOf(operation)} declares no error: add ${where}`,
    }
  }
}

function* declaringNoSuccess({ http }: Survey): Generator<FindingDetails> {
  for (const operation of http) {
    const { responses, source } = operation
    const hasValue = responses.some(({ status }) => isSuccess(status) || status === 'default')
    if (responses.length === 0 || hasValue) continue
    yield {
      location: source.locate('responses'),
      message: `${nameOf(operation)} declares no success: add the response of a successful call`,
    }
  }
}

function* unassigned({ http }: Survey): Generator<FindingDetails> {
  for (const { responses } of http) {
    for (const { status, source } of responses) {
      if (!/^\d{3}$/.test(status) || STATUS_CODES[status] !== undefined) continue
      yield {
        location: source.locate(),
        message: `${status} is not a registered status: clients that do not know it treat it as ${status[0]}00`,
      }
    }
  }
}

function* reservedNames({ rpc }: Survey): Generator<FindingDetails> {
  for (const { method, source } of rpc) {
    if (!method.startsWith('rpc.') || method === 'rpc.discover') continue
    yield {
      location: source.locate('name'),
      message: `${method} begins with rpc., which JSON-RPC reserves: choose another name`,
    }
  }
}
