import { expect, it } from 'vitest'
import { siteOf } from './site-of.js'

const sent = (description: string) => ({
  description,
  requestBody: {
    content: {
      'application/json': { schema: { type: 'object', properties: { orderNumber: {} } } },
    },
  },
  responses: { 202: { description: 'The client knows it.' } },
})

it('webhooks and callbacks are on the page of what the server sends, with bodies and expected responses', async () => {
  const { read, file } = await siteOf({
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: {
        '/orders': {
          post: {
            operationId: 'order',
            responses: { 201: { description: 'Done.' } },
            callbacks: { shipped: { '{$request.body#/url}': { post: sent('It is on its way.') } } },
          },
        },
      },
      webhooks: { stocked: { post: sent('There is more.') } },
    },
  })
  expect(file('index.html')).toContain('href="sent-by-the-server.html"')
  const page = read('sent-by-the-server.html')
  expect(page).toContain('A webhook, by POST.There is more.')
  expect(page).toContain(
    'A callback of POST /orders, to {$request.body#/url}, by POST.It is on its way.',
  )
  expect(page).toContain('stocked: (payload) =>')
  expect(page.match(/orderNumber/g)).toHaveLength(2)
  expect(page.match(/202 Accepted: The client knows it\./g)).toHaveLength(2)
})
