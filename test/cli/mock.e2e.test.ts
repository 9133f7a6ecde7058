import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { builtFile } from '../built/imports.js'
import { temporaryFolder } from '../temporary-folder.js'
import { basicVariables } from '../variables.js'
import { command, OPENAPI, OPENRPC, ran } from './command.js'

const folder = temporaryFolder('mock-command')

const EXAMPLE = `    examples:
      - name: noon
        params: []
        result: { name: now, value: noon }
`

let spec = ''
const file = (name: string, text: string): string => {
  writeFileSync(join(spec, name), text)
  return join(spec, name)
}
beforeEach(() => {
  spec = join(mkdtempSync(join(folder, 'project-')), 'spec')
  mkdirSync(spec)
})

/** Starts the command and waits until it serves. */
const started = async (...args: readonly string[]) => {
  const ending = new AbortController()
  const { said, code } = command(['mock', ...args, '--port', '0'], { signal: ending.signal })
  let ended = false
  code.then(() => {
    ended = true
  })
  while (!ended && !said.stdout.includes('Ctrl-C')) await pause(20)
  const address = (name: string) =>
    new RegExp(`^${name} +(\\S+)$`, 'm').exec(said.stdout)?.[1] ?? ''
  const stop = () => {
    ending.abort()
    return code
  }
  return { said, address, stop }
}

describe('mock', () => {
  it('keeps the line feeds of a body in its line of curl', async () => {
    const openapi = {
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes': {
          post: {
            requestBody: {
              content: { 'text/plain': { schema: { type: 'string' }, example: 'one\ntwo' } },
            },
            responses: { 204: { description: 'Kept.' } },
          },
        },
      },
    }
    const { said, stop } = await started('--openapi', file('notes.json', JSON.stringify(openapi)))
    expect(said.stdout).toContain(`'one\ntwo'`)
    expect(await stop()).toBe(0)
  })

  it('serves both documents at one address until it is ended', async () => {
    const openapi = file('clock.yaml', OPENAPI)
    const openrpc = file('methods.json.yaml', OPENRPC + EXAMPLE)
    const mock = await started(openrpc, openapi)
    try {
      const answer = await fetch(`${mock.address('HTTP')}/now`)
      expect(await answer.json()).toBe('noon')
      const request = { jsonrpc: '2.0', id: 7, method: 'clock_now', params: [] }
      const rpc = await fetch(mock.address('JSON-RPC'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
      expect(await rpc.json()).toEqual({ jsonrpc: '2.0', id: 7, result: 'noon' })
    } finally {
      expect(await mock.stop()).toBe(0)
    }
    await expect(fetch(`${mock.address('HTTP')}/now`)).rejects.toThrow()
    expect(mock.said.stdout.replaceAll(/127.0.0.1:\d+/g, '127.0.0.1:PORT')).toMatchInlineSnapshot(`
      "HTTP      http://127.0.0.1:PORT
      JSON-RPC  http://127.0.0.1:PORT/
      curl -s "http://127.0.0.1:PORT/now"
      curl -s "http://127.0.0.1:PORT/" -H 'content-type: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"clock_now","params":[]}'
      Press Ctrl-C to stop it.
      GET /now 200
      POST / 200
      "
    `)
    expect(mock.said.stderr).toBe('starting the mock …\n')
  })

  it.each<[string, (openapi: string, openrpc: string) => readonly string[]]>([
    ['by flags', (openapi, openrpc) => ['--openrpc', openrpc, '--openapi', openapi]],
    ['by a flag and a word', (openapi, openrpc) => [openrpc, '--openapi', openapi]],
  ])('takes its documents %s', async (_, argsOf) => {
    const openapi = file('clock.yaml', OPENAPI)
    const mock = await started(...argsOf(openapi, file('methods.yaml', OPENRPC + EXAMPLE)))
    try {
      expect(await (await fetch(`${mock.address('HTTP')}/now`)).json()).toBe('noon')
      expect(mock.said.stdout).toContain('"method":"clock_now"')
    } finally {
      expect(await mock.stop()).toBe(0)
    }
    expect(mock.said.stderr).toBe('starting the mock …\n')
  })

  it('serves JSON-RPC over WebSocket, and pushes what is subscribed', async () => {
    const openrpc = join(import.meta.dirname, '../link/ethereum.openrpc.yaml')
    const mock = await started('--openrpc', openrpc, '--push-interval', '20')
    try {
      const socket = new WebSocket(mock.address('WebSocket'))
      const arrived: { method?: string; params: { result: unknown } }[] = []
      socket.on('message', (data) => arrived.push(JSON.parse(String(data))))
      socket.on('open', () =>
        socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
      )
      while (arrived.length < 3) await pause(20)
      expect(arrived[2]).toMatchObject({
        method: 'eth_subscription',
        params: { result: { number: expect.stringMatching(/^0x/) } },
      })
    } finally {
      expect(await mock.stop()).toBe(0)
    }
    expect(mock.said.stdout).toContain('WebSocket opened')
  })

  it('rejects an interval that is none', async () => {
    const { said, code } = command(['mock', spec, '--push-interval', '0'])
    expect(await code).toBe(2)
    expect(said.stderr).toContain('--push-interval must be milliseconds from 1 to 3600000, not 0')
  })

  it('takes one document by its flag', async () => {
    file('openapi.yaml', OPENAPI)
    const mock = await started('--openrpc', file('methods.yaml', OPENRPC + EXAMPLE))
    try {
      expect([mock.address('HTTP'), mock.address('JSON-RPC')]).toEqual([
        '',
        expect.stringMatching(/^http/),
      ])
    } finally {
      expect(await mock.stop()).toBe(0)
    }
  })

  it('shows the reference of both where it is asked to, and what is tried there goes to the mock', async () => {
    file('openapi.yaml', OPENAPI)
    file('openrpc.yaml', OPENRPC + EXAMPLE)
    const mock = await started(spec, '--docs')
    try {
      const docs = mock.address('Docs')
      expect(docs).toBe(`${mock.address('HTTP')}/docs/`)
      const first = await fetch(docs.slice(0, -1))
      expect([first.url, first.headers.get('content-type')]).toEqual([
        docs,
        'text/html; charset=utf-8',
      ])
      expect(await first.text()).toContain('clock_now')
      const page = await (await fetch(`${docs}operations/getNow.html`)).text()
      expect(page).toContain('data-server="origin"')
      for (const [path, method, status] of [
        ['style.css', 'GET', 200],
        ['style.css', 'HEAD', 200],
        ['operations/clock_now.html', 'POST', 405],
        ['..%2fpackage.json', 'GET', 404],
        ['%zz', 'GET', 404],
      ] as const)
        expect([path, (await fetch(docs + path, { method })).status]).toEqual([path, status])
      expect((await fetch(`${mock.address('HTTP')}/now`)).status).toBe(200)
    } finally {
      expect(await mock.stop()).toBe(0)
    }
  })

  it('finds the documents of a folder, and serves one alone', async () => {
    file('openapi.yaml', OPENAPI)
    const mock = await started(spec)
    try {
      expect(mock.said.stdout).not.toContain('JSON-RPC')
      expect((await fetch(`${mock.address('HTTP')}/docs/`)).status).toBe(404)
      expect((await fetch(`${mock.address('HTTP')}/now`)).status).toBe(200)
    } finally {
      expect(await mock.stop()).toBe(0)
    }
  })
})

describe('mock starts', () => {
  it('K1: with a warning for an example that breaks its schema, and answers by a sample', async () => {
    const mock = await started(file('openapi.yaml', OPENAPI.replace('noon', '12')))
    try {
      expect(mock.said.stderr).toMatch(/openapi\.yaml:13:24 warning .* \[example-invalid\]\n/)
      const answer = await fetch(`${mock.address('HTTP')}/now`)
      expect([answer.status, await answer.json()]).toEqual([200, 'text'])
    } finally {
      expect(await mock.stop()).toBe(0)
    }
  })

  it('with a warning for an operation that it cannot answer', async () => {
    const impossible = 'type: string, minLength: 5, maxLength: 4'
    const mock = await started(file('a.yaml', OPENAPI.replace('type: string', impossible)))
    try {
      expect(mock.said.stderr).toMatch(
        /a\.yaml:\d+:\d+ warning GET \/now .*\[response-not-mocked\]\n/,
      )
      expect((await fetch(`${mock.address('HTTP')}/now`)).status).toBe(500)
    } finally {
      expect(await mock.stop()).toBe(0)
    }
  })
})

describe('mock does not start', () => {
  it('on two documents of one kind', async () => {
    const [one, other] = [file('a.yaml', OPENAPI), file('b.yaml', OPENAPI)]
    expect(await ran(['mock', one, other])).toEqual({
      code: 2,
      stdout: '',
      stderr: `twinspec mock: ${one} and ${other} are both openapi documents: give only one\n`,
    })
  })

  it('on one document by a flag and another of its kind by a word', async () => {
    const [one, other] = [file('a.yaml', OPENRPC), file('b.yaml', OPENRPC)]
    expect(await ran(['mock', '--openrpc', one, other])).toEqual({
      code: 2,
      stdout: '',
      stderr: `twinspec mock: --openrpc ${one} and ${other} are both openrpc documents: give only one\n`,
    })
  })

  it('on a folder beside a document by a flag', async () => {
    const one = file('openapi.yaml', OPENAPI)
    expect(await ran(['mock', spec, '--openapi', one])).toEqual({
      code: 2,
      stdout: '',
      stderr: `twinspec mock: ${spec} is a folder, but --openapi names ${one}: give only the folder, or a file for each document\n`,
    })
  })

  it('on a document of no known kind', async () => {
    const { code, stderr } = await ran(['mock', file('a.yaml', 'asyncapi: 3.0.0')])
    expect(code).toBe(2)
    expect(stderr).toMatch(/it has asyncapi: "3.0.0"; .* \[document-version-is-unknown\]\n/)
  })

  it('on a folder without documents', async () => {
    const { code, stderr } = await ran(['mock', spec])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `twinspec mock: there is neither openapi.yaml nor openrpc.yaml in ${spec}/: name the documents, or run the command in their folder\n`,
    })
  })

  it('K6: on a port that is taken', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const { code, stderr } = await ran(['mock', file('a.yaml', OPENAPI), '--port', String(port)])
      expect(code).toBe(2)
      expect(stderr).toMatch(
        /^starting the mock …\ntwinspec mock: the mock cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*; choose another --port, .*\n$/,
      )
    } finally {
      server.close()
    }
  })

  it('with --prism where Prism is missing, and says what to install', async () => {
    const missing = file(
      'without-prism.cjs',
      `const module_ = require('node:module')
       const resolve = module_._resolveFilename
       module_._resolveFilename = (request, ...rest) => {
         if (!request.startsWith('@stoplight/')) return resolve(request, ...rest)
         throw Object.assign(new Error('Cannot find module ' + request), { code: 'MODULE_NOT_FOUND' })
       }`,
    )
    const node = ['-r', missing, builtFile('src/cli/main.js')]
    const args = [...node, 'mock', '--prism', file('a.yaml', OPENAPI), '--port', '0']
    const reply = await new Promise((resolve) => {
      execFile(
        process.execPath,
        args,
        { env: basicVariables(), timeout: 900_000 },
        (error, stdout, stderr) => resolve({ code: error?.code, stdout, stderr }),
      )
    })
    expect(reply).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^starting the mock …\ntwinspec mock: --prism needs Prism, .* npm install .*@stoplight\/prism-cli\S*\n$/,
      ),
    })
  })
})
