// `npx tsx -C twinspec-source test/languages/bench/bench.ts`: what clients in Python and Go cost. A language that is absent is skipped.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { File } from '../../../src/emit/file.js'
import { emitGo } from '../../../src/emit/go/go.js'
import { emitPython } from '../../../src/emit/python/python.js'
import { loadApi } from '../../../src/read/load.js'
import { CORPORA } from '../../conformance/corpora.js'
import { apiOf, openapiOf } from '../../read/api-of.js'
import { HAS_GO } from '../go.js'
import { pythonProgram } from '../python.js'

const item = {
  type: 'object',
  required: ['name', 'count'],
  properties: { name: { type: 'string' }, count: { type: 'integer', format: 'int32' } },
}
const ORDER = {
  type: 'object',
  required: ['id', 'state', 'count', 'price', 'items'],
  properties: {
    id: { type: 'string' },
    state: { type: 'string' },
    count: { type: 'integer', format: 'int32' },
    price: { type: 'number' },
    items: { type: 'array', items: item },
  },
}
const items = Array.from({ length: 10 }, (_, at) => ({ name: `item ${at}`, count: at }))
const body = JSON.stringify({ id: '17', state: 'open', count: 10, price: 12.5, items })

const api = await apiOf({
  openapi: openapiOf({
    paths: {
      '/orders/{id}': {
        get: {
          operationId: 'getOrder',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: { description: 'Good.', content: { 'application/json': { schema: ORDER } } },
          },
        },
      },
    },
  }),
})

const folder = mkdtempSync(join(tmpdir(), 'twinspec-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, files: readonly File[]): string => {
  for (const file of files) {
    mkdirSync(dirname(join(folder, name, file.name)), { recursive: true })
    writeFileSync(join(folder, name, file.name), file.text)
  }
  return join(folder, name)
}

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const run = async (command: string, args: readonly string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd })).stdout.trim()

const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json').end(body)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** The time of compilers and linkers, in which a busy machine does not count. */
const cpuSeconds = (actions: string): number => {
  const all: readonly { readonly CmdUser?: number; readonly CmdSys?: number }[] =
    JSON.parse(actions)
  return all.reduce((sum, { CmdUser = 0, CmdSys = 0 }) => sum + CmdUser + CmdSys, 0) / 1e9
}

const print = (text: string) => process.stdout.write(`${text}\n`)

const printCall = (label: string, line: string): void => {
  const [ours = 0, byHand = 1]: number[] = JSON.parse(line)
  const ratio = (ours / byHand).toFixed(2)
  print(`${label}: ${ours.toFixed(0)} µs of CPU, by hand ${byHand.toFixed(0)}: ${ratio} (goal 1.3)`)
}

const large = join(CORPORA, 'documents/openapi/box.json')
const documents = {
  'our documents (goal 60 ms)': { openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' },
  ...(existsSync(large) && { '296 operations (goal 150 ms)': { openapi: large } }),
}

const python = pythonProgram('python')
if (python === undefined) print('Python is skipped: see test/languages/requirements.txt')
else {
  const made = write('python', emitPython(api, { name: 'bench' }))
  cpSync(beside('call.py'), join(made, 'src/call.py'))
  printCall('Python call', await run(python, ['src/call.py', address, JSON.stringify(ORDER)], made))
  for (const [label, one] of Object.entries(documents)) {
    const name = `imported_${Object.keys(documents).indexOf(label)}`
    const place = write(name, emitPython(await loadApi(one), { name }))
    const program = `import sys, time
sys.path.insert(0, "src")
import asyncio, base64, collections.abc, contextlib, copy, dataclasses, datetime, email, functools, html, inspect, io, json, logging, pathlib, random, re, secrets, threading, typing, urllib.parse, uuid
import httpx2, jsonschema_rs
began = time.process_time()
import ${name}
print((time.process_time() - began) * 1000)`
    const times: number[] = []
    for (let round = 0; round < 5; round++)
      times.push(Number(await run(python, ['-c', program], place)))
    print(`Python import, ${label}: ${Math.min(...times).toFixed(0)} ms of CPU`)
  }
}

if (!HAS_GO) print('Go is skipped: there is no Go 1.26')
else {
  const made = write('go', emitGo(api, { module: 'example.com/bench' }))
  mkdirSync(join(made, 'cmd/call'), { recursive: true })
  cpSync(beside('call.go'), join(made, 'cmd/call/main.go'))
  await run('go', ['build', '-o', 'call', './cmd/call'], made)
  printCall('Go call', await run('./call', [address, JSON.stringify(ORDER)], made))
  for (const [label, one] of Object.entries(documents)) {
    // A module of another name is in no cache of builds; the standard library and the validator are.
    const module = `example.com/built${process.pid}`
    const place = write(`built${label.length}`, emitGo(await loadApi(one), { module }))
    const began = performance.now()
    await run('go', ['build', '-debug-actiongraph=actions.json', './...'], place)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const cpu = cpuSeconds(readFileSync(join(place, 'actions.json'), 'utf8')).toFixed(1)
    const name = label.replace(/ \(.*/, '')
    print(`Go build, ${name}: ${seconds} s, of CPU ${cpu} s (goal 20 s)`)
  }
}
server.close()
