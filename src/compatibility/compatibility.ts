import { isRead } from '../conform/operations.js'
import { diff, matchOperations } from '../diff/diff.js'
import { type Mock, startMock } from '../mock/mock.js'
import type { Api, Operation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { nameOf } from '../model/operation-name.js'
import { credentialNames } from '../runtime/client-options.js'
import { secretVariables } from '../runtime/shared/server-url.js'
import { isSuccessOf } from '../runtime/wire/status.js'
import { createChecker } from '../schema/check.js'
import { createSampler } from '../schema/readable.js'
import { createCalls, type PlannedCall } from './calls.js'
import type { Cell, CellVerdict, Matrix } from './cell.js'
import { type CallResult, classifyCall } from './classify-call.js'
import type { CreateClient } from './load-client.js'
import { createMismatches } from './mismatch.js'
import { runOldWorkflows } from './old-workflows.js'
import { preferencesOf } from './preferences.js'
import { type CallRecord, createCallSender } from './send-call.js'

/**
 * Sends the requests of old documents, by the clients of their versions, to a server or to a mock of the new documents. The
 * matrix has a cell for each version and operation; new operations have no cell.
 */
export const compareVersions = async (
  versions: readonly OldVersion[],
  options: CompatibilityOptions,
): Promise<Matrix> => {
  const cells: Cell[] = []
  const findings = new Map<string, readonly Finding[]>()
  const mocks = new Map<Api, Mock>()
  try {
    for (const version of versions) {
      const { name, before, after } = version
      const mock =
        options.server === undefined ? (mocks.get(after) ?? (await startMock(after))) : undefined
      if (mock) mocks.set(after, mock)
      cells.push(...(await cellsOf(version, mock, options)))
      findings.set(name, diff(before, after, { today: options.today }))
    }
  } finally {
    await Promise.all([...mocks.values()].map(({ stop }) => stop()))
  }
  return { versions: versions.map(({ name }) => name), cells, findings }
}

/** An old version whose clients are still in use. */
export type OldVersion = {
  readonly name: string
  readonly before: Api
  /** The new documents, limited to the protocols of the old ones. */
  readonly after: Api
  readonly createClient: CreateClient
}

export type CompatibilityOptions = {
  /** The date by which diff decides whether a deprecated operation may be removed. */
  readonly today: Date
  /** The address of the new server; by default, a mock of the new documents is started. */
  readonly server?: string | undefined
  readonly key?: string | undefined
  /** Skips requests that could write. */
  readonly readOnly?: boolean
  /** Milliseconds for one call; 30,000 by default. */
  readonly milliseconds?: number
  /** Resolves when the next request may be sent. */
  readonly take?: () => Promise<void>
  readonly onProgress?: (version: string, done: number, total: number) => void
  readonly signal?: AbortSignal
}

/** The key for every credential that the documents declare; a mock and a public server accept any key. */
const credentialsOf = (
  api: Api,
  key = 'compatibility-check',
): Readonly<Record<string, unknown>> => {
  const servers = [...(api.http?.servers ?? []), ...(api.rpc?.servers ?? [])]
  const http = api.operations.flatMap((one) => (one.kind === 'http' ? [one] : []))
  const names = new Set([
    ...[...servers, ...http.flatMap((one) => one.servers)].flatMap(secretVariables),
    ...http.flatMap(credentialNames),
  ])
  const schemes = Object.assign({}, ...http.map((one) => one.schemes))
  const sampler = createSampler(api.schemas, 'request')
  const secretOf = (name: string): unknown => {
    if (schemes[name]?.kind === 'basic') {
      const [username = '', ...password] = key.split(':')
      return { username, password: password.join(':') }
    }
    if (key !== 'compatibility-check') return key
    // A mock validates the value of a secret parameter against its schema.
    const parameter = http.flatMap((one) => one.parameters).find((one) => one.name === name)
    const sample = parameter && (parameter.examples[0]?.value ?? sampler(parameter.schema))
    return typeof sample === 'string' ? sample : key
  }
  return Object.fromEntries([...names].map((name) => [name, secretOf(name)]))
}

const cellsOf = async (
  { name, before, after, createClient }: OldVersion,
  mock: Mock | undefined,
  options: CompatibilityOptions,
): Promise<readonly Cell[]> => {
  const { readOnly = false, signal, onProgress, key, milliseconds = 30_000, take } = options
  const isMock = mock !== undefined
  const server = options.server ?? mock?.url ?? ''
  const auth = credentialsOf(before, key)
  const send = createCallSender(createClient, { server, auth, milliseconds, take, isMock })
  const checker = createChecker(before.schemas)
  const callsOf = createCalls(before, checker)
  const mismatchOf = createMismatches(after, createChecker(after.schemas))
  const pairs = new Map(matchOperations(before, after).pairs.map((one) => [one.before, one.after]))
  const without = new Set(mock?.notMocked.map(({ operation }) => operation))
  const tried = new Set(before.operations.filter((one) => !readOnly || isRead(one)))
  const notes = new Map([...tried].map((one) => [one.id, createNote()]))
  const note = (operation: Operation) => notes.get(operation.id) ?? createNote()

  const call = async (
    label: string,
    operation: Operation,
    values: PlannedCall['values'],
    { prefer, isOfError = false }: { readonly prefer?: string; readonly isOfError?: boolean } = {},
  ): Promise<CallRecord & { readonly result: CallResult }> => {
    const current = pairs.get(operation)
    const sending = await send(values, operation, prefer)
    const [exchange] = sending.kind === 'unsent' ? [] : sending.exchanges
    const mismatch = exchange && mismatchOf(exchange.sent, current)
    const result: CallResult =
      current !== undefined && without.has(current.id) && sending.kind === 'thrown'
        ? { kind: 'undecided', why: 'the mock has no response: neither an example nor a sample' }
        : classifyCall(sending, {
            label,
            operation,
            isOfError,
            isMock,
            mismatch,
            hasKey: key !== undefined,
          })
    note(operation).add(sending, result, mismatch)
    return { ...sending, result }
  }

  for (const [index, operation] of [...tried].entries()) {
    if (signal?.aborted) break
    onProgress?.(name, index, tried.size)
    let accepted: PlannedCall['values'] | undefined
    for (const { label, values, isOfError = false } of callsOf(operation.id)) {
      const sending = await call(label, operation, values, { isOfError })
      if (!isOfError && isAnswered(sending, operation)) accepted ??= values
    }
    const current = pairs.get(operation)
    if (!isMock || current === undefined || accepted === undefined) continue
    for (const { label, prefer, isOfError } of preferencesOf(operation, current)) {
      await call(label, operation, accepted, { prefer, isOfError })
    }
  }
  await runOldWorkflows(before, {
    ...{ server, key, checker },
    call,
    mayBeSent: (operation) => !signal?.aborted && tried.has(operation),
    onBroken: (label, operation, { message, expected }) => {
      if (isMock) return
      note(operation).add(undefined, {
        kind: 'breaks',
        difference: { sent: label, expected, received: message },
      })
    },
  })
  return [...tried].map((operation): Cell => {
    const current = pairs.get(operation)
    const afterSource = current?.source ?? after[operation.kind]?.source ?? operation.source
    return {
      version: name,
      operation: nameOf(operation),
      places: { before: operation.source.locate(), after: afterSource.locate() },
      ...note(operation).read(),
    }
  })
}

/** Whether the server returned a success response, even if the client rejected it. */
const isAnswered = (
  sending: CallRecord & { readonly result: CallResult },
  operation: Operation,
): boolean => {
  if (sending.kind === 'unsent') return false
  if (sending.kind === 'returned') return true
  const status = sending.exchanges.at(-1)?.answer?.status ?? 0
  if (operation.kind === 'http') return isSuccessOf(operation.responses, status)
  return isSuccessOf([], status) && Reflect.get(Object(sending.error), 'name') !== 'RpcError'
}

/** Collects the results of one operation: the worst kind decides, with its first result. */
const createNote = () => {
  const seen = new Map<CallResult['kind'], CallResult>()
  let requests = 0
  let mismatch: Cell['mismatch']
  return {
    add: (sending: CallRecord | undefined, result: CallResult, found?: Cell['mismatch']): void => {
      if (sending && sending.kind !== 'unsent') {
        requests += sending.exchanges.length
        mismatch ??= found
      }
      if (!seen.has(result.kind)) seen.set(result.kind, result)
    },
    read: (): Pick<Cell, 'verdict' | 'requests' | 'difference' | 'why' | 'mismatch'> => {
      const worst = seen.get('breaks') ?? seen.get('warns') ?? seen.get('works')
      const counted = { requests, ...(mismatch && { mismatch }) }
      if (worst !== undefined && worst.kind !== 'undecided') {
        const verdict: CellVerdict = worst.kind
        return 'difference' in worst
          ? { verdict, ...counted, difference: worst.difference }
          : { verdict, ...counted }
      }
      const undecided = seen.get('undecided')
      const why =
        undecided?.kind === 'undecided'
          ? undecided.why
          : 'its documents show no request, and none could be made'
      return { verdict: 'untested', ...counted, why }
    },
  }
}
