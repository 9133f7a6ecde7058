import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Api } from '../../model/api.js'
import { messageOf } from '../../runtime/shared/message-of.js'
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
import { addressOf, NOWHERE } from './address.js'
import { judgeRequest } from './recorded-request.js'
import { type Recording, RecordingError, readHar, readIo, readNdjson } from './recording.js'

/**
 * Judges traffic that was recorded, offline: what is due of every answer is asked of those in a file, or in all files of a
 * folder. `.io` holds round trips of JSON-RPC, `.har` is an HTTP Archive, `.ndjson` and `.jsonl` hold an exchange a line.
 * Throws RecordingError where something cannot be read, or nothing is there.
 */
export const checkTraffic = (api: Api, path: string): Verdict => {
  const checker = createChecker(api.schemas)
  const { cover, skip, notOffered, ...record } = createRecord()
  const findings: Finding[] = []
  const hidden = new Set<string>()
  let cases = 0
  const recordings = filesIn(path).flatMap((file) => {
    const read = READERS[extname(file).toLowerCase()]
    if (!read) skip(file, 'it is no .io, .har, .ndjson or .jsonl file')
    return read ? read(file, textOf(file)) : []
  })
  if (recordings.length === 0) {
    const message = 'nothing is recorded here: name a folder or a file of .io, .har or .ndjson'
    throw new RecordingError(path, 1, message)
  }
  for (const recording of recordings) {
    const { file, line, pointer } = recording
    const recorded = pointer === undefined ? `${file}:${line}` : `${file}#${pointer}`
    const sent = { ...recording.sent, url: recording.sent.url ?? NOWHERE }
    const exchange: Exchange = { sent, answer: recording.answer, failure: undefined, recorded }
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
      skip(recorded, 'its method is not documented: only JSON-RPC itself was asked of the answer')
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

const READERS: Readonly<Record<string, (file: string, text: string) => readonly Recording[]>> = {
  '.io': readIo,
  '.har': readHar,
  '.ndjson': readNdjson,
  '.jsonl': readNdjson,
}

/** Sorted, so that a report is the same on every machine. */
const filesIn = (path: string): readonly string[] => {
  const read = <T>(list: () => T): T => {
    try {
      return list()
    } catch (cause) {
      const message = `it cannot be read (${messageOf(cause)}): name a folder or a file that is there`
      throw new RecordingError(path, 1, message, { cause })
    }
  }
  if (!read(() => statSync(path)).isDirectory()) return [path]
  return read(() => readdirSync(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Text that is not UTF-8 is rejected, for a key could hide in it. */
const textOf = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    const message = `it cannot be read as UTF-8 (${messageOf(cause)}): save it as text`
    throw new RecordingError(file, 1, message, { cause })
  }
}
