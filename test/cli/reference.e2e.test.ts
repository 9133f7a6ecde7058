import { describe, expect, it } from 'vitest'
import { createReference } from '../../src/cli/reference.js'
import { threadOurs } from '../../src/service/fork.js'

const openrpc = { openrpc: '1.3.2', info: { title: 'Clock', version: '1' }, methods: [] }
const openapi = { openapi: '3.0.3', info: { title: 'Clock', version: '1' }, paths: {} }

describe('the reference that a thread writes', () => {
  it('is ended with whoever serves it', async () => {
    const { read, close } = createReference({ openapi, openrpc }, threadOurs)
    const reading = read().catch((error: Error) => error.message)
    await close()
    expect(await reading).toMatch(/^the thread that writes the reference ended with/)
    await close()
  })

  it('of documents that cannot be read says why, and is written when it is asked for again', async () => {
    const documents = { openapi: { ...openapi, openapi: '2.0' }, openrpc }
    const { read, close } = createReference(documents, threadOurs)
    await expect(read()).rejects.toThrow(/2\.0/)
    documents.openapi.openapi = '3.0.3'
    const { files, policy } = await read()
    expect(files.map(({ name }) => name)).toContain('index.html')
    expect(files.find(({ name }) => name === 'index.html')?.text).toContain(
      `content="${policy.replaceAll("'", '&#39;')}"`,
    )
    await close()
  })
})
