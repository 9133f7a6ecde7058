import type { Api } from '../../model/api.js'
import { createChecker } from '../../schema/check.js'
import type { Finding } from '../case.js'
import type { Verdict } from '../conform.js'
import { ownName } from '../operations.js'
import { coverageOf } from '../report/coverage.js'
import { findingsOf } from '../report/findings.js'
import { checkExchange } from '../responses/check-response.js'
import { readExchange } from '../responses/read.js'
import { createRecord } from '../session.js'
import type { Exchange } from '../wire/exchange.js'
import { addressOf } from './address.js'
import { readTraffic } from './read-traffic.js'
import { judgeRequest } from './recorded-request.js'
import { NO_HOST, RecordingError } from './recording.js'

/**
 * Checks recorded traffic, offline: every response of a file, or of all files of a folder, as `conform` checks those of a live
 * server. `readTraffic` says which files it reads. Rejects with RecordingError where something cannot be read, or nothing is there.
 */
export const checkTraffic = async (api: Api, path: string): Promise<Verdict> => {
  const checker = createChecker(api.schemas)
  const { cover, skip, notOffered, ...record } = createRecord()
  const findings: Finding[] = []
  const hidden = new Set<string>()
  let cases = 0
  let isEmpty = true
  for await (const recording of readTraffic(path, { onSkip: skip })) {
    isEmpty = false
    const { file, line, pointer } = recording
    const recorded = pointer === undefined ? `${file}:${line}` : `${file}#${pointer}`
    const request = recording.sent()
    const sent = { ...request, url: request.url ?? NO_HOST }
    const exchange: Exchange = { sent, answer: recording.answer(), failure: undefined, recorded }
    const address = addressOf(api, sent)
    if (!address) {
      skip(recorded, 'it is about no documented operation')
      continue
    }
    for (const secret of address.hidden) hidden.add(secret)
    const { target } = address
    const reading = readExchange(api, target, exchange)
    const isSilent =
      reading.kind === 'rpc' &&
      reading.request.kind === 'single' &&
      reading.request.member.isNotification
    if (exchange.answer === undefined && !isSilent) {
      skip(recorded, 'its answer was not recorded')
      continue
    }
    cases += 1
    if (
      reading.kind === 'rpc' &&
      reading.request.kind === 'single' &&
      !reading.request.member.operation
    )
      skip(
        recorded,
        'its method is not documented: only the JSON-RPC envelope of its response was checked',
      )
    if (reading.kind === 'http' && reading.operation.parameters.length > 0)
      skip(
        ownName(reading.operation),
        'of recorded requests the body is judged, and no parameter of path, query or header',
      )
    const source = (reading.kind === 'rpc' ? api.rpc : api.http)?.source
    const found = [
      ...checkExchange({ api, target, checker, cover, skip, notOffered }, exchange),
      ...judgeRequest({ checker }, exchange, reading),
    ]
    findings.push(
      ...found.map((one) => ({ ...one, source: one.source ?? one.operation?.source ?? source })),
    )
  }
  if (isEmpty) {
    const message = 'nothing is recorded here: name a folder or a file of .io, .har or .ndjson'
    throw new RecordingError(path, 1, message)
  }
  const everywhere = { ...NO_TARGET, secrets: [...hidden] }
  return {
    findings: findingsOf(api, everywhere, undefined, findings, { ways: new Map() }),
    // The bounds of values are tried by sending them.
    coverage: coverageOf(api, record).filter(({ kind }) => kind !== 'keyword'),
    choices: {},
    notOffered: [...record.absent].map(ownName),
    notTested: [...record.skipped].map(([why, what]) => ({ what: [...what], why })),
    ...{ inferred: [], isRecorded: true as const },
    ...{ cases, requests: 0, seconds: 0, seed: 0 },
  }
}

const NO_TARGET = { http: undefined, rpc: undefined, rpcWithKey: undefined, key: undefined }
