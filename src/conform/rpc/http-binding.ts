import { headerOf } from '../../runtime/wire/headers.js'
import { isSuccessOf } from '../../runtime/wire/status.js'
import { answered, anyOfExpectations, type Expectation, notAllowed, status } from './expectation.js'
import { describeResponse } from './json-rpc-response.js'
import type { Row } from './row.js'
import type { RpcSubject } from './subject.js'

const call = (on: RpcSubject): string => on.call()

/** JSON-RPC over HTTP: media types and methods. */
export const HTTP_BINDING: readonly Row[] = [
  {
    id: 'unsupported-media-type-accepted',
    level: 'warning',
    purpose:
      'A body without a JSON media type is rejected, which keeps out requests from other web pages.',
    clause: 'RFC 9110, 8.3 and 15.5.16',
    checks: ['J91'],
    attempts: [
      {
        title: 'a call as text/plain',
        body: call,
        headers: { 'content-type': 'text/plain' },
        expected: needing(status(415)),
        isRaw: true,
      },
      {
        title: 'a call without a media type',
        body: call,
        headers: { 'content-type': undefined },
        expected: needing(status(415)),
        isRaw: true,
      },
    ],
  },
  {
    id: 'json-media-type-rejected',
    level: 'warning',
    purpose: 'JSON is accepted with its usual media types, whatever their parameters.',
    clause: 'RFC 9110, 8.3; JSON-RPC over HTTP, 3',
    checks: ['J91'],
    attempts: ['application/json-rpc', 'application/json; charset=utf-8', 'Application/JSON'].map(
      (type) => ({
        title: `a call as ${type}`,
        body: call,
        headers: { 'content-type': type },
        expected: answered(),
      }),
    ),
  },
  {
    id: 'get-accepted',
    level: 'warning',
    purpose: 'GET is rejected with 405 and an Allow header that lists POST, or with 501.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['J93'],
    attempts: [
      {
        title: 'GET',
        method: 'GET',
        expected: notAllowed,
        choice: 'GET',
        way: (response) => (response.kind === 'none' ? undefined : `HTTP ${response.status}`),
      },
    ],
  },
  {
    id: 'http-method-accepted',
    level: 'warning',
    purpose:
      'A method other than POST is rejected with 405 and an Allow header that lists POST, or with 501.',
    clause: 'RFC 9110, 9.1 and 15.5.6',
    checks: ['J94'],
    attempts: [
      ...['PUT', 'PATCH'].map((method) => ({
        title: method,
        method,
        body: call,
        expected: notAllowed,
      })),
      ...['DELETE', 'HEAD', 'TRACE'].map((method) => ({
        title: method,
        method,
        expected: notAllowed,
      })),
      { title: 'OPTIONS', method: 'OPTIONS', expected: options() },
    ],
  },
  {
    id: 'accept-header-server-error',
    level: 'warning',
    purpose: 'A request that accepts only HTML gets a JSON response or 406.',
    clause: 'RFC 9110, 12.5.1',
    checks: ['J98'],
    attempts: [
      {
        title: 'a call that accepts text/html alone',
        body: call,
        headers: { accept: 'text/html' },
        expected: anyOfExpectations(answered(), status(406)),
        choice: 'Accept: text/html',
        way: (response) => (response.kind === 'one' ? 'JSON' : 'HTTP 406'),
      },
    ],
  },
]

/** A rejection, or a response to a preflight request. */
function options(): Expectation {
  const words = 'HTTP 405, or a success with Allow or Access-Control-Allow-Methods'
  return {
    words,
    fault: (response, exchange) => {
      const { answer } = exchange
      if (notAllowed.fault(response, exchange) === undefined) return undefined
      // RFC 9110, 9.3.7, and the preflight of Fetch: any success.
      const isGood = answer && isSuccessOf([], answer.status)
      const names = ['allow', 'access-control-allow-methods', 'access-control-allow-origin']
      if (isGood && names.some((name) => headerOf(answer.headers, name) !== undefined))
        return undefined
      return `got ${answer ? `HTTP ${answer.status} with neither` : describeResponse(response)}`
    },
    rejectsWrongly: (response) => notAllowed.rejectsWrongly?.(response) === true,
    lacksAllow: (response) => notAllowed.lacksAllow?.(response) === true,
    needsResult: false,
  }
}

/** A rejection proves nothing if the server rejects everything. */
function needing(expected: Expectation): Expectation {
  return { ...expected, needsResult: true }
}
