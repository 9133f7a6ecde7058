import type { Api, HttpOperation, RpcOperation } from '../../model/api.js'
import { sentParametersSchema } from '../../model/params.js'
import { isJson } from '../../runtime/shared/media-type.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { createChecker } from '../../schema/check.js'
import type { Finding, Session } from '../case.js'
import type { Verdict } from '../conform.js'
import { outcomeOf } from '../http/outcome.js'
import { ownName } from '../operations.js'
import { coverageOf } from '../report/coverage.js'
import { findingsOf } from '../report/findings.js'
import { checkExchange } from '../responses/check-response.js'
import { mediaTypeOf } from '../responses/http.js'
import { jsonOf } from '../responses/json-text.js'
import { callsIn, parseJson, type Reading, readExchange } from '../responses/read.js'
import { matchAnswers } from '../responses/rpc-match.js'
import { type RpcResponse, readAnswers } from '../responses/rpc-response.js'
import { createRecord } from '../session.js'
import { type Exchange, textOf } from '../wire/exchange.js'
import { addressOf, NO_TARGET } from './address.js'
import { readTraffic } from './read-traffic.js'
import { NO_HOST, type Recording, RecordingError } from './recording.js'

/**
 * Checks recorded traffic offline: every response of a file, or of all files of a folder, as `conform` checks those of a live
 * server. `readTraffic` lists the formats. A line that cannot be read is reported as not tested, and the next one is read. Rejects
 * with RecordingError if nothing can be read, or no traffic is found.
 */
export const checkTraffic = async (api: Api, path: string): Promise<Verdict> => {
  const checker = createChecker(api.schemas)
  const { cover, skip, notOffered, ...record } = createRecord()
  const findings: Finding[] = []
  const hidden = new Set<string>()
  let cases = 0
  let isEmpty = true
  let firstFault: RecordingError | undefined
  const onFault = (fault: RecordingError) => {
    firstFault ??= fault
    skip(fault.place, fault.reason)
  }
  for await (const recording of readTraffic(path, { onFault, onSkip: skip })) {
    isEmpty = false
    const { file, line, pointer } = recording
    const recorded = pointer === undefined ? `${file}:${line}` : `${file}#${pointer}`
    const request = recording.sent()
    const sent = { ...request, url: request.url ?? NO_HOST }
    const exchange: Exchange = { sent, answer: recording.answer(), failure: undefined, recorded }
    const address = addressOf(api, sent)
    if (!address) {
      skip(recorded, 'it does not match a documented operation')
      continue
    }
    for (const secret of address.hidden) hidden.add(secret)
    const { target } = address
    const reading = readExchange(api, target, exchange)
    const single =
      reading.kind === 'rpc' && reading.request.kind === 'single'
        ? reading.request.member
        : undefined
    if (exchange.answer === undefined && !single?.isNotification) {
      skip(recorded, 'its response was not recorded')
      continue
    }
    cases += 1
    if (single && !single.operation)
      skip(
        recorded,
        'its method is not documented: only the JSON-RPC envelope of its response was checked',
      )
    if (reading.kind === 'http' && reading.operation.parameters.length > 0)
      skip(
        ownName(reading.operation),
        'only the bodies of recorded requests are checked, not their parameters in path, query or headers',
      )
    const source = (reading.kind === 'rpc' ? api.rpc : api.http)?.source
    const found = [
      ...checkExchange({ api, target, checker, cover, skip, notOffered }, exchange),
      ...judgeRequest({ checker }, exchange, reading, recording),
    ]
    findings.push(
      ...found.map((one) => ({ ...one, source: one.source ?? one.operation?.source ?? source })),
    )
  }
  if (isEmpty) {
    const message =
      'there is no recorded traffic here: name a folder or a file of .io, .har or .ndjson'
    throw firstFault ?? new RecordingError(path, 1, message)
  }
  const everywhere = { ...NO_TARGET, secrets: [...hidden] }
  return {
    findings: findingsOf(api, everywhere, undefined, findings, { ways: new Map() }),
    // Values at their bounds are only tested with requests to a live server.
    coverage: coverageOf(api, record).filter(({ kind }) => kind !== 'keyword'),
    choices: {},
    notOffered: [...record.absent].map(ownName),
    notTested: [...record.skipped].map(([why, what]) => ({ what: [...what], why })),
    ...{ inferred: [], isRecorded: true as const },
    ...{ cases, requests: 0, seconds: 0, seed: 0 },
  }
}

/**
 * Reports a request that certainly breaks its operation and was accepted: its params, JSON body or JSON Lines. Headers and missing bodies
 * are ignored, because a recording may omit or decode them.
 */
const judgeRequest = (
  context: Context,
  exchange: Exchange,
  reading: Reading,
  { facts }: Recording,
): readonly Finding[] => {
  if (reading.kind === 'http') return checkBody(context, exchange, reading.operation, facts)
  if (reading.kind !== 'rpc') return []
  const { pairs } = matchAnswers(callsIn(reading.request), answersOf(exchange), () => false)
  return pairs.flatMap(({ member, answer }) => {
    const { operation, value } = member
    if (!operation || answer.outcome.kind !== 'result' || !isObject(value)) return []
    const fault = faultOf(context, operation, value.params)
    if (fault === undefined) return []
    const message = `${fault.where} ${fault.message}, but the response was a result`
    const expected = 'an error with the code -32602'
    return [{ rule: fault.rule, message, expected, exchange, operation, aspect: fault.where }]
  })
}

const answersOf = ({ answer }: Exchange): readonly RpcResponse[] => {
  const text = textOf(answer?.body)
  return parseJson(text) ? readAnswers(text) : []
}

/** Recordings are often abbreviated for publication; such a value is not what was sent. */
const isCutShort = (value: unknown): boolean => /\.\.\.|…/.test(jsonOf(value))

type Fault = { readonly rule: string; readonly where: string; readonly message: string }

const faultOf = (
  { checker }: Context,
  operation: RpcOperation,
  params: unknown,
): Fault | undefined => {
  const given = params ?? []
  if (isCutShort(given)) return undefined
  if (typeof given !== 'object' || given === null) return undefined
  const isList = Array.isArray(given)
  const isEmpty = Object.keys(given).length === 0
  if (isEmpty && operation.params.every(({ required }) => !required)) return undefined
  const { paramStructure } = operation
  // An empty list can be read as params by name, all of them omitted.
  const structure = isEmpty || !isList ? 'by-name' : 'by-position'
  if (!isEmpty && paramStructure !== 'either' && paramStructure !== structure)
    return {
      rule: isList ? 'invalid-params-accepted' : 'named-params-accepted',
      where: 'params',
      message: isList ? 'are sent by position' : 'are sent by name',
    }
  const validator = checker.schema(
    sentParametersSchema({ ...operation, paramStructure: structure }),
  )
  const value = isEmpty ? {} : given
  if (validator.check(value)) return undefined
  const [first] = validator.explain(value)
  const isSurplus = isList && first?.pointer === '' && given.length > operation.params.length
  return {
    rule: isSurplus ? 'extra-params-accepted' : 'invalid-params-accepted',
    where: `params${first?.pointer ?? ''}`,
    message: first?.message ?? 'does not match its schema',
  }
}

const checkBody = (
  context: Context,
  exchange: Exchange,
  operation: HttpOperation,
  { headers, body }: Recording['facts'],
): readonly Finding[] => {
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? ''
  const media = mediaTypeOf(operation.body?.content ?? [], type)
  const value = isJson(type) || media?.isSequential ? body() : undefined
  if (!media || value === undefined || isCutShort(value)) return []
  const validator = context.checker.schema(media.schema)
  if (validator.check(value)) return []
  if (outcomeOf(context, operation, exchange) !== 'taken') return []
  const [first] = validator.explain(value)
  const where = `body${first?.pointer ?? ''}`
  const isClosed = first?.keyword === 'additionalProperties'
  return [
    {
      rule: isClosed ? 'undeclared-property-accepted' : 'invalid-request-accepted',
      message: `${where} ${first?.message ?? 'does not match its schema'}, but the response was ${exchange.answer?.status}`,
      expected: 'a 4xx that the operation declares',
      ...{ exchange, operation, aspect: where },
    },
  ]
}

type Context = Pick<Session, 'checker'>
