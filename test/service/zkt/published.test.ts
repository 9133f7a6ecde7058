import { encodeFunctionResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { StatusRecord } from '../../../src/service/outbox/outbox.js'
import { corpus, named, readCorpus } from '../../conformance/corpora.js'
import { chainOf, outboxOf, serve } from './fixture.js'

const published = corpus('zkt-examples')
const example = (number: string) => {
  const name = published.find((file) => file.startsWith(number))
  return JSON.parse(readCorpus('zkt-examples', name ?? ''))
}

describe.skipIf(published.length === 0)(named('what the service published', published), () => {
  test.each(['01', '02'])('message %s', async (number) => {
    const { post, accepted } = serve()
    const { request } = example(number)
    const answer = await post(request)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(Buffer.from(accepted[0]?.data.slice(2) ?? '', 'hex').toString()).toBe(request.arguments)
  })

  test('03, a read of one tuple', async () => {
    const { request, response } = example('03')
    const [owner, fileName, fileHash] = response.output
    const result = encodeFunctionResult({
      abi: parseAbi([
        'function getFile() view returns ((address owner, string fileName, bytes32 fileHash))',
      ]),
      result: { owner, fileName, fileHash },
    })
    const { post } = serve({ chain: chainOf({ call: async () => result }) })
    expect((await post(request)).body).toEqual(response)
  })

  test.each(['04', '05'])('write %s', async (number) => {
    const { request, response } = example(number)
    const { post, accepted } = serve()
    const { status, body } = await post(request)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(expect.arrayContaining(Object.keys(response)))
    expect(body.id).toBe(response.id)
    expect(accepted).toMatchObject([{ to: request.to }])
  })

  test('07, a body with a trailing comma', async () => {
    expect((await serve().post(example('07').rawRequestText)).status).toBe(400)
  })

  test.each(['09', '10', '11', '12', '13'])('status %s', async (number) => {
    const { request, response } = example(number)
    const moment = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
    const record: StatusRecord | undefined = response.status && {
      queueId: request.queueId,
      status: response.status,
      hash: response.transactionHash ?? '0x',
      createdAt: moment(response.createdAt) ?? new Date(0),
      processedAt: moment(response.processedAt),
      errorMessage: response.errorMessage ?? undefined,
    }
    const { look } = serve({ outbox: outboxOf({ find: async () => record }) })
    const { status, body } = await look(request.queueId)
    expect({ status, body }).toEqual({ status: number === '13' ? 404 : 200, body: response })
  })
})
