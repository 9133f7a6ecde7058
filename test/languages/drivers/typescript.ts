/** The driver of TypeScript: `typescript.ts FOLDER`, with the generated client in the folder. README.md has the protocol. */
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { writeJson } from '../../../src/runtime/shared/json.js'
import { importFile } from '../../emit/generated-code.js'
import type { Answer, Call, Case, Handled, Options, Outcome } from '../case.js'

type Client = Readonly<Record<string, Operation>> & {
  readonly with: (options: { readonly signal: AbortSignal }) => Client
  readonly batch: (collect: (batch: Client) => Promise<unknown>[]) => Promise<unknown>
  readonly subscribe: Readonly<
    Record<string, (...args: readonly unknown[]) => AsyncIterable<unknown>>
  >
}
type Operation = ((...args: readonly unknown[]) => Promise<unknown>) &
  Readonly<
    Record<'poll' | 'pages' | 'items', (...args: readonly unknown[]) => AsyncIterable<unknown>>
  >
type Module = {
  readonly createHttpClient: (options: object) => Client
  readonly createRpcClient: (options: object) => Client
  readonly RpcError: new (error: object) => Error
}

const folder = process.argv[2] ?? ''
// Node 20 has none.
Object.assign(globalThis, { WebSocket })
const modules = {
  http: await importFile<Module>(folder, 'http.client.ts'),
  rpc: await importFile<Module>(folder, 'rpc.driver.ts'),
}

const run = async ({ id, protocol, options = {}, call, sockets }: Case): Promise<Answer> => {
  const handled: Handled[] = []
  const closing = new AbortController()
  const waits: number[] = []
  const shown: string[] = []
  let warnings = 0
  const controller = new AbortController()
  const cancelAt = (place: Call['cancel']): void => {
    if (call.cancel === place) controller.abort()
  }
  const onWarning = () => {
    warnings += 1
  }

  const finish = async (work: () => Promise<Outcome>) => {
    try {
      return await work()
    } catch (error) {
      shown.push(textOf(error))
      return outcomeOf(error)
    }
  }
  const outcome = await finish(async () => {
    cancelAt('before')
    if (call.cancel === 'held')
      fetch(new URL('/cancel', options.server?.replace(/^ws/, 'http'))).then(() =>
        controller.abort(),
      )
    const own = {
      ...optionsOf(options, waits, () => cancelAt('wait')),
      onWarning,
      ...(sockets && { signal: closing.signal }),
      ...(call.handlers && { handlers: handlersOf(call.handlers, handled), onError: ignore }),
    }
    const { signal } = controller
    const isCancelled = call.cancel !== undefined
    const rpcClient = () => {
      const made = modules.rpc.createRpcClient(own)
      return isCancelled ? made.with({ signal }) : made
    }
    const client = protocol === 'http' ? modules.http.createHttpClient(own) : rpcClient()
    const {
      how = 'call',
      operation = '',
      members = [],
      timeout,
      interval,
      take = Number.POSITIVE_INFINITY,
    } = call
    if (how === 'batch') {
      const pending: Promise<Outcome>[] = []
      await client.batch((batch) => {
        const calls = members.map((one) => invoke(batch, one.operation, one.params))
        pending.push(...calls.map((one) => finish(async () => resultOf(await one))))
        return calls.map((one) => one.catch(() => undefined))
      })
      return { kind: 'list', list: await Promise.all(pending) }
    }
    const separate = ({ operation, params }: (typeof members)[number]) =>
      finish(async () => resultOf(await invoke(client, operation, params)))
    if (how === 'together') return { kind: 'list', list: await Promise.all(members.map(separate)) }
    if (how === 'sequence') {
      const list: Outcome[] = []
      for (const one of members) list.push(await separate(one))
      return { kind: 'list', list }
    }
    const list: Outcome[] = []
    const terms = isCancelled ? { signal } : {}
    const input = protocol === 'http' ? [withFiles(call.input ?? {})] : argumentsOf(call.params)
    if (protocol === 'http' && how !== 'poll') input.push(terms)
    const onGap = (gap: object) => list.push({ kind: 'gap', ...gap })
    const { attempts } = call
    const member =
      how === 'subscribe'
        ? () => client.subscribe[operation]?.(...input, { onGap, attempts, ...terms })
        : client[operation]
    if (member === undefined) throw new Error(`there is no operation ${operation}`)
    if (how === 'call') return resultOf(await member(...input))
    const polling = {
      ...{ timeout: milliseconds(timeout), interval: milliseconds(interval) },
      ...terms,
    }
    const source =
      how === 'subscribe'
        ? (member() as AsyncIterable<unknown>)
        : how === 'stream'
          ? ((await member(...input)) as AsyncIterable<unknown>)
          : how === 'poll'
            ? (member as Operation).poll(...input, polling)
            : (member as Operation)[how](...input)
    const last = await finish(async () => {
      for await (const item of source) {
        list.push(resultOf(item))
        cancelAt('item')
        if (list.filter(({ kind }) => kind === 'value').length >= take) break
      }
      return { kind: 'list' }
    })
    return { kind: 'list', list: last.kind === 'list' ? list : [...list, last] }
  })
  // Messages of the server are read on, after the response.
  if (call.handlers) await new Promise((resolve) => setTimeout(resolve, 50))
  closing.abort()
  const own = call.handlers && { handled }
  return { id, outcome, waits, warnings, ...own, shown: shown.join('\n') }
}

const ignore = (): void => undefined

const handlersOf = (handlers: NonNullable<Call['handlers']>, handled: Handled[]) =>
  Object.fromEntries(
    Object.entries(handlers).map(([operation, { result, error }]) => [
      operation,
      (params: unknown) => {
        handled.push({ operation, value: writeJson(params) ?? 'null' })
        if (error) throw new modules.rpc.RpcError(error)
        return result
      },
    ]),
  )

const argumentsOf = (params: unknown): unknown[] =>
  params === undefined
    ? []
    : Array.isArray(params)
      ? params.map((one) => withFiles(one ?? undefined))
      : [withFiles(params)]

const invoke = (client: Client, operation: string, params: unknown) =>
  (client[operation] as Operation)(...argumentsOf(params))

const milliseconds = (seconds: number | undefined) => seconds && seconds * 1000

const optionsOf = (options: Options, waits: number[], onWait: () => void) => {
  const {
    auth = {},
    retry = {},
    clock,
    timeout,
    validateRequest,
    validateResponse,
    ...rest
  } = options
  let now = 1_700_000_000_000
  const still = {
    now: () => now,
    random: () => 0.5,
    sleep: async (wait: number) => {
      waits.push(wait / 1000)
      now += wait
      onWait()
    },
  }
  return {
    ...rest,
    integers: 'bigint',
    auth: Object.fromEntries(Object.entries(auth).map(([name, one]) => [name, secretOf(one)])),
    retry: {
      ...retry,
      ...(retry.delay && { delay: retry.delay * 1000 }),
      ...(retry.longest && { longest: retry.longest * 1000 }),
    },
    timeout: milliseconds(timeout) ?? 60_000,
    validate: { request: validateRequest, response: validateResponse },
    ...(clock !== 'real' && { clock: still }),
  }
}

const secretOf = (secret: NonNullable<Options['auth']>[string]) => {
  if (typeof secret === 'string') return secret
  if ('user' in secret) return { username: secret.user, password: secret.password }
  let at = 0
  return () => secret.each[Math.min(at++, secret.each.length - 1)]
}

/** A value with files in place of their descriptions. */
const withFiles = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withFiles)
  if (typeof value !== 'object' || value === null) return value
  if ('$null' in value) return null
  if ('$int' in value) return BigInt(String(value.$int))
  if ('$float' in value) return Number(value.$float)
  if ('$file' in value) {
    const { text, name, type } = value.$file as { text: string; name?: string; type?: string }
    const bytes = new TextEncoder().encode(text)
    return name === undefined ? bytes : new File([bytes], name, { type: type ?? '' })
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withFiles(one)]))
}

const resultOf = (value: unknown): Outcome => ({ kind: 'value', value: writeJson(value) ?? 'null' })

const outcomeOf = (error: unknown): Outcome => {
  const { name, reason, operation, method, status, code, message, issues, body } = Object(error)
  const pointers: readonly string[] = (issues ?? []).map((one: { pointer: string }) => one.pointer)
  const [pointer] = [...pointers].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const placed = pointer === undefined ? {} : { pointer }
  if (name === 'CallError') return { kind: 'CallError', reason, operation, ...placed }
  if (name === 'HttpError')
    return { kind: 'HttpError', status, operation, text: writeJson(body) ?? 'null', ...placed }
  if (name === 'RpcError') return { kind: 'RpcError', code, operation: method, text: message }
  if (name === 'TypeError') return { kind: 'TypeError' }
  throw error
}

/** Everything of an error that a log may show. */
const textOf = (error: unknown): string => {
  const { stack, message, cause, issues, body, headers, text } = Object(error)
  const parts = [
    stack,
    message,
    JSON.stringify(issues),
    JSON.stringify(body),
    text,
    headers && JSON.stringify([...headers]),
  ]
  return [...parts, cause === undefined ? '' : textOf(cause)].filter(Boolean).join('\n')
}

process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await run(JSON.parse(line) as Case)
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
process.exit(0)
