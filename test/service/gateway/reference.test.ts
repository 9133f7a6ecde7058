import { afterEach, describe, expect, it } from 'vitest'
import type { StaticSite } from '../../../src/service/gateway/reference.js'
import { CHAIN_ID, post, speak, start, stopAll } from './gateway-fixture.js'

afterEach(stopAll)

const INDEX = '<!doctype html><h1>All of it</h1>'

const site: StaticSite = [
  { name: 'index.html', text: INDEX },
  { name: 'style.css', text: 'h1 { color: red }' },
  { name: 'page.js', text: '0' },
  { name: 'operations/GET a b.html', text: 'Füße' },
]

const reference = async () => site
const NO_SCRIPTS = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'"
const counted = { settings: { rpcLimit: 1, zktLimit: 1, tryItOutLimit: 1, statusLimit: 1 } }

describe('the reference', () => {
  it('is served file by file, each as what it is', async () => {
    const { url } = await start({ reference })
    const types: string[] = []
    for (const [path, text] of [
      ['', INDEX],
      ['index.html', INDEX],
      ['?theme=dark', INDEX],
      ['style.css', 'h1 { color: red }'],
      ['page.js', '0'],
      ['operations/GET%20a%20b.html', 'Füße'],
    ] as const) {
      const answer = await fetch(`${url}/docs/${path}`)
      expect([answer.status, await answer.text()]).toEqual([200, text])
      types.push(answer.headers.get('content-type') ?? '')
    }
    expect([...new Set(types)]).toEqual([
      'text/html; charset=utf-8',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
    ])
  })

  it.each([
    // The policy of a page is in the page, but for what only a header can say.
    ['', "frame-ancestors 'none'"],
    ['style.css', NO_SCRIPTS],
    ['nothing', NO_SCRIPTS],
  ])(
    '%s can be shown in no frame, and loads nothing that its site does not need',
    async (path, policy) => {
      const { url } = await start({ reference })
      const { headers } = await fetch(`${url}/docs/${path}`)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      })
    },
  )

  it('has one address: without its slash it is sent there, below whatever path a proxy gives it', async () => {
    const { url } = await start({ reference })
    const answer = await fetch(`${url}/docs?theme=dark`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'docs/'])
    expect(await (await fetch(`${url}/docs`)).text()).toBe(INDEX)
  })

  it('is sent once to who keeps it, and again when it has changed', async () => {
    const { url } = await start({ reference })
    const first = await fetch(`${url}/docs/`)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const tag = String(first.headers.get('etag'))
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    const asked = async (tags: string) => {
      const answer = await fetch(`${url}/docs/`, { headers: { 'if-none-match': tags } })
      return [answer.status, answer.headers.get('etag'), await answer.text()]
    }
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
      expect(await asked(tags)).toEqual([304, tag, ''])
    expect(await asked('"other"')).toEqual([200, tag, INDEX])
    const style = await fetch(`${url}/docs/style.css`)
    expect(style.headers.get('etag')).not.toBe(tag)
  })

  it('tells a HEAD how long it is, and no more', async () => {
    const { port } = await start({ reference })
    const head = 'HEAD /docs/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const answer = await speak(port, head)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer.toLowerCase()).toContain(`content-length: ${INDEX.length}\r\n`)
    expect(answer).toMatch(/\r\n\r\n$/)
    expect(answer).not.toContain(INDEX)
  })

  it('is only read', async () => {
    const { url } = await start({ reference })
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      for (const path of ['/docs', '/docs/', '/docs/nothing']) {
        const answer = await fetch(url + path, {
          method,
          ...(method === 'POST' && { body: '{', headers: { 'content-type': 'application/json' } }),
        })
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
        expect(await answer.json()).toEqual({ error: 'there is nothing here but to GET' })
      }
    }
  })

  it.each([
    '/docs/nothing',
    '/docs/operations',
    '/docs/operations/',
    '/docs//',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/etc/passwd',
    '/docs/../health',
    '/docs/operations/../index.html',
    '/docs/constructor',
    '/docs/__proto__',
    '/docs/%00',
    '/docs/%zz',
    '/docs/%ff',
    '/docs/style.css/',
    '/docs/<script>alert(1)</script>',
  ])('%s is no page of it', async (path) => {
    const { port } = await start({ reference })
    const answer = await speak(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).toContain('there is no such page in this reference')
    expect(answer).not.toContain('alert')
  })

  it('is found where a proxy sends scheme and host', async () => {
    const { port } = await start({ reference })
    const absolute = 'GET http://x/docs/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    expect(await speak(port, absolute)).toContain(INDEX)
  })

  it('takes nothing of any limit, and no key', async () => {
    const { url } = await start({ ...counted, reference })
    for (let again = 0; again < 5; again += 1) {
      const answer = await fetch(`${url}/docs/`)
      expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null])
    }
    expect((await post(`${url}/zgt/try-it-out`, CHAIN_ID)).status).toBe(200)
  })

  it('is asked for by the first reader alone, however many there are', async () => {
    let asked = 0
    const { url } = await start({
      reference: async () => {
        asked += 1
        await new Promise((resolve) => setTimeout(resolve, 50))
        return site
      },
    })
    expect(asked).toBe(0)
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`${url}/docs/`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(asked).toBe(1)
  })

  it('that cannot be written is reported as that, logged, and tried again', async () => {
    let fails = true
    const { url, logged } = await start({
      reference: async () => {
        if (fails) throw new Error('no memory')
        return site
      },
    })
    const answer = await fetch(`${url}/docs/`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toEqual({
      error: 'the reference cannot be written now, try again later',
    })
    expect(logged()).toContain('no memory')
    fails = false
    expect((await fetch(`${url}/docs/`)).status).toBe(200)
  })

  it('is not there where none is handed over', async () => {
    const { url } = await start()
    for (const path of ['/docs', '/docs/', '/docs/index.html']) {
      const answer = await fetch(url + path, { redirect: 'manual' })
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: 'there is nothing at this path' },
      ])
    }
  })

  it('leaves paths that only begin like it to the documents', async () => {
    const { url } = await start({ reference })
    for (const path of ['/docsx', '/documented', '/DOCS/', '/x/docs/'])
      expect((await fetch(url + path)).status).toBe(404)
    expect(await (await fetch(`${url}/docsx`)).json()).toEqual({
      error: 'there is nothing at this path',
    })
  })
})
