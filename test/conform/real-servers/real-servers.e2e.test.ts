import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { ran } from '../../cli/command.js'
import { isInstalled, startServer } from './start-server.js'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const SERVERS = [
  ['anvil', 'openrpc', 'chain.openrpc.yaml'],
  ['ganache', 'openrpc', 'chain.openrpc.yaml'],
  ['jayson', 'openrpc', 'chain.openrpc.yaml'],
  ['json-rpc-2.0', 'openrpc', 'chain.openrpc.yaml'],
  ['express-openapi-validator', 'openapi', 'pets.openapi.yaml'],
  ['fastify-openapi-glue', 'openapi', 'pets.openapi.yaml'],
] as const

type Judgement = {
  readonly kind: string
  readonly level: string
  readonly verdict: unknown
  readonly clause: unknown
  readonly reason: unknown
  readonly secondVerdict: unknown
  readonly secondReason?: unknown
}

const judgements: readonly Judgement[] = parse(readFileSync(here('judgements.yaml'), 'utf8'))
const judged = new Map(judgements.map((one) => [one.kind, one]))
const isUpheld = (verdict: unknown): boolean => verdict === true || verdict === 'debatable'
/** What a clause leaves open is no error. */
const isFit = (level: string, { verdict, secondVerdict }: Judgement): boolean =>
  level !== 'error' || (verdict !== 'debatable' && secondVerdict !== 'debatable')

/** All findings about one server, by kind, with one example each. */
const kindsOf = async (url: string, flag: string, document: string) => {
  const args = [`--${flag}`, here(document), '--rate', '0', '--format', 'json']
  const { code, stdout, stderr } = await ran(['conform', url, ...args])
  expect({ code, stderr }).toMatchObject({
    code: expect.toSatisfy((one) => one === 0 || one === 1),
  })
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Found[] }
  return new Map(findings.map((one) => [one.cause, one]))
}

type Found = {
  readonly cause: string
  readonly level: string
  readonly message: string
  readonly clause: string
}

describe('what conform reports about servers of other people', () => {
  for (const [name, flag, document] of SERVERS) {
    const isAbsent = !isInstalled(name)
    const title = `${name}: each kind is judged, and none is false`
    const why = isAbsent ? ' (skipped: npm run real-servers installs it)' : ''
    it.skipIf(isAbsent)(`${title}${why}`, async () => {
      const server = await startServer(name)
      onTestFinished(server.stop)
      const kinds = await kindsOf(server.url, flag, document)
      expect([...kinds.values()].filter(({ cause }) => !judged.has(cause))).toEqual([])
      for (const { cause, level } of kinds.values()) {
        expect(judged.get(cause), cause).toSatisfy((one: Judgement) => isFit(level, one))
      }
    })
  }
})

describe('judgements.yaml', () => {
  it('judges each kind once, with a clause and a reason', () => {
    expect(judged.size).toBe(judgements.length)
    for (const { kind, verdict, clause, reason } of judgements) {
      expect(isUpheld(verdict), kind).toBe(true)
      expect([typeof clause, typeof reason], kind).toEqual(['string', 'string'])
    }
  })

  // Nobody who wrote the first verdicts may fill them in.
  it('has the verdict of a second judge for each kind, and none is false', () => {
    const left = judgements.filter(({ secondVerdict }) => !isUpheld(secondVerdict))
    expect(left.map(({ kind }) => kind)).toEqual([])
  })

  it('says where the second judge differs, and why', () => {
    const differing = judgements.filter(({ verdict, secondVerdict }) => verdict !== secondVerdict)
    const silent = differing.filter(({ secondReason }) => typeof secondReason !== 'string')
    expect(silent.map(({ kind }) => kind)).toEqual([])
  })

  it('has no error that either judge calls debatable', () => {
    const unfit = judgements.filter((one) => !isFit(one.level, one))
    expect(unfit.map(({ kind }) => kind)).toEqual([])
  })
})
