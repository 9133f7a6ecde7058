import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpService } from '../../generated/operations.js'
import { httpValidators } from '../../generated/validators.js'
import { createKeysIn } from './keys.js'
import { type ServiceProcess, startServiceProcess } from './service-process.js'
import { countRuns, seedOr, sized } from './size.js'

const BODIES = sized(400, 10_000)
const AT_ONCE = 16

/** Only Linux tells the memory of another process in a file. */
const isMeasured = process.platform === 'linux'

describe('random and mutated bodies', () => {
  let folder: string
  let service: ServiceProcess
  let key: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'twinspec-fuzz-'))
    const unlimited = ['rpc', 'zkt', 'try-it-out', 'status'].flatMap((name) => [
      `--${name}-limit`,
      '0',
    ])
    service = await startServiceProcess({
      args: [...unlimited, '--data', folder, '--wait-seconds', '2', '--check-answers'],
    })
    key = (await createKeysIn({ folder }, 1))[0] as string
  }, 180_000)
  afterAll(async () => {
    await service?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(['/zkt/try-it-out', '/zkt/KEY', '/zgt/try-it-out', '/zgt/KEY'])(
    `${BODIES} of them to %s: no undeclared 5xx, no hang, no key in an answer`,
    async (path) => {
      const url = `${service.url}${path.replace('KEY', key)}`
      const seeds = path.startsWith('/zkt') ? submissions : calls
      const seed = seedOr(Date.now() % 2 ** 31)
      countRuns(BODIES)
      const bodies = fc.sample(bodyOf(seeds), { numRuns: BODIES, seed })
      const before = isMeasured ? residentMegabytes(service.pid()) : 0
      const failures: string[] = []
      const statuses = new Map<number, number>()
      let next = 0
      const worker = async (): Promise<void> => {
        for (let index = next++; index < bodies.length; index = next++) {
          const body = bodies[index] as string
          const verdict = await judge(url, path, body, key)
          statuses.set(verdict.status, (statuses.get(verdict.status) ?? 0) + 1)
          if (verdict.wrong !== undefined)
            failures.push(`${verdict.wrong}: ${body.slice(0, 300)} (seed ${seed})`)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      expect(failures.slice(0, 5)).toEqual([])
      expect(statuses.get(200) ?? 0).toBeGreaterThan(0)
      // Nothing of what was refused is kept.
      if (isMeasured) expect(residentMegabytes(service.pid()) - before).toBeLessThan(400)
      else console.warn(`memory is not measured on ${process.platform}`)
      expect((await fetch(`${service.url}/ready`)).status).toBe(200)
    },
    sized(300_000, 1_200_000),
  )

  it(`${BODIES} identifiers are looked up: 200, 400, 404 or 405`, async () => {
    const arbitrary = fc.oneof(fc.uuid(), fc.string(), fc.string({ unit: 'binary' }))
    const seed = seedOr(Date.now() % 2 ** 31)
    countRuns(BODIES)
    const texts = fc.sample(arbitrary, { numRuns: BODIES, seed })
    for (const text of texts) {
      const answer = await fetch(
        `${service.url}/gtn/v1/zkt/transaction/${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))}`,
      )
      expect([200, 400, 404, 405], `${JSON.stringify(text)}, seed ${seed}`).toContain(answer.status)
      expect(Object.keys(await answer.json())).toEqual(['error'])
    }
  })
})

/** What is wrong with an answer, if anything is. */
const judge = async (
  url: string,
  path: string,
  body: string,
  key: string,
): Promise<{ readonly status: number; readonly wrong?: string }> => {
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      // A source waits for those before it; whatever takes this long hangs.
      signal: AbortSignal.timeout(120_000),
    })
    text = await answer.text()
  } catch (error) {
    return { status: 0, wrong: `no answer (${error instanceof Error ? error.message : error})` }
  }
  const { status } = answer
  if (text.includes(key)) return { status, wrong: 'the key is in the answer' }
  if (/\n\s+at |node_modules|\.ts:\d|Internal error/.test(text))
    return { status, wrong: `it tells too much: ${text.slice(0, 300)}` }
  if (path.startsWith('/zgt')) {
    // Without a key, what needs one is 401.
    const declared = path.endsWith('try-it-out') ? [200, 204, 401, 413] : [200, 204, 413]
    if (!declared.includes(status)) return { status, wrong: `status ${status}` }
    const wrong = wrongRpc(status, text, body)
    return wrong === undefined ? { status } : { status, wrong: `${wrong}: ${text.slice(0, 300)}` }
  }
  const operation = path.endsWith('try-it-out') ? 'tryZkt' : 'submitZkt'
  const validator = (
    httpValidators[operation].responses as Readonly<
      Record<string, { readonly check: (value: unknown) => boolean } | undefined>
    >
  )[String(status)]
  const isDeclared = httpService.operations[operation].responses.some(
    (declared) => declared.status === String(status),
  )
  if (!isDeclared || validator === undefined)
    return { status, wrong: `status ${status} is not declared: ${text.slice(0, 300)}` }
  if (!validator.check(JSON.parse(text)))
    return { status, wrong: `the answer breaks its schema: ${text.slice(0, 300)}` }
  return { status }
}

/** What JSON-RPC 2.0 does not allow in an answer, if anything is. */
const wrongRpc = (status: number, text: string, body: string): string | undefined => {
  if (status === 204) return text === '' ? undefined : 'no content, and yet a body'
  const answer: unknown = JSON.parse(text)
  if (!Array.isArray(answer)) return wrongAnswer(answer)
  const asked: unknown = JSON.parse(body)
  if (!Array.isArray(asked)) return 'many answers to one call'
  if (answer.length === 0 || answer.length > asked.length)
    return `${answer.length} answers to ${asked.length} calls`
  return answer.map(wrongAnswer).find((wrong) => wrong !== undefined)
}

const wrongAnswer = (answer: unknown): string | undefined => {
  if (typeof answer !== 'object' || answer === null) return 'an answer is no object'
  const { jsonrpc, id, error, ...rest } = answer as Record<string, unknown>
  if (jsonrpc !== '2.0') return 'jsonrpc is not 2.0'
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') return 'the id is missing'
  const names = Object.keys(rest)
  if (error === undefined) return names.join() === 'result' ? undefined : 'there is no one result'
  if (names.length > 0) return `beside the error there is ${names.join()}`
  const { code, message } = (error ?? {}) as Record<string, unknown>
  return Number.isInteger(code) && typeof message === 'string'
    ? undefined
    : 'the error has no code or no message'
}

type Example = { readonly value: unknown }
type Content = Readonly<Record<string, { readonly examples?: Readonly<Record<string, Example>> }>>
type Body = { readonly content?: Content } | undefined

type Documents = {
  readonly paths?: Readonly<Record<string, { readonly post?: { readonly requestBody?: Body } }>>
  readonly components?: { readonly requestBodies?: Readonly<Record<string, Body>> }
  readonly methods?: readonly {
    readonly name: string
    readonly examples?: readonly { readonly params: readonly Example[] }[]
  }[]
}

const read = (file: string): Documents =>
  JSON.parse(readFileSync(new URL(`../../generated/${file}`, import.meta.url), 'utf8'))

/** The documents' own examples are what is mutated. */
const submissions: readonly unknown[] = (() => {
  const { paths = {}, components = {} } = read('http.openapi.json')
  const bodies = [
    ...Object.values(paths).map(({ post }) => post?.requestBody),
    ...Object.values(components.requestBodies ?? {}),
  ]
  return bodies.flatMap((body) =>
    Object.values(body?.content?.['application/json']?.examples ?? {}).map(({ value }) => value),
  )
})()

const calls: readonly unknown[] = (read('rpc.openrpc.json').methods ?? []).flatMap(
  ({ name, examples = [] }) =>
    examples.map(({ params }, id) => ({
      jsonrpc: '2.0',
      id,
      method: name,
      params: params.map(({ value }) => value),
    })),
)

const bodyOf = (seeds: readonly unknown[]): fc.Arbitrary<string> => {
  const example = fc.constantFrom(...seeds)
  const mutated = fc.tuple(example, fc.nat(), fc.jsonValue({ maxDepth: 4 })).map(mutate)
  return fc.oneof(
    { weight: 2, arbitrary: example.map((value) => JSON.stringify(value)) },
    { weight: 8, arbitrary: mutated.map((value) => JSON.stringify(value)) },
    {
      weight: 2,
      arbitrary: fc.array(mutated, { maxLength: 45 }).map((list) => JSON.stringify(list)),
    },
    { weight: 2, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: example.map((value) => JSON.stringify(value).slice(0, -1)) },
    { weight: 1, arbitrary: fc.nat(5_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
  )
}

/** One place of a value replaced, dropped, or joined by something new. */
const mutate = ([value, place, other]: readonly [unknown, number, unknown]): unknown => {
  const spots = [...spotsOf(value)]
  const path = spots[place % spots.length] ?? []
  const how = place % 5
  return change(structuredClone(value), path, how, other)
}

function* spotsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) yield* spotsOf(item, [...path, name])
}

const change = (value: unknown, path: readonly string[], how: number, other: unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined || typeof value !== 'object' || value === null)
    return twist(value, how, other)
  const holder = value as Record<string, unknown>
  if (rest.length === 0 && how === 0) {
    delete holder[name]
    return holder
  }
  if (rest.length === 0 && how === 1) holder[`${name}x`] = other
  holder[name] = change(holder[name], rest, how, other)
  return holder
}

const twist = (value: unknown, how: number, other: unknown): unknown => {
  if (how === 2 && typeof value === 'string') return value.slice(0, -1)
  if (how === 3 && typeof value === 'string') return `${value}${value}`
  if (how === 4 && typeof value === 'string') return value.replace(/[0-9a-f]/, 'g')
  if (how === 3 && typeof value === 'number') return value * 1e300
  return other
}

const residentMegabytes = (pid: number): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error(`the memory of process ${pid} cannot be read`)
  return Number(kilobytes) / 1024
}
