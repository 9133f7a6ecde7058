import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startPrism } from '../../src/mock/prism.js'

const document = {
  openapi: '3.0.3',
  info: { title: 'One path', version: '1' },
  paths: { '/one': { get: { responses: { 200: { description: 'One.' } } } } },
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const isGone = async (pid: number): Promise<boolean> => {
  for (let tries = 0; tries < 1_200 && isAlive(pid); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return !isAlive(pid)
}

describe('startPrism', () => {
  it('answers until it is stopped', async () => {
    const prism = await startPrism(document)
    const exchange = { method: 'GET', target: '/one', headers: {}, body: Buffer.alloc(0) }
    expect((await prism.ask(exchange)).status).toBe(200)
    await prism.stop()
    expect(isAlive(prism.pid)).toBe(false)
    await expect(prism.ask(exchange)).rejects.toThrow()
  })

  it('makes values up where it is asked to', async () => {
    const email = { type: 'string', 'x-faker': 'internet.email' }
    const content = { 'application/json': { schema: email } }
    const get = { responses: { 200: { description: 'An address.', content } } }
    const prism = await startPrism({ ...document, paths: { '/one': { get } } })
    const headers = { prefer: 'dynamic=true' }
    const exchange = { method: 'GET', target: '/one', headers, body: Buffer.alloc(0) }
    const { status, body } = await prism.ask(exchange)
    await prism.stop()
    expect([status, String(body)]).toEqual([200, expect.stringMatching(/^"[^"@]+@[\w.-]+"$/)])
  })

  it('holds a schema that leads to itself in whichever operation it stands', async () => {
    const node = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        left: { $ref: '#/components/schemas/Leaf' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    }
    const leaf = { type: 'object', properties: { parent: { $ref: '#/components/schemas/Node' } } }
    const schema = { $ref: '#/components/schemas/Node' }
    const content = { 'application/json': { schema, example: { name: 'e' } } }
    const post = {
      requestBody: { required: true, content },
      responses: { 200: { description: 'It.', content } },
    }
    const leaves = { 'application/json': { schema: { $ref: '#/components/schemas/Leaf' } } }
    const get = { responses: { 200: { description: 'It.', content: leaves } } }
    const prism = await startPrism({
      ...document,
      paths: { '/leaves': { get }, '/one': { post }, '/two': { post } },
      components: { schemas: { Node: node, Leaf: leaf } },
    })
    const sent = async (target: string, value: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const body = Buffer.from(JSON.stringify(value))
      return (await prism.ask({ method: 'POST', target, headers, body })).status
    }
    const deep = (last: unknown) => ({
      name: 'a',
      children: [{ name: 'b', left: { parent: { name: 'c', children: [last] } } }],
    })
    for (const target of ['/one', '/two']) {
      expect(await sent(target, deep({ name: 'd' }))).toBe(200)
      expect(await sent(target, deep({ name: 4 }))).toBe(422)
    }
    await prism.stop()
  })

  it('says what Prism said where it does not start', async () => {
    const nothing = { ...document, paths: {} }
    await expect(startPrism(nothing)).rejects.toThrow(
      /^Prism ended with code .*No operations found/s,
    )
  })

  it('says what to install where there is no Prism', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'twinspec-alone-'))
    const source = fileURLToPath(new URL('../../src', import.meta.url))
    for (const part of ['mock', 'model/finding.ts']) {
      cpSync(join(source, part), join(folder, part), { recursive: true })
    }
    try {
      const alone: typeof import('../../src/mock/prism.js') = await import(
        join(folder, 'mock/prism.ts')
      )
      await expect(alone.startPrism(document)).rejects.toThrow(
        'the mock needs Prism, which is not installed: npm install --save-dev @stoplight/prism-cli@5.14.2',
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('dies with the process that started it', async () => {
    const source = fileURLToPath(new URL('../../src/mock/prism.ts', import.meta.url))
    const script = `import(${JSON.stringify(source)}).then(async ({ startPrism }) => {
      const { pid } = await startPrism(${JSON.stringify(document)})
      console.log('pid ' + pid)
    })`
    const parent = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.on('data', (chunk) => resolve(Number(/pid (\d+)/.exec(String(chunk))?.[1])))
    })
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    expect(await isGone(pid)).toBe(true)
  })
})
