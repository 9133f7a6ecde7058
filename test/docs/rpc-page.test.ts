import { expect, it } from 'vitest'
import { siteOf } from './site-of.js'

const text = { type: 'string' }
const param = (name: string, schema: object) => ({ name, required: true, schema })
const variant = (kind: string, item: object) => ({
  params: { prefixItems: [{ const: kind }] },
  result: text,
  item,
})

const openrpc = {
  openrpc: '1.4.1',
  info: { title: 'Chain', version: '1' },
  servers: [{ url: 'wss://chain.example' }],
  methods: [
    {
      name: 'start',
      paramStructure: 'by-position',
      params: [param('kind', text), { name: 'filter', schema: { type: 'object' } }],
      result: { name: 'id', schema: text },
      'x-subscription': {
        unsubscribe: 'stop',
        id: '/subscription',
        notifications: [{ method: 'sent', item: '/result' }],
      },
      'x-variants': {
        heads: variant('heads', { type: 'object', properties: { blockNumber: text } }),
        logs: variant('logs', { type: 'object', properties: { logAddress: text } }),
      },
    },
    { name: 'stop', params: [param('id', text)], result: { name: 'ended', schema: {} } },
    {
      name: 'sent',
      'x-direction': 'server',
      paramStructure: 'by-name',
      params: [param('subscription', text), param('result', {})],
    },
    { name: 'ping', 'x-direction': 'both', params: [] },
    { name: 'log', 'x-direction': 'client', params: [] },
  ],
}

it('a method that subscribes shows its notifications, how it ends, and its variants', async () => {
  const { read, file } = await siteOf({ openrpc })
  const page = read('operations/start.html')
  expect(page).toContain(
    'The server sends its items over the same connection, until the client calls stop with the id.',
  )
  expect(page).toContain('sent: the id is at /subscription, the item at /result of its params')
  expect(page).toContain('rpc.subscribe.start(…)')
  expect(file('operations/start.html')).toContain('href="../sent-by-the-server.html#sent--sent"')
  expect(page).toContain('The variant of the params decides the result.')
  const [, variants = ''] = page.split('Variants')
  expect(variants).toMatch(
    /heads.*kind.*heads.*Result.*Items.*blockNumber.*logs.*Items.*logAddress/,
  )
  // The param that no variant narrows is not repeated.
  expect(variants.split('Subscription')[0]).not.toContain('filter')
})

it('a method without variants and a subscription has no sections for them', async () => {
  const { read } = await siteOf({ openrpc })
  expect(read('operations/stop.html')).not.toMatch(/Variants|Subscription/)
})

it('what the server sends names the methods that begin it, and the direction is shown', async () => {
  const { read, file } = await siteOf({ openrpc })
  expect(read('sent-by-the-server.html')).toContain('It has the items of start.')
  expect(file('sent-by-the-server.html')).toContain('href="operations/start.html"')
  expect(read('operations/ping.html')).toContain(
    'A notification: it has no response. Clients and the server send it.',
  )
  expect(read('operations/log.html')).toContain('A notification: it has no response.')
  expect(read('operations/log.html')).not.toContain('Clients and the server')
})
