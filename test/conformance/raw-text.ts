import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { HttpError } from '../../src/runtime/errors.js'
import type { ServerOptions } from '../../src/runtime/server.js'
import type { Host } from './contract.js'
import { hostOnFetch, hostOnNode } from './hosts.js'

export const KEY = 'sesame-4711'
export const UNKNOWN_KEY = 'sesame-4712'
/** What both documents say a body may hold. */
export const LIMIT = 1_048_576

export const json = { 'content-type': 'application/json' }

export const post = (body: string, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  headers,
  body,
})

export const adapters = [
  ['node:http', hostOnNode],
  ['a fetch handler', hostOnFetch],
] as const

/**
 * Starts the generated server around the tests of a `describe`, and gives what asks it in raw text. After each test it sees
 * that whatever a caller or a handler did wrong, no key was shown to anyone.
 */
export const askInRawText = (start: (options: ServerOptions) => Promise<Host>) => {
  const logged: string[] = []
  const answered: string[] = []
  const options: ServerOptions = {
    authorize: ({ auth }) => {
      if (auth.apiKey !== UNKNOWN_KEY) return
      const body = { success: false, error: `there is no key ${UNKNOWN_KEY}` }
      throw new HttpError({ operation: '', status: 401, body, message: body.error })
    },
    onError: (error) => logged.push(String(error instanceof Error ? error.stack : error)),
  }
  let host: Host
  beforeAll(async () => {
    host = await start(options)
  })
  afterAll(() => host?.stop())
  afterEach(() => {
    for (const text of [...answered.splice(0), ...logged]) expect(text).not.toContain('sesame-')
  })
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(`${host.httpUrl}${path}`, init)
    const text = await response.text()
    answered.push(text, JSON.stringify([...response.headers]))
    return { status: response.status, text, headers: response.headers }
  }
  return { ask, logged }
}
