import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { curlLines } from '../../src/mock/curl.js'
import { startMock } from '../../src/mock/mock.js'
import type { Operation } from '../../src/model/api.js'
import { DocumentError } from '../../src/model/finding.js'
import { loadApi } from '../../src/read/load.js'
import { codecOf } from '../../src/runtime/shared/codecs.js'
import { createChecker } from '../../src/schema/check.js'
import { CORPORA, corpus, named, readCorpus } from '../conformance/corpora.js'

type Entry = { readonly file: string; readonly kind: 'openapi' | 'openrpc' }

const indexed: readonly Entry[] =
  corpus('documents').length === 0 ? [] : JSON.parse(readCorpus('documents', 'index.json'))

/** Every version of a node: each method of each must answer. */
const versions = corpus('histories/bitcoin').map((file) => `histories/bitcoin/${file}`)

const documents: readonly Entry[] = [
  ...indexed.map(({ file, kind }) => ({ file: `documents/${file}`, kind })),
  ...versions.map((file) => ({ file, kind: 'openrpc' as const })),
]

type Response = { readonly status: number; readonly type: string; readonly body: string }

/** Requests in one process: a start of curl takes longer than most responses. */
const MANY = 50

/** Runs the printed curl line of every operation, in one shell. */
const responsesOf = async (lines: readonly string[]): Promise<readonly Response[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-mocked-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // One process sends many requests: each printed line becomes a part of its command.
  const parts = lines.map(
    (line, at) =>
      `${line.replace(/^curl /, '')} -o ${folder}/${at} -w '%{http_code} %{content_type}\\n'`,
  )
  const script: string[] = []
  for (let at = 0; at < parts.length; at += MANY)
    script.push(`curl ${parts.slice(at, at + MANY).join(' --next ')}`)
  writeFileSync(join(folder, 'script'), script.join('\n'))
  const shell = spawn('/bin/sh', [join(folder, 'script')], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  shell.stdout.on('data', (chunk) => {
    said += chunk
  })
  await new Promise((resolve) => shell.once('close', resolve))
  return said
    .trimEnd()
    .split('\n')
    .map((line, at) => {
      const [status = '', type = ''] = line.split(' ')
      let body = ''
      try {
        body = readFileSync(join(folder, String(at)), 'utf8')
      } catch {
        // curl writes no file for a response without a body.
      }
      return { status: Number(status), type, body }
    })
}

/** What is wrong with a response; undefined where it fits the document. */
const problemOf = (
  operation: Operation,
  { status, type, body }: Response,
  checker: ReturnType<typeof createChecker>,
): string | undefined => {
  if (operation.kind === 'rpc') {
    const { result, error } = JSON.parse(body)
    if (status !== 200) return `status ${status}`
    if (error !== undefined) return `error ${JSON.stringify(error).slice(0, 300)}`
    const [fault] = checker.schema(operation.result.schema).explain(result)
    return fault && `result ${fault.pointer} ${fault.message}`
  }
  const keys = [String(status), `${String(status)[0]}XX`, `${String(status)[0]}xx`, 'default']
  const found = keys.flatMap((key) => operation.responses.filter((one) => one.status === key))[0]
  if (found === undefined) return `status ${status} ${body.slice(0, 300)}`
  if (body === '' && found.content.length === 0) return undefined
  if (codecOf(type) !== 'json') return undefined
  const schemas = found.content.filter(
    (one) => codecOf(one.type) === 'json' || one.type.includes('*'),
  )
  const faults = schemas.map(({ schema }) => checker.schema(schema).explain(JSON.parse(body))[0])
  return faults.length === 0 || faults.includes(undefined)
    ? undefined
    : `${status} ${faults[0]?.pointer} ${faults[0]?.message}`
}

/** A request that the mock rejects: its example breaks its schema, or no value of its schema could be made. */
const isRejected = ({ status, body }: Response): boolean =>
  [400, 415, 422].includes(status) || /"error":\{"code":-32602,/.test(body)

describe(named('documents of other teams', documents), () => {
  it.for(documents.map(({ file, kind }) => [file, kind] as const))(
    '%s is mocked: each operation answers as documented, or was named',
    {
      timeout: 900_000,
    },
    async ([file, kind], { annotate }) => {
      const path = join(CORPORA, file)
      const api = await loadApi({ [kind]: path }).catch((error) => {
        if (error instanceof DocumentError) return error
        throw error
      })
      // A document that cannot be read is rejected with the place.
      if (api instanceof DocumentError) {
        await annotate(`${file} cannot be read: ${api.message}`)
        return expect(api.finding.location.line).toBeGreaterThan(0)
      }
      const mock = await startMock(api)
      onTestFinished(() => mock.stop())
      const named = mock.notMocked.map(({ location }) => location.pointer)
      const operations = api.operations.filter(
        ({ source }) => !named.includes(source.locate().pointer),
      )
      const lines = curlLines({ ...api, operations }, mock)
      expect(lines).toHaveLength(operations.length)
      const responses = await responsesOf(lines)
      const checker = createChecker(api.schemas)
      const problems = operations.flatMap((operation, at) => {
        const response = responses[at]
        const problem = response ? problemOf(operation, response, checker) : 'no response'
        return problem === undefined ? [] : [{ id: operation.id, problem, response }]
      })
      const rejected = problems.filter(({ response }) => response && isRejected(response))
      const counts = `${operations.length} operations answer, ${named.length} were named`
      await annotate(`${file}: ${counts}, ${rejected.length} requests could not be made`)
      expect(problems.filter((one) => !rejected.includes(one))).toEqual([])
      const most = versions.includes(file) ? 0 : operations.length / 10
      expect(rejected.length).toBeLessThanOrEqual(most)
    },
  )
})
