import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/report/formats.js'
import { command, ran } from './command.js'
import { CLOCKS, startClocks } from './conform-server.js'

const KEY = 'key-1234567'
const folder = mkdtempSync(join(tmpdir(), 'twinspec-conform-'))
const openrpc = join(folder, 'clocks.yaml')
writeFileSync(openrpc, CLOCKS)

let right: Awaited<ReturnType<typeof startClocks>>
let wrong: typeof right
beforeAll(async () => {
  right = await startClocks()
  wrong = await startClocks({ clock_now: `<b>${KEY}</b>`, clock_zone: 7 })
})
afterAll(() => {
  right.stop()
  wrong.stop()
  rmSync(folder, { recursive: true })
})

const judged = (url: string, ...flags: readonly string[]) =>
  ran(['conform', url, '--openrpc', openrpc, '--max-examples', '2', ...flags], {
    env: { TWINSPEC_KEY: KEY },
    today: () => new Date('2026-11-22T12:00:00Z'),
  })

describe('twinspec conform', () => {
  it('ends with 0 where the contract is kept, and says how much was tried and what was not', async () => {
    const { code, stdout, stderr } = await judged(right.url)
    expect(stdout).toMatch(/operations {3}█{20} {5}2 of 2 {5}100 %/)
    expect(stdout).toContain('not tested\n')
    expect(stderr).toMatch(
      /^\d+ cases, about \d+ requests\nno findings in \d+ cases, \d+ requests and \d+\.\d s \(seed 1\)\n$/,
    )
    expect(code).toBe(0)
  })

  it('ends with 1 where it is not, and shows by rule the request, the response and what was expected, without the key', async () => {
    const { code, stdout } = await judged(wrong.url)
    expect(code).toBe(1)
    expect(stdout).not.toContain(KEY)
    expect(stdout).toMatch(/clocks\.yaml:13:13 error clock_zone: .* \[result-invalid\]\n/)
    expect(stdout).toMatch(
      / {4}reproduce: curl -si "http:\/\/127\.0\.0\.1:\d+\/\$KEY" .*--data-binary '/,
    )
    expect(stdout).not.toContain('accept: - {')
    expect((await judged(wrong.url, '--verbose')).stdout).toContain(
      '    accept: - { rule: result-invalid, where: "clock_zone',
    )
  })

  it.each([
    ['json', /"identity": "result-invalid clock_zone/],
    ['junit', /<testsuite name="clock_zone" tests="\d+" failures="\d+" errors="0" skipped="0">/],
    ['sarif', /"identity\/v1": "result-invalid clock_zone/],
    [
      'github',
      /^::error file=\S+clocks\.yaml,line=13,col=13,title=[\w-]+::clock_zone: .*reproduce: curl -si/m,
    ],
    ['html', /^<!doctype html>/],
    ['markdown', /^## Covered\n[\s\S]*## Errors\n\n### `clock_zone`\n/],
  ])('prints %s and keeps the key out of it', async (format, want) => {
    const { code, stdout, stderr } = await judged(
      wrong.url,
      '--format',
      format,
      '--only',
      'clock_zone',
    )
    expect(stdout).toMatch(want)
    expect(stdout).not.toContain(KEY)
    expect(stderr).toMatch(/errors? in \d+ cases/)
    expect(code).toBe(1)
    if (format === 'json' || format === 'sarif') JSON.parse(stdout)
  })

  it('writes the verdict into a file, text to the terminal, and refuses before it asks anybody', async () => {
    const out = join(folder, 'verdict.json')
    const { stdout, stderr, code } = await judged(right.url, '--format', 'json', '--out', out)
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(out) })
    expect(stderr).toContain('no findings in')
    expect(stdout).toContain('covered\n')
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      findings: [],
      facts: { seed: 1 },
    })
    expect(readdirSync(folder).filter((name) => name.includes('twinspec'))).toEqual([])

    const before = right.requests()
    const nowhere = join(folder, 'nowhere', 'verdict.json')
    const refused = await judged(right.url, '--out', nowhere)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/verdict\.json cannot be written: .*\n$/)
    expect((await judged(right.url, '--out', folder)).stderr).toBe(
      `twinspec conform: ${folder} is a folder: name a file in it\n`,
    )
    expect(right.requests()).toBe(before)
    expect(existsSync(nowhere)).toBe(false)
  })

  it('accepts what a baseline accepts, and nothing else', async () => {
    const { stdout } = await judged(wrong.url, '--format', 'json')
    const { findings } = JSON.parse(stdout) as { findings: { identity: string }[] }
    const accepted = findings.map(({ identity }) => {
      const [rule, ...where] = identity.split(' ')
      return { rule, where: where.join(' ') || 'server', reason: 'known', until: '2027-01-31' }
    })
    const baseline = join(folder, 'baseline.json')
    writeFileSync(baseline, JSON.stringify({ accepted }))
    const all = await judged(wrong.url, '--baseline', baseline)
    expect(all.code).toBe(0)
    expect(all.stdout).toContain('(accepted until 2027-01-31: known)')
    writeFileSync(baseline, JSON.stringify({ accepted: accepted.slice(1) }))
    expect((await judged(wrong.url, '--baseline', baseline)).code).toBe(1)
    writeFileSync(baseline, JSON.stringify({ accepted }))
    const fixed = await judged(right.url, '--baseline', baseline)
    expect(fixed.code).toBe(0)
    expect(fixed.stdout).toContain(
      'is accepted, but was not found: remove the entry if it is fixed',
    )
    writeFileSync(baseline, '{ "accepted": [\n  { "rule": 1 }\n] }')
    const refused = await judged(right.url, '--baseline', baseline)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('baseline.json:2:')
  })

  it('takes the URL of a server by its name, as often as there are servers', async () => {
    const one = ['conform', '--openrpc', openrpc, '--max-examples', '1', '--only', 'clock_now']
    expect(
      (await ran([...one, '--server', `main=${right.url}/{apiKey}`, '--api-key', KEY])).code,
    ).toBe(0)
    const twice = await ran([...one, '--server', 'main=http://a', '--server', 'main=http://b'])
    expect(twice.stderr).toBe('twinspec conform: --server gives main two URLs\n')
    const unknown = await ran([...one, '--server', 'main=http://a,mian=http://b'])
    expect(unknown.stderr).toContain('the documents have no server mian')
    expect(unknown.code).toBe(2)
  })

  it.each([
    [['--profile', 'strickt'], 'there is no profile strickt: did you mean strict?'],
    [
      ['--only', 'clock_noww'],
      'no operation and no case is called clock_noww: did you mean clock_now?',
    ],
    [['--max-time', 'soon'], '--max-time must be a time such as 90, 90s, 5m or 1h, not soon'],
    [['--seed', 'x'], '--seed must be a whole number, not x'],
    [
      ['--server', 'main'],
      '--server must be a name of the documents and a URL, name=https://…, not main',
    ],
    [
      ['--server', 'http://127.0.0.1:1'],
      '--server must be a name of the documents and a URL, name=https://…, not http://127.0.0.1:1; a URL alone is the argument before the documents',
    ],
    [
      ['--traffic', 'folder'],
      '--traffic checks files, but http://127.0.0.1:1 is a server: give one of them',
    ],
  ])('refuses %j in a sentence', async (flags, want) => {
    const { code, stderr } = await judged('http://127.0.0.1:1', ...flags)
    expect({ code, stderr }).toEqual({ code: 2, stderr: `twinspec conform: ${want}\n` })
  })

  it('ends with 2 where nobody was let in, and says so in every format', async () => {
    const door = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(401).end())
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
    const why =
      /the server could not be tested in \d+ cases.*: (nearly )?every request to 2 operations got 401: check the key that --api-key gives/
    const text = await judged(url)
    expect(text.code).toBe(2)
    expect(text.stderr).toMatch(why)
    for (const format of Object.keys(FORMATS)) {
      const { code, stdout, stderr } = await judged(url, '--format', format)
      expect(code).toBe(2)
      expect(stderr).toMatch(why)
      if (format === 'junit') expect(stdout).toContain('failures="1"')
      if (format === 'html') expect(stdout).toContain('<h1>The server could not be tested</h1>')
      if (format === 'json')
        expect(JSON.parse(stdout)).toMatchObject({ inconclusive: expect.stringContaining('401') })
      if (format !== 'text') expect(stdout).toContain('got 401')
    }
    door.closeAllConnections()
    door.close()
  })

  it('writes the page besides, whatever else it prints', async () => {
    const page = join(folder, 'besides.html')
    const { stdout } = await judged(right.url, '--rate', '0', '--html', page, '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ findings: [] })
    expect(readFileSync(page, 'utf8')).toContain('<h1>')
  })

  it('says in its headline that it is not whole where the time limit was reached', async () => {
    const { code, stderr } = await judged(right.url, '--rate', '80', '--max-time', '1s')
    expect(stderr).toMatch(
      /\nnot complete, because the time limit was reached before \d+ more cases: no findings in \d+ cases/,
    )
    expect(code).toBe(0)
  })

  it('ends with 2 where nothing that was recorded is about the documents', async () => {
    const file = join(folder, 'other.ndjson')
    const request = { method: 'GET', url: 'http://a.example/nowhere', headers: {} }
    writeFileSync(file, JSON.stringify({ request, response: { status: 200 } }))
    const { code, stderr } = await ran(['conform', '--openrpc', openrpc, '--traffic', file])
    expect(stderr).toContain('no recorded request could be checked')
    expect(code).toBe(2)
  })

  it('tests the local server of a document that is named without a URL', async () => {
    const own = join(folder, 'own.yaml')
    writeFileSync(own, CLOCKS.replace('https://clocks.example/{apiKey}', right.url))
    const { code, stderr } = await ran(['conform', own, '--max-examples', '2'])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`testing ${right.url}, the server that the documents name`),
    })
  })

  it.each([
    [
      [openrpc],
      'the documents declare no server on this machine, and others are only tested when you name them: give the URL of the server to test, for example https://clocks.example/{apiKey}',
    ],
    [
      [openrpc, 'http://127.0.0.1:1'],
      `the first argument must be the URL of the server, not ${openrpc}: give the documents after http://127.0.0.1:1`,
    ],
    [
      ['localhost:1', openrpc],
      'localhost:1 is no file, and the URL of a server begins with http://, https://, ws:// or wss://',
    ],
  ])('ends with 2 without the URL of a server, and says so: %s', async (words, message) => {
    expect(await ran(['conform', ...words])).toMatchObject({
      code: 2,
      stderr: `twinspec conform: ${message}\n`,
    })
  })

  it('ends with 2 where nobody answers', async () => {
    const { code, stderr } = await judged('http://127.0.0.1:1')
    expect(code).toBe(2)
    expect(stderr).toBe(
      'twinspec conform: http://127.0.0.1:1 cannot be reached: the connection was refused\n',
    )
  })

  it('says first how long a limit makes it last, stops when the time is up, and never calls that tried', async () => {
    const limited = await judged(right.url, '--rate', '60', '--max-time', '1s')
    expect(limited.stderr).toMatch(
      /^\d+ cases, about \d+ requests; with 60 a minute, this takes at least \d+ minutes\n/,
    )
    expect(limited.stdout).toMatch(/and \d+ more: the time limit was reached/)
    const { stderr, code } = await judged(right.url, '--max-time', '0s')
    expect(stderr).toMatch(
      /the server could not be tested in 0 cases, .*: the time limit was reached before any request was sent\n$/,
    )
    expect(code).toBe(2)
  })

  it('tells what was found when it is ended, and that this proves nothing', async () => {
    const ending = new AbortController()
    const before = right.requests()
    const running = command(
      ['conform', right.url, '--openrpc', openrpc, '--api-key', KEY, '--rate', '60'],
      { signal: ending.signal },
    )
    while (right.requests() < before + 5) await new Promise((resolve) => setTimeout(resolve, 5))
    ending.abort()
    expect(await running.code).toBe(2)
    expect(running.said.stdout).toMatch(/more: the run was stopped before/)
    expect(running.said.stderr).toContain(
      'stopped before everything was tested, so there is no verdict',
    )
  })

  it('judges what was recorded', async () => {
    const traffic = join(folder, 'traffic')
    mkdirSync(traffic)
    const call = '{"jsonrpc":"2.0","id":1,"method":"clock_zone","params":["Rome"]}'
    writeFileSync(join(traffic, 'a.io'), `>> ${call}\n<< {"jsonrpc":"2.0","id":1,"result":7}\n`)
    const args = ['conform', '--openrpc', openrpc, '--traffic']
    const { code, stdout } = await ran([...args, traffic])
    expect(stdout).toContain('clock_zone: /result must be a string')
    expect(code).toBe(1)
    expect((await ran([...args, traffic, '--only', 'clock_now'])).code).toBe(0)
    const none = await ran([...args, join(folder, 'nothing')])
    expect(none.code).toBe(2)
    expect(none.stderr).toMatch(/^twinspec conform: .*nothing:1: it cannot be read/)
  })
})
