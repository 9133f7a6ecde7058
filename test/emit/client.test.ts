import { expect, it } from 'vitest'
import { createClient } from '../../generated/client.js'

const answerBoth = () => {
  const urls: string[] = []
  const packages: (string | null)[] = []
  const fetch = async (url: string, { body, headers }: RequestInit) => {
    urls.push(url)
    packages.push(new Headers(headers).get('x-client-package'))
    const sent = typeof body === 'string' ? JSON.parse(body) : {}
    return Response.json(
      'jsonrpc' in sent
        ? { jsonrpc: '2.0', id: sent.id, result: '0x1' }
        : { success: true, queueId: '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942' },
    )
  }
  return { urls, packages, fetch }
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

it('sends its package and version with every request of either protocol, where they are given', async () => {
  const { packages, fetch } = answerBoth()
  const options = { auth: { apiKey: 'my-key' }, fetch }
  const zkt = { body: { arguments: 'hello' } }
  const silent = createClient(options)
  await silent.http.submitZkt(zkt)
  await silent.rpc.ethChainId()
  expect(packages.splice(0)).toEqual([null, null])
  const client = createClient({
    ...options,
    clientPackage: '@acme/orders/1.4.2',
    headers: { 'X-Client-Package': 'other/1' },
    http: { headers: { 'x-trace': 't' } },
  })
  await client.http.submitZkt(zkt)
  await client.rpc.ethChainId()
  await client.rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()])).catch(() => 0)
  await client.http.submitZkt(zkt, { headers: { 'X-Client-Package': 'own/2.0.0-beta.1' } })
  const named = '@acme/orders/1.4.2'
  expect(packages).toEqual([named, named, named, 'own/2.0.0-beta.1'])
})

it.each(['', 'orders', '@acme/orders', 'orders/1.4.2\r\nx: y', 'orders 1/1.4.2', 'a/b/1.4.2'])(
  'a package without a name and a version is rejected: %j',
  (clientPackage) => {
    expect(() => createClient({ clientPackage })).toThrow(
      'options.clientPackage must be a name and a version: @acme/orders/1.4.2',
    )
  },
)
