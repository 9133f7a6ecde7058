import { describe, expect, it } from 'vitest'
import * as validators from '../../generated/explanations.js'
import { rpcService } from '../../generated/operations.js'
import type { RpcOperation, RpcValidators } from '../../src/runtime/operation.js'
import { open, type Validator } from '../../src/runtime/validate.js'
import { corpus, named, readCorpus } from './corpora.js'

type Json = { readonly [key: string]: unknown }
type Pair = {
  readonly file: string
  readonly request: { readonly method: string; readonly params?: readonly unknown[] }
  readonly answer: Json
}

const byName = validators as Readonly<Record<string, unknown>>
const rpcOperations: readonly RpcOperation[] = Object.values(rpcService.operations)
const methods = new Map(rpcOperations.map((operation) => [operation.method, operation]))

const recordings = corpus('execution-apis/io')
const pairs: readonly Pair[] = recordings.flatMap((file) => {
  const lines = readCorpus('execution-apis/io', file)
    .split('\n')
    .filter((line) => /^(>>|<<)/.test(line))
    .map((line) => JSON.parse(line.slice(2)))
  return lines.flatMap((request, index) =>
    index % 2 === 0 ? [{ file, request, answer: lines[index + 1] }] : [],
  )
})
const answered = pairs.filter(({ answer }) => !('error' in answer))
const refused = pairs.filter(({ answer }) => 'error' in answer)

describe.skipIf(recordings.length === 0)(
  named('what Ethereum nodes really said', recordings),
  () => {
    it('is recorded of methods that the document has', () => {
      expect(pairs.filter(({ request }) => !methods.has(request.method))).toEqual([])
      expect(answered.length).toBeGreaterThanOrEqual(183)
      expect(refused.length).toBeGreaterThanOrEqual(46)
    })

    it('fits the document wherever a node answered: params and result', () => {
      const faults = answered.flatMap(({ file, request, answer }) => {
        const { params, result } = validatorsOf(request.method)
        return [
          ...params.explain(request.params ?? []).map((fault) => `${file} params ${say(fault)}`),
          ...result.explain(answer.result).map((fault) => `${file} result ${say(fault)}`),
          ...(open(result).check(answer.result) ? [] : [`${file} result, read openly`]),
        ]
      })
      expect(faults).toEqual([])
    })

    it('refuses by an error object', () => {
      const shapeless = refused.filter(
        ({ answer: { error, ...answer } }) =>
          'result' in answer ||
          !Number.isInteger((error as Json).code) ||
          typeof (error as Json).message !== 'string',
      )
      expect(shapeless.map(({ file }) => file)).toEqual([])
    })

    it('refuses with a code that the method declares, or params that its schema refuses too', () => {
      const surprising = refused.flatMap(({ file, request, answer }) => {
        const { code } = answer.error as { readonly code: number }
        const declared = methods.get(request.method)?.errors.some((error) => error.code === code)
        const breaks = !validatorsOf(request.method).params.check(request.params ?? [])
        return declared || (code === -32602 && breaks) ? [] : [`${file}: ${code}`]
      })
      expect(surprising).toEqual([])
    })

    it('was asked wrongly nine times that a schema can tell', () => {
      const wrong = pairs.filter(
        ({ request }) => !validatorsOf(request.method).params.check(request.params ?? []),
      )
      expect(wrong.map(({ file }) => file)).toEqual([
        'debug_getRawBlock/get-invalid-number.io',
        'debug_getRawHeader/get-invalid-number.io',
        'debug_getRawReceipts/get-invalid-number.io',
        'debug_getRawTransaction/get-invalid-hash.io',
        'debug_traceBlockByNumber/trace-block-invalid-number.io',
        'eth_getLogs/filter-error-invalid-blockHash-and-range.io',
        'eth_getStorageAt/get-storage-invalid-key-too-large.io',
        'eth_getStorageAt/get-storage-invalid-key.io',
        'eth_getStorageValues/get-storage-values-empty-request.io',
      ])
    })
  },
)

/**
 * What the description of the service and the assumptions imply of each published example: the one form or schema that
 * its request and its answer fit, `refused` where they fit none, `none` where none is shown.
 */
const PUBLISHED: Readonly<Record<string, readonly [request: string, answer: string]>> = {
  '01-zkt-v1-message': ['message', 'ZktWriteAnswer'],
  '02-zkt-v1-message-hello': ['message', 'none'],
  '03-zkt-v2-read-tuple': ['call', 'ZktReadAnswer'],
  '04-zkt-v2-write-hash-2025': ['call', 'ZktWriteAnswer'],
  '05-zkt-v2-write-queueid-2026': ['call', 'ZktWriteAnswer'],
  // 2.5: success is a field of every answer; this excerpt leaves it out.
  '06-zkt-submit-queueid-minimal': ['none', 'refused'],
  // A trailing comma: no JSON at all.
  '07-zkt-v2-write-trailing-comma-RAW': ['refused', 'none'],
  '08-zkt-v2-deploy': ['deploy', 'ZktDeployAnswer'],
  '09-status-completed': ['queueId', 'StatusCompleted'],
  '10-status-error': ['queueId', 'StatusError'],
  '11-status-pending': ['queueId', 'StatusPending'],
  '12-status-processing': ['queueId', 'StatusProcessing'],
  '13-status-not-found': ['queueId', 'StatusLookupError'],
  '46-rpc-getSupportedTokens': ['params', 'result'],
  '47-rpc-getSupportedTokens-readme': ['params', 'result'],
  '48-rpc-getValidatorList': ['params', 'result'],
  '49-rpc-getActiveValidatorList': ['params', 'result'],
  '50-rpc-getValidatorList-at': ['params', 'none'],
  // The raw transaction is shown as `0x02f86c8401...`, which is no hex.
  '51-rpc-sendSponsoredTransaction': ['refused', 'result'],
  '52-rpc-sendSponsoredTransaction-bad-raw': ['params', 'error 1'],
  '53-rpc-runtime-error': ['params', 'error 1'],
}

const published = corpus('zkt-examples')

describe.skipIf(published.length === 0)(named('what the service published', published), () => {
  it('has a verdict for each example', () => {
    expect(published).toEqual(Object.keys(PUBLISHED).map((name) => `${name}.json`))
  })

  it.each(Object.entries(PUBLISHED))('%s reads as %j', (name, want) => {
    const example = JSON.parse(readCorpus('zkt-examples', `${name}.json`))
    expect([requestVerdict(example), answerVerdict(example)]).toEqual(want)
  })

  it('answers each form with what the form allows, at either endpoint', () => {
    for (const [name, [form]] of Object.entries(PUBLISHED)) {
      const { response } = JSON.parse(readCorpus('zkt-examples', `${name}.json`))
      if (!['message', 'call', 'deploy'].includes(form) || response === null) continue
      for (const endpoint of [validators.tryZkt, validators.submitZkt]) {
        const { response: allowed } = endpoint.variants[form as 'message' | 'call' | 'deploy']
        expect(allowed.explain(response), name).toEqual([])
      }
    }
  })
})

type Example = {
  readonly endpoint: string
  readonly request?: Json | null
  readonly rawRequestText?: string
  readonly response: Json | null
}

function requestVerdict({ endpoint, request, rawRequestText }: Example): string {
  if (rawRequestText !== undefined && !isJson(rawRequestText)) return 'refused'
  if (!request) return 'none'
  if (endpoint.includes('/zgt/')) {
    return validatorsOf(String(request.method)).params.check(request.params) ? 'params' : 'refused'
  }
  if (endpoint.includes('/transaction/')) {
    const { 'path.queueId': queueId } = validators.getZktTransaction.parameters
    return queueId.check(request.queueId) ? 'queueId' : 'refused'
  }
  // Said twice by the document: by the forms and by the body as a whole.
  const verdicts = [validators.tryZkt, validators.submitZkt].map((endpointValidators) => {
    const { message, call, deploy } = endpointValidators.variants
    const forms = { message: message.request, call: call.request, deploy: deploy.request }
    const verdict = oneOf(forms, request)
    const asWhole = endpointValidators.request.check(request)
    return asWhole === verdict in forms ? verdict : `${verdict}, but not as a body`
  })
  return [...new Set(verdicts)].join(' or ')
}

function answerVerdict({ endpoint, request, response }: Example): string {
  if (!response) return 'none'
  if (endpoint.includes('/zgt/')) {
    if ('error' in response) return errorVerdict(String(request?.method), response.error as Json)
    const { result } = validatorsOf(String(request?.method))
    return result.check(response.result) ? 'result' : 'refused'
  }
  if (endpoint.includes('/transaction/')) {
    const { 200: found, 404: lost } = validators.getZktTransaction.responses
    return oneOf(
      'error' in response ? pick('StatusLookupError') : pick(...STATES),
      response,
      'error' in response ? lost : found,
    )
  }
  return oneOf(pick(...ANSWERS), response, validators.tryZkt.responses[200])
}

const STATES = ['StatusPending', 'StatusProcessing', 'StatusCompleted', 'StatusError']
const ANSWERS = [
  'ZktWriteAnswer',
  'ZktReadAnswer',
  'ZktDeployAnswer',
  'ZktWarningAnswer',
  'ZktError',
]

/** A declared code, and a message. */
function errorVerdict(method: string, { code, message }: Json): string {
  const declared = methods.get(method)?.errors.some((error) => error.code === code)
  return declared && typeof message === 'string' ? `error ${code}` : 'refused'
}

/** The one validator that a value fits; the schema of the whole must agree. */
function oneOf(
  choices: Readonly<Record<string, Validator>>,
  value: unknown,
  whole?: Validator,
): string {
  const fitting = Object.keys(choices).filter((name) => choices[name]?.check(value))
  if (whole && whole.check(value) !== (fitting.length === 1)) return 'disagreement'
  return fitting.length === 0 ? 'refused' : fitting.join(' and ')
}

function pick(...names: readonly string[]): Readonly<Record<string, Validator>> {
  return Object.fromEntries(names.map((name) => [name, byName[name] as Validator]))
}

/** As a client finds them: the wire name leads to the operation, its id to the validators. */
function validatorsOf(method: string): RpcValidators {
  const operation = methods.get(method)
  if (!operation) throw new Error(`the document has no ${method}`)
  return byName[operation.id] as RpcValidators
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const say = ({ pointer, message }: { readonly pointer: string; readonly message: string }) =>
  `${pointer} ${message}`
