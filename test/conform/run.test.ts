import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ConformOptions, conform } from '../../src/conform/conform.js'
import type { Wire } from '../../src/conform/wire/exchange.js'
import type { Exchange, Sent } from '../../src/traffic/exchange.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

const KEY = 'key-1234567'
const api = await apiOf({
  openrpc: openrpcOf({
    methods: ['clock_now', 'clock_day'].map((name) => ({
      name,
      params: [],
      result: { name: 'r', schema: { type: 'string' } },
      errors: [{ code: -32601, message: 'Method not found' }],
      examples: [{ name: 'noon', params: [], result: { name: 'r', value: 'noon' } }],
    })),
  }),
  openapi: openapiOf({
    paths: {
      '/hours': {
        get: {
          operationId: 'listHours',
          tags: ['time'],
          responses: { 200: { description: 'All of them.' } },
        },
      },
    },
  }),
})

const answered = (sent: Sent, value: unknown, headers: readonly (readonly [string, string])[]) => ({
  sent,
  answer: {
    status: 200,
    headers: [['content-type', 'application/json'] as const, ...headers],
    body: new TextEncoder().encode(JSON.stringify(value)),
    milliseconds: 1,
  },
  failure: undefined,
})

/** Answers each call with noon, unless `other` has another answer or throws. */
const judged = (
  other: (sent: Sent) => Exchange | undefined,
  options: ConformOptions = {},
): ReturnType<typeof conform> => {
  const wire: Wire = async (sent) =>
    other(sent) ?? answered(sent, { jsonrpc: '2.0', id: 1, result: 'noon' }, [])
  const sleep = async () => undefined
  const named = { url: 'http://127.0.0.1:9', key: KEY, rate: null, maxExamples: 2 }
  return conform(api, { ...named, ...{ wire, sleep }, ...options })
}

const isOf = ({ body }: Sent, method: string) => String(body).includes(method)

describe('a case that throws', () => {
  it('is reported as not tested in a sentence, and the others are tried', async () => {
    const { notTested, coverage, cases } = await judged((sent) => {
      if (isOf(sent, 'clock_day')) throw new TypeError(`no room for ${KEY}\n    at a line`)
      return undefined
    })
    const [broken] = notTested.filter(({ why }) => why.includes('room'))
    expect(broken?.why).toBe('an unexpected error: no room for $KEY')
    expect(broken?.what).toContain('clock_day, example noon')
    expect(broken?.what.length).toBeLessThan(cases)
    const [operations] = coverage.filter(({ kind }) => kind === 'operation')
    expect(operations?.met).toContain('clock_now')
    expect(operations?.met).not.toContain('clock_day')
  })

  it('proves nothing where all of them do', async () => {
    let count = 0
    const throwing = judged(
      () => {
        count += 1
        if (count > 1) throw new TypeError('no room')
        return undefined
      },
      { only: ['clock_now'] },
    )
    await expect(throwing).rejects.toMatchObject({
      name: 'TargetError',
      message: 'nothing could be tested, because every case failed: an unexpected error: no room',
    })
  })

  it('is not blamed for the end of the run', async () => {
    const ending = new AbortController()
    const { notTested } = await judged(
      (sent) => {
        if (!isOf(sent, 'clock_now')) return undefined
        ending.abort()
        throw new TypeError('ended')
      },
      { signal: ending.signal },
    )
    expect(notTested.map(({ why }) => why)).toContain('the run was stopped before it')
    expect(notTested.filter(({ why }) => why.includes('nobody expected'))).toEqual([])
  })
})

describe('a server that takes no connections any more', () => {
  const refused = (sent: Sent) => ({
    sent,
    answer: undefined,
    failure: 'the connection was refused',
    cause: 'unreachable' as const,
  })

  it('is reported once, with the last request that it took, and the rest is not tested', async () => {
    let hasDied = false
    let asked = 0
    const { findings, notTested } = await judged((sent) => {
      asked += hasDied ? 1 : 0
      if (hasDied) return refused(sent)
      hasDied = isOf(sent, 'clock_day')
      return hasDied
        ? { sent, answer: undefined, failure: 'the connection was closed before an answer' }
        : undefined
    })
    // A request that was answered before, and then the next one, four times.
    expect(asked).toBe(5)
    const gone = findings.filter(({ rule }) => rule === 'server-unreachable')
    expect(gone).toMatchObject([{ exchange: { request: expect.stringContaining('clock_day') } }])
    const left = notTested.find(({ why }) => why === 'the server no longer accepts connections')
    expect(left?.what.length).toBeGreaterThan(5)
    expect(findings.some(({ message }) => message.includes('refused'))).toBe(false)
  })

  it('is asked again where somebody starts it anew', async () => {
    const asked = new Set<string>()
    const { findings, notTested } = await judged((sent) => {
      const text = String(sent.body)
      const isAgain = asked.has(text)
      asked.add(text)
      return asked.size === 3 && !isAgain ? refused(sent) : undefined
    })
    expect(findings.map(({ rule }) => rule)).not.toContain('server-unreachable')
    expect(notTested.map(({ why }) => why)).not.toContain(
      'the server no longer accepts connections',
    )
  })
})

describe('what is reported of a server', () => {
  it('holds no key, not even where a choice is what a header said', async () => {
    const verdict = await judged((sent) =>
      sent.url.endsWith('/hours') ? answered(sent, 'noon', [['cache-control', KEY]]) : undefined,
    )
    expect(verdict.choices['header cache-control']).toBe('$KEY')
    expect(JSON.stringify(verdict)).not.toContain(KEY)
  })

  it('names what is not offered once, by the name that its document has for it', async () => {
    const { notTested } = await judged((sent) =>
      isOf(sent, 'clock_day')
        ? answered(sent, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }, [])
        : undefined,
    )
    const why = 'the server reports that it does not offer it'
    expect(notTested.filter(({ what }) => what.includes('clock_day'))).toEqual([
      { what: ['clock_day'], why },
    ])
    expect(JSON.stringify(notTested)).not.toContain('clockDay')
  })
})

it('lets as many requests listen to its end as are under way', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  let most = 0
  const waiting = new Set<() => void>()
  const wire: Wire = async (sent, { signal }) => {
    for (let index = 0; index < 12; index++) {
      const listen = () => undefined
      signal?.addEventListener('abort', listen)
      waiting.add(() => signal?.removeEventListener('abort', listen))
    }
    most = Math.max(most, signal === undefined ? 0 : getEventListeners(signal, 'abort').length)
    return answered(sent, { jsonrpc: '2.0', id: 1, result: 'noon' }, [])
  }
  await judged(() => undefined, { wire, only: ['clock_now'] })
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('warning', note)
  for (const free of waiting) free()
  expect(most).toBeGreaterThan(11)
  expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning')
})

describe('--only', () => {
  const names = async (...only: readonly string[]) => {
    const tried = new Set<string>()
    const onProgress = ({ name }: { readonly name: string }) => void tried.add(name)
    await judged(() => undefined, { only, onProgress })
    return [...tried]
  }

  it.each([
    ['clock_now', /^(clock_now|JSON-RPC), /],
    ['clockNow', /^(clock_now|JSON-RPC), /],
    ['GET /hours', /^(listHours, |[A-Z]+ \/hours$|headers)/],
    ['time', /^(listHours, |[A-Z]+ \/hours$|headers)/],
    ['JSON-RPC', /^JSON-RPC, /],
  ])('tries what %s names and nothing else', async (only, want) => {
    const tried = await names(only)
    expect(tried.length).toBeGreaterThan(0)
    expect(tried.filter((name) => !want.test(name))).toEqual([])
  })

  it('tries one case by its name, commas and all, beside others', async () => {
    const text = 'clock_now, example noon,clock_day, valid values of params'
    const long = 'JSON-RPC, an id of 65,536 characters'
    expect(await names(text, long)).toEqual([
      'clock_now, example noon',
      long,
      'clock_day, valid values of params',
    ])
  })

  it.each([
    ['clock_noww', 'no operation and no case is called clock_noww: did you mean clock_now?'],
    [
      'zzzzzzzzzzzz',
      'no operation and no case is called zzzzzzzzzzzz: give an id, a method, a path, a tag or the name of a case',
    ],
    [
      'id-is-not-echoed',
      'id-is-not-echoed is a rule, which applies to many responses: name the operation or the case that reported it',
    ],
  ])('refuses %s before anybody is asked', async (only, message) => {
    let asked = 0
    const refused = judged(
      () => {
        asked += 1
        return undefined
      },
      { only: [only] },
    )
    await expect(refused).rejects.toMatchObject({ name: 'TargetError', message })
    expect(asked).toBe(0)
  })
})

it('an operation that declares no responses is tested, and any success is right', async () => {
  const paths = { '/look': { get: { operationId: 'look' } } }
  const silent = await apiOf({ openapi: openapiOf({ version: '3.1.0', paths }) })
  const wire: Wire = async (sent) => answered(sent, 'any', [])
  const { findings, coverage } = await conform(silent, {
    url: 'http://127.0.0.1:9',
    rate: null,
    wire,
  })
  expect(findings.map(({ rule }) => rule)).not.toContain('status-is-undeclared')
  expect(findings.map(({ rule }) => rule)).not.toContain('operation-never-answered')
  expect(coverage.find(({ kind }) => kind === 'operation')?.met).toEqual(['look'])
})

it('a server whose responses have no end is given up after a few requests, as a silent one is', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.setHeader('content-type', 'application/json').write('[')
    const timer = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(conform(api, { url, rate: null, milliseconds: 100 })).rejects.toMatchObject({
    name: 'TargetError',
    message: `${url} gave no whole response to any of 4 requests, so nothing was tested: no complete response arrived in 0.1 seconds; it sent only the beginning of a response: read the log of the server`,
  })
  expect(asked).toBe(4)
})
