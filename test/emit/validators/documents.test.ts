import { describe, expect, it } from 'vitest'
import { rpcService } from '../../../generated/operations.js'
import * as generated from '../../../generated/validators.js'
import type { RpcOperation } from '../../../src/runtime/operation.js'
import type { Checks } from '../../../src/runtime/validate.js'
import { corpus, named, readCorpus } from '../../conformance/corpora.js'
import { api, checker, methods } from '../../spec/documents.js'
import { verdictsOf } from './written.js'

type Both = { readonly params: Checks; readonly result: Checks }
type Row = { readonly of: string; readonly written: Checks; readonly value: unknown }

const written = generated as unknown as Readonly<Record<string, Checks & Both>>
const idOf = new Map(
  Object.values<RpcOperation>(rpcService.operations).map(({ id, method }) => [method, id]),
)
const recordings = corpus('execution-apis/io')

/** Every answer that a node really gave. */
const answers = recordings.flatMap((file) => {
  const lines = readCorpus('execution-apis/io', file)
    .split('\n')
    .filter((line) => /^(>>|<<)/.test(line))
    .map((line) => JSON.parse(line.slice(2)))
  const [request, answer] = lines
  const id = idOf.get(request?.method)
  return lines.length === 2 && id !== undefined && 'result' in answer
    ? [{ file, id, value: answer.result as unknown }]
    : []
})

describe('validators.ts and the run-time checker', () => {
  it('say the same of every named schema, for the examples of the documents and what is nearly such', () => {
    const pool = methods.flatMap(({ examples }) =>
      examples.flatMap(({ params, outcome }) =>
        outcome.kind === 'result' ? [...params, outcome.value] : [...params],
      ),
    )
    const values = [...pool, ...pool.slice(0, 60).flatMap((value) => mutantsOf(value, 5))]
    const rows = [...api.schemas.keys()].flatMap((name): readonly Row[] =>
      values.map((value) => ({ of: name, written: written[name] as Checks, value })),
    )
    const differing = rows.filter((row) => {
      const { written: got, interpreted } = verdictsOf(
        row.written,
        checker.named(row.of),
        row.value,
      )
      return got.strict !== interpreted.strict || got.open !== interpreted.open
    })
    expect(values.length).toBeGreaterThan(500)
    expect(differing).toEqual([])
  })

  describe.skipIf(recordings.length === 0)(named('hold recorded answers', recordings), () => {
    it('and refuse none of them', () => {
      expect(answers.length).toBeGreaterThan(150)
      const refused = answers.filter(({ id, value }) => !written[id]?.result.check(value))
      expect(refused.map(({ file }) => file)).toEqual([])
    })

    it('and kill at least 99.5 % of the mutants of what is typed', () => {
      let typed = 0
      const alive: string[] = []
      const asked = new Map<typeof MUTATIONS, number>()
      for (const { id, file, value } of answers) {
        const check = written[id]?.result.check ?? (() => false)
        for (const path of textsIn(value)) {
          const takes = (text: unknown) => check(change(value, path, () => text))
          if (takes({ not: 'a text' })) continue
          // What is distinguished by two texts that are no mutants: bytes of any length, a number, or else a fixed length.
          const own = takes('0x') ? OF_BYTES : takes('0x1') ? OF_NUMBERS : OF_FIXED_LENGTHS
          asked.set(own, (asked.get(own) ?? 0) + 1)
          for (const [kind, mutate] of [...MUTATIONS, ...own]) {
            typed++
            if (check(change(value, path, mutate))) alive.push(`${file} ${path.join('/')} ${kind}`)
          }
        }
      }
      expect(typed).toBeGreaterThan(2_000)
      // A check that took more of them would be asked less.
      expect([OF_BYTES, OF_NUMBERS, OF_FIXED_LENGTHS].map((own) => asked.get(own))).toEqual([
        138, 2_170, 1_987,
      ])
      for (const one of alive) expect(one).toMatch(SURVIVORS)
      console.info(`${typed} mutants, ${alive.length} alive`)
      expect([alive.length / typed <= 0.005, alive.slice(0, 20)]).toEqual([true, expect.anything()])
    })
  })
})

type Path = readonly string[]

const MUTATIONS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['a number', () => 5],
  ['a list', (text) => [text]],
  ['0X', (text) => `0X${text.slice(2)}`],
  ['without 0x', (text) => text.slice(2)],
  ['a bad digit', (text) => `${text.slice(0, -1)}g`],
  ['a space behind', (text) => `${text} `],
]

const OF_BYTES: typeof MUTATIONS = [['odd nibbles', (text) => `${text}0`]]

const OF_NUMBERS: typeof MUTATIONS = [
  ['a leading zero', (text) => text.replace('0x', '0x0')],
  ['no digit', () => '0x'],
]

const OF_FIXED_LENGTHS: typeof MUTATIONS = [
  ['odd nibbles', (text) => text.slice(0, -1)],
  ['short', (text) => text.slice(0, -2)],
  ['long', (text) => `${text}00`],
]

/** Who lives: the key of a storage proof, which is given back as the caller wrote it, and a caller may write half a byte. */
const SURVIVORS = /storageProof\/\d+\/key odd nibbles$/

/** Where hexadecimal texts stand in a value, a few of each list. */
const textsIn = (value: unknown, path: Path = []): readonly Path[] => {
  if (typeof value === 'string') return /^0x[0-9a-f]+$/i.test(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value).slice(0, Array.isArray(value) ? 3 : undefined)
  return entries.flatMap(([key, part]) => textsIn(part, [...path, key]))
}

const change = (value: unknown, path: Path, mutate: (text: string) => unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return mutate(value as string)
  if (Array.isArray(value)) {
    return value.map((item, at) => (String(at) === key ? change(item, rest, mutate) : item))
  }
  const record = value as Readonly<Record<string, unknown>>
  return { ...record, [key]: change(record[key], rest, mutate) }
}

/** A value lacking a member, with a wrong one, or with one too many, at each of its places. */
const mutantsOf = (value: unknown, depth: number): readonly unknown[] => {
  if (depth === 0 || typeof value !== 'object' || value === null) return [5, null, `${value}g`]
  if (Array.isArray(value)) {
    return [
      value.slice(1),
      [...value, 5],
      ...mutantsOf(value[0], depth - 1).map((item) => [item, ...value.slice(1)]),
    ]
  }
  const entries = Object.entries(value)
  return [
    { ...value, more: 1 },
    ...entries.flatMap(([key, part]) => [
      Object.fromEntries(entries.filter(([other]) => other !== key)),
      ...mutantsOf(part, depth - 1).map((each) => ({ ...value, [key]: each })),
    ]),
  ]
}
