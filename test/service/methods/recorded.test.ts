import { describe, expect, it } from 'vitest'
import * as validators from '../../../generated/explanations.js'
import { rpcService } from '../../../generated/operations.js'
import type { RpcOperation, RpcValidators } from '../../../src/runtime/operation.js'
import { corpus, named, readCorpus } from '../../conformance/corpora.js'
import { type Answer, type Call, scriptNode, startMethods } from './service.js'

const recordings = corpus('execution-apis/io')
const pairs = recordings.flatMap((file) => {
  const lines = readCorpus('execution-apis/io', file)
    .split('\n')
    .filter((line) => /^(>>|<<)/.test(line))
    .map((line) => JSON.parse(line.slice(2)))
  return lines.flatMap((request: Call, index) => {
    const { result, error } = (lines[index + 1] ?? {}) as Answer
    const answer: Answer = error === undefined ? { result } : { error }
    return index % 2 === 0 ? [{ file, request, answer }] : []
  })
})

const operations = new Map<string, RpcOperation>(
  Object.values(rpcService.operations).map((operation: RpcOperation) => [
    operation.method,
    operation,
  ]),
)
const readable = ({ request }: (typeof pairs)[number]): boolean => {
  const id = operations.get(request.method)?.id ?? ''
  const own = (validators as unknown as Readonly<Record<string, RpcValidators>>)[id]
  return own?.params.check(request.params ?? []) === true
}

describe.skipIf(recordings.length === 0)(named('the answers of geth', recordings), () => {
  it('come out as they went in, asked as the caller asked', async () => {
    const answering = pairs.filter(readable)
    expect(answering.length).toBeGreaterThan(200)
    const different: string[] = []
    for (const { file, request, answer } of answering) {
      const node = scriptNode(() => answer)
      const { call, unexpected } = startMethods({ fetch: node.fetch, chainId: 3503995874084926 })
      const said = await call(request.method, request.params ?? [])
      const sent = request.params ?? []
      const asked = node.calls[0]?.params ?? []
      // A block that was left out may be filled in, nothing else.
      const spelt = asked.length === sent.length + 1 ? [...sent, 'latest'] : sent
      const got = JSON.stringify([said, asked, unexpected])
      if (got !== JSON.stringify([answer, spelt, []])) different.push(`${file}: ${got}`)
    }
    expect(different).toEqual([])
  })
})
