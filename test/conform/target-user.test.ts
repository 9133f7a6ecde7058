import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { conform } from '../../src/conform/conform.js'
import { curlLine } from '../../src/conform/report/shown.js'
import { createTarget } from '../../src/conform/target.js'
import { redactor } from '../../src/runtime/shared/redact.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

const api = await apiOf({
  openrpc: openrpcOf({
    servers: [{ name: 'main', url: 'https://clock.example/rpc' }],
    'x-limits': { payloadBytes: 5_000 },
    methods: [
      {
        name: 'clock_now',
        params: [],
        result: { name: 'r', schema: { type: 'string' } },
        'x-idempotent': true,
        examples: [{ name: 'noon', params: [], result: { name: 'r', value: 'noon' } }],
      },
    ],
  }),
  openapi: openapiOf({
    paths: {
      '/hours': {
        get: { operationId: 'listHours', responses: { 200: { description: 'All of them.' } } },
      },
    },
  }),
})

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Lets in whoever says the password, and fails for whoever does. */
const guarded = async () => {
  const refused: string[] = []
  const server = createServer((request, response) => {
    const { authorization = '', accept } = request.headers
    const pair = Buffer.from(authorization.slice(6), 'base64').toString()
    if (pair !== 'bob:hunt er2' && accept !== '*/*')
      refused.push(`${request.method} ${request.url}`)
    request.resume()
    response.writeHead(pair === 'bob:hunt er2' ? 200 : 401, { 'content-type': 'application/json' })
    response.end('{"jsonrpc":"2.0","id":1,"result":"noon"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return { refused, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a user in the URL of a server', () => {
  it('is let in over every connection, and shown nowhere', async () => {
    const { refused, host } = await guarded()
    const verdict = await conform(api, {
      url: `http://bob:hunt%20er2@${host}`,
      ...{ rate: null, maxExamples: 1, milliseconds: 2_000, sleep: async () => undefined },
    })
    expect(refused).toEqual([])
    expect(verdict.findings.map(({ rule }) => rule)).toContain('oversized-body-accepted')
    const report = JSON.stringify(verdict)
    for (const secret of ['hunt er2', 'hunt%20er2', 'bob:', btoa('bob:hunt er2')])
      expect(report).not.toContain(secret)
    expect(report).toContain(`curl -si -u \\"$KEY\\" 'http://${host}`)
  })

  it('may stand in that of one server alone, and in none of the others', () => {
    const { http, rpc, authorization, secrets } = createTarget(api, {
      url: 'http://hours.example',
      servers: { main: 'https://token@clock.example/rpc' },
    })
    expect({ http, rpc }).toEqual({
      http: 'http://hours.example',
      rpc: 'https://clock.example/rpc',
    })
    expect(authorization).toEqual({ http: undefined, rpc: `Basic ${btoa('token:')}` })
    expect(secrets).toEqual(['token:', 'token'])
  })

  it('is not reported where the URL is none', () => {
    expect(() => createTarget(api, { url: 'ftp://bob:hunter2@host' })).toThrow(
      'must be a URL that begins with http://, https://, ws:// or wss://, not ftp://host',
    )
  })

  it('is given to curl as the pair that it is', () => {
    const headers = { authorization: `Basic ${btoa('bob:hunter2')}` }
    const sent = { method: 'GET', url: 'http://host/', headers }
    expect(curlLine(sent, redactor(['bob:hunter2', 'hunter2']))).toBe(
      `curl -si -u "$KEY" 'http://host/'`,
    )
  })
})

describe('a key in what is quoted', () => {
  const key = `key-${'0123456789'.repeat(6)}-end`

  it.each([60, 70, 78])('is hidden before the quotation is cut, %i characters in', async (at) => {
    const body = `${'x'.repeat(at)}${key}${'y'.repeat(50)}`
    const { findings } = await conform(api, {
      ...{
        url: 'http://127.0.0.1:9',
        key,
        rate: null,
        maxExamples: 1,
        sleep: async () => undefined,
      },
      wire: async (sent) => ({
        sent,
        answer: {
          status: 200,
          headers: [['content-type', 'application/json']],
          body: new TextEncoder().encode(body),
          milliseconds: 1,
        },
        failure: undefined,
      }),
      only: ['clock_now'],
    })
    const messages = findings.map(({ message }) => message).join('\n')
    expect(messages).toContain(`${'x'.repeat(at)}$K`)
    expect(messages).toContain('… (')
    expect(JSON.stringify(findings)).not.toContain('key-0')
    expect(messages).not.toMatch(/[\ufdd0\ufdd1]/)
  })
})

it('each of two hosts must be there', async () => {
  const { host } = await guarded()
  const servers = { main: 'http://127.0.0.1:9/' }
  await expect(conform(api, { url: `http://${host}`, servers })).rejects.toThrow(
    'http://127.0.0.1:9 cannot be reached: the connection was refused',
  )
})
