import type { Api, HttpOperation, Operation } from '../model/api.js'
import { loadCodecs } from '../model/load-codecs.js'
import type { ImportedCodec, ValueCodecs } from '../runtime/shared/codecs.js'
import { isObject } from '../runtime/validate/json-value.js'
import type { Fault } from '../runtime/validate.js'
import { decodeContent } from '../runtime/wire/read-body.js'
import { createChecker } from '../schema/check.js'
import { tryParseJson } from '../text/json-text.js'
import { routeOfRecorded } from '../traffic/address.js'
import { isResponse } from '../traffic/connection.js'
import { recordedMessages } from '../traffic/event-messages.js'
import { type Exchange, type ReceivedResponse, textOf } from '../traffic/exchange.js'
import { createRequestReader } from '../traffic/read-request.js'
import { readTraffic } from '../traffic/read-traffic.js'
import { NO_HOST, type Recording, RecordingError } from '../traffic/recording.js'
import type { ExchangeFinding, Session } from './case.js'
import type { Verdict } from './conform.js'
import { type CalledResult, createRecordedConnections } from './duplex/recorded.js'
import { ownName } from './operations.js'
import { classify } from './outcome.js'
import { createRecord } from './record.js'
import { isCutShort, recordedParamsFault } from './recorded-params.js'
import { NO_TARGET, recordedTarget } from './recorded-target.js'
import { coverageOf } from './report/coverage.js'
import { findingsOf } from './report/findings.js'
import { checkExchange } from './responses/check-response.js'
import {
  callsIn,
  importedCodec,
  type ParsedRequest,
  type RpcRequest,
  readExchange,
} from './responses/read.js'
import { matchAnswers } from './responses/rpc-match.js'
import { type ResponseObject, readAnswers } from './responses/rpc-response.js'

/**
 * Checks recorded traffic offline: every response of a file, or of all files of a folder, as `conform` checks those of a live
 * server. `readTraffic` lists the formats. A line that cannot be read is reported as not tested, and the next one is read. Rejects
 * with RecordingError if nothing can be read, or no traffic is found.
 */
export const checkTraffic = async (api: Api, path: string): Promise<Verdict> => {
  const checker = createChecker(api.schemas)
  const codecs = await loadCodecs(api)
  const read = createRequestReader(api.schemas, checker, codecs)
  const { recorder, seen } = createRecord()
  const { cover, skip, notOffered } = recorder
  const called = { api, cover, notOffered }
  const served = {
    api: { ...api, operations: api.serverMethods },
    cover: () => undefined,
    notOffered: (operation: Operation) =>
      skip(ownName(operation), 'the client reports that it does not offer it'),
  }
  const connections = createRecordedConnections({ api, checker, skip })
  const findings: ExchangeFinding[] = []
  const hidden = new Set<string>()
  let cases = 0
  let isEmpty = true
  let firstFault: RecordingError | undefined
  async function* messages() {
    for await (const one of readTraffic(path, { onFault, onSkip: skip }))
      yield* recordedMessages(api, one)
  }
  const onFault = (fault: RecordingError) => {
    firstFault ??= fault
    skip(fault.place, fault.reason)
  }
  for await (const recording of messages()) {
    isEmpty = false
    const { file, line, pointer, connection, sender } = recording
    const recorded = pointer === undefined ? `${file}:${line}` : `${file}#${pointer}`
    const request = recording.sent()
    const sent = { ...request, url: request.url ?? NO_HOST }
    const address = recordedTarget(api, sent)
    if (!address) {
      skip(connection?.name ?? recorded, 'it does not match a documented operation')
      continue
    }
    if (recording.unread) {
      skip(recorded, recording.unread.words)
      continue
    }
    for (const secret of address.hidden) hidden.add(secret)
    const isOfServer = sender === 'server'
    const side = isOfServer ? served : called
    // A client may send its own key.
    const target = { ...address.target, ...(isOfServer && { secrets: [] }), codecs }
    const received = recording.answer()
    const codec = received && importedCodec(side.api, target, sent, received)
    const decoded = codec && decodedResponse(received, recording, codec, codecs)
    if (decoded?.isPartial && !received?.isPartial)
      skip(recorded, 'the body of its response was recorded as a text, without its bytes')
    const answer = decoded ?? received
    const exchange: Exchange = {
      ...{ sent, answer, failure: undefined, recorded },
      ...(isOfServer && { isOfServer }),
    }
    const reading = readExchange(side.api, target, exchange)
    const single =
      reading.kind === 'rpc' && reading.request.kind === 'single'
        ? reading.request.member
        : undefined
    const sentMembers = reading.kind === 'rpc' ? callsIn(reading.request) : []
    if (sentMembers.length > 0 && sentMembers.every(({ value }) => isResponse(value))) {
      skip(recorded, 'it is a response of the client, whose call is in another exchange')
      continue
    }
    if (exchange.answer === undefined && !single?.isNotification) {
      skip(recorded, 'its response was not recorded')
      continue
    }
    cases += 1
    if (single && !single.operation)
      skip(
        recorded,
        isOfServer
          ? 'the document has no such method of the server: its params were not checked'
          : 'its method is not documented: only the JSON-RPC envelope of its response was checked',
      )
    if (reading.kind === 'http' && reading.operation.parameters.some(isInHeaders))
      skip(
        ownName(reading.operation),
        'parameters in headers and cookies of recorded requests are not checked, because recordings omit them',
      )
    const source = (reading.kind === 'rpc' ? api.rpc : api.http)?.source
    const responses = checkExchange({ ...side, target, checker, skip }, exchange)
    const found = isOfServer
      ? [...responses.map(ofClient), ...connections.check(recording, exchange, reading)]
      : [...responses, ...checkRequest({ checker, api, skip, read }, exchange, reading, recording)]
    if (!isOfServer && connection && reading.kind === 'rpc')
      connections.note(connection, resultsIn(reading.request, exchange))
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
    coverage: coverageOf(api, seen).filter(({ kind }) => kind !== 'keyword'),
    choices: {},
    notOffered: [...seen.absent].map(ownName),
    notTested: [...seen.skipped].map(([why, what]) => ({ what: [...what], why })),
    ...{ inferred: [], isRecorded: true as const },
    ...{ cases, requests: 0, seconds: 0, seed: 0 },
  }
}

const ofClient = (one: ExchangeFinding): ExchangeFinding => ({
  ...one,
  message: `in a response of the client, ${one.message}`,
})

/** A response in a codec that is not built in, with its value; without its body if the recording has only a text of that. */
const decodedResponse = (
  received: ReceivedResponse,
  { facts }: Recording,
  codec: ImportedCodec,
  codecs: ValueCodecs,
): ReceivedResponse => {
  const content = facts.response?.content()
  const value = content && decodeContent(content, codec, codecs)
  if (value) return { ...received, value }
  const isText = content && 'raw' in content && typeof content.raw === 'string'
  if (!isText || content.raw === '') return received
  return { ...received, body: new Uint8Array(), isPartial: true }
}

const isInHeaders = ({ in: place, secret }: HttpOperation['parameters'][number]): boolean =>
  secret !== true && !CHECKED.has(place)

/**
 * Reports a request that certainly breaks its operation and was accepted: its params, its parameters in path and query, or its
 * body. Headers and missing bodies are ignored, because a recording may omit or decode them.
 */
const checkRequest = (
  context: Context,
  exchange: Exchange,
  reading: ParsedRequest,
  { facts }: Recording,
): readonly ExchangeFinding[] => {
  if (reading.kind === 'http') return checkInput(context, exchange, reading.operation, facts)
  if (reading.kind !== 'rpc') return []
  return resultsIn(reading.request, exchange).flatMap(({ operation, value }) => {
    const fault = recordedParamsFault(context.checker, operation, value.params)
    if (fault === undefined) return []
    const message = `${fault.where} ${fault.message}, but the response was a result`
    const expected = 'an error with the code -32602'
    return [{ rule: fault.rule, message, expected, exchange, operation, aspect: fault.where }]
  })
}

/** The calls of documented methods that got a result. */
const resultsIn = (request: RpcRequest, exchange: Exchange): readonly CalledResult[] => {
  const { pairs } = matchAnswers(callsIn(request), answersOf(exchange), () => false)
  return pairs.flatMap(({ member: { operation, value }, answer: { outcome } }) =>
    operation && outcome.kind === 'result' && isObject(value)
      ? [{ operation, value, result: outcome.value }]
      : [],
  )
}

const answersOf = ({ answer }: Exchange): readonly ResponseObject[] => {
  const text = textOf(answer?.body)
  return tryParseJson(text) ? readAnswers(text) : []
}

/** The parameters and the body of a request, as servers read them. */
const checkInput = (
  context: Context,
  exchange: Exchange,
  operation: HttpOperation,
  facts: Recording['facts'],
): readonly ExchangeFinding[] => {
  const { checker, api, skip } = context
  const { recorded = '' } = exchange
  const path = routeOfRecorded(api, facts.method, facts.url ?? '')?.path ?? {}
  const { parameters, body } = context.read(operation, facts, path)
  const found = (where: string, fault: Fault | undefined, rule: string): ExchangeFinding => ({
    rule,
    message: `${where} ${fault?.message ?? 'does not match its schema'}, but the response was ${exchange.answer?.status}`,
    expected: 'a 4xx that the operation declares',
    ...{ exchange, operation, aspect: where },
  })
  const findings: ExchangeFinding[] = []
  const isAccepted = classify(exchange, operation, context).kind === 'accepted'
  for (const one of parameters) {
    const { in: place, name, secret } = one.parameter
    // Recordings omit headers and cookies, and redact secrets.
    if (one.kind === 'value' || secret === true || !CHECKED.has(place)) continue
    if (one.kind === 'unread') skip(recorded, `the ${place} parameter ${name} cannot be read`)
    else if (isAccepted && !('written' in one && isCutShort(one.written))) {
      const [first] = one.faults
      findings.push(found(`${place}/${name}${first?.pointer ?? ''}`, first, ACCEPTED))
    }
  }
  if (body.kind === 'unread' || body.kind === 'unknown') {
    const reason = body.kind === 'unread' ? body.reason : 'not-recorded'
    // Bytes have no schema that could be broken.
    if (operation.body && reason !== 'bytes') skip(recorded, UNREAD_BODY)
    return findings
  }
  if (body.kind === 'none' || !isAccepted || isCutShort(body.written)) return findings
  const media = operation.body?.content.find(({ type }) => type === body.content)
  // Only the reading of texts needs the schema.
  const isChecked = body.kind === 'invalid' || body.texts !== 'none' || !media
  const faults = body.kind === 'invalid' ? body.faults : NO_FAULTS
  const [first] = isChecked ? faults : checker.schema(media.schema).explain(body.written)
  if (first === undefined) return findings
  const isClosed = first.keyword === 'additionalProperties'
  const rule = isClosed ? 'undeclared-property-accepted' : ACCEPTED
  return [...findings, found(`body${first.pointer}`, first, rule)]
}

const ACCEPTED = 'invalid-request-accepted'
const NO_FAULTS: readonly Fault[] = []
const UNREAD_BODY = 'the body of its request was not recorded, or cannot be read'

const CHECKED: ReadonlySet<string> = new Set(['path', 'query'])

type Context = Pick<Session, 'checker'> & {
  readonly api: Api
  readonly skip: (what: string, why: string) => void
  readonly read: ReturnType<typeof createRequestReader>
}
