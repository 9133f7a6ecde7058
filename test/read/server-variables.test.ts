// biome-ignore-all lint/suspicious/noTemplateCurlyInString: OpenRPC writes variables so
import { expect, it } from 'vitest'
import { apiOf } from './api-of.js'

it.each([
  ['${base}', '{base}'],
  ['{base}', '{base}'],
  ['${other}', '${other}'],
])('an OpenRPC server whose URL has %s is read with %s', async (written, read) => {
  const { rpc } = await apiOf({
    openrpc: {
      openrpc: '1.3.2',
      info: { title: 'T', version: '1' },
      servers: [
        {
          name: 'one',
          url: `http://a.example/${written}/`,
          variables: { base: { default: 'jsonrpc' } },
        },
      ],
      methods: [],
    },
  })
  expect(rpc?.servers).toMatchObject([{ url: `http://a.example/${read}/` }])
})
