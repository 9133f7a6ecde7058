import { expect, it } from 'vitest'
import { createClient } from '../../generated/client.js'

const answerBoth = () => {
  const urls: string[] = []
  const fetch = async (url: string, { body }: RequestInit) => {
    urls.push(url)
    const sent = typeof body === 'string' ? JSON.parse(body) : {}
    return Response.json(
      'jsonrpc' in sent
        ? { jsonrpc: '2.0', id: sent.id, result: '0x1' }
        : { success: true, queueId: '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942' },
    )
  }
  return { urls, fetch }
}

it('one client has both protocols, with the same options', async () => {
  const { urls, fetch } = answerBoth()
  const client = createClient({ server: 'http://a.test', auth: { apiKey: 'my-key' }, fetch })
  await client.http.submitZkt({ body: { arguments: 'hello' } })
  expect(await client.rpc.ethChainId()).toBe('0x1')
  expect(urls).toEqual(['http://a.test/zkt/my-key', 'http://a.test/zgt/my-key'])
})

it('options of one protocol win over the others', async () => {
  const { urls, fetch } = answerBoth()
  const client = createClient({
    auth: { apiKey: 'my-key' },
    fetch,
    http: { server: 'http://a.test' },
    rpc: { server: 'http://b.test', auth: { apiKey: 'r' } },
  })
  await client.http.submitZkt({ body: { arguments: 'hello' } })
  await client.rpc.ethChainId()
  expect(urls).toEqual(['http://a.test/zkt/my-key', 'http://b.test/zgt/r'])
})

it('options that cannot work fail when the client is created', () => {
  expect(() => createClient({ server: 'tesnet' })).toThrow(TypeError)
})
