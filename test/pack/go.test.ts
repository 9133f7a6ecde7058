import { describe, expect, it } from 'vitest'
import { moduleFault, packGo } from '../../src/pack/go.js'
import { apiOf, method, openrpcOf } from '../read/api-of.js'

const api = await apiOf({ openrpc: openrpcOf({ methods: [method('read')] }) })

const packed = (module: string, version?: string) =>
  packGo(api, { module, version, license: 'MIT', today: new Date('2026-11-30') })

describe('a packed Go module', () => {
  it('has its path, a licence, and a version that is a tag', () => {
    const found = packed('example.com/acme/orders', '1.2.0')
    const files = found.kind === 'packed' ? found.files : []
    const texts = new Map(files.map(({ name, text }) => [name, text]))
    expect(texts.get('go.mod')).toContain('module example.com/acme/orders\n')
    expect(texts.get('rpc_client.go')).toContain('package orders\n')
    expect(texts.get('LICENSE')).toContain('MIT License')
    expect(found).toMatchObject({ why: expect.stringContaining('v1.2.0') })
  })

  it('has a path that ends with the major version, from 2 on', () => {
    expect(packed('example.com/orders', '2.0.0')).toEqual({
      kind: 'rejected',
      sentence:
        'version 2.0.0 of a Go module has the path example.com/orders/v2: name it in --name',
    })
    expect(packed('example.com/orders/v2', '1.0.0')).toMatchObject({ kind: 'rejected' })
    const found = packed('example.com/orders/v2', '2.0.0')
    const files = found.kind === 'packed' ? found.files : []
    expect(files.find(({ name }) => name === 'rpc_client.go')?.text).toContain('package orders\n')
  })

  it('has a path that Go accepts', () => {
    for (const path of ['orders', 'example.com/acme/orders', 'example.com/a-b_c.d/v2'])
      expect(moduleFault(path)).toBeUndefined()
    for (const path of ['', '/orders', 'example.com//x', 'Example.com/"x"', '@acme/orders', 'a/.b'])
      expect(moduleFault(path)).toContain('example.com/acme/orders')
  })
})
