import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { marked, type Token } from 'marked'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformResult, conformReport } from '../../src/cli/conform-report.js'
import type { ConformFinding } from '../../src/conform/report/findings.js'
import { writeDocs } from '../../src/docs/docs.js'
import { emitAll } from '../../src/emit/emit.js'
import type { File } from '../../src/emit/file.js'
import { kindNames } from '../../src/emit/kinds.js'
import { curlLines } from '../../src/mock/curl.js'
import { startMock } from '../../src/mock/mock.js'
import type { Api } from '../../src/model/api.js'
import type { Finding } from '../../src/model/finding.js'
import { pack } from '../../src/pack/pack.js'
import { FORMATS, type FormatName } from '../../src/report/formats.js'
import { stringLiteral } from '../../src/text/escape.js'
import { apiOfData } from '../docs/site-of.js'
import { printed } from '../report/report-of.js'
import { importGenerated } from './generated-code.js'
import { hostileOpenapi, hostileOpenrpc, PAYLOADS } from './hostile-documents.js'
import { runInShell } from './shell.js'

/** What an editor or a terminal would obey, but for tabs and line feeds. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** A line that begins with the words of a payload. */
const FORGED = /^\s*(?:no changes: safe to release|no findings|::(?:error::|set-output))/m

const documents = { openapi: hostileOpenapi(), openrpc: hostileOpenrpc() }
const globals = globalThis as unknown as Record<string, unknown>

let api: Api
let files: readonly File[]
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'twinspec-hostile-'))
  api = await apiOfData(documents)
  files = emitAll(api, ['msw', 'valibot', 'zod'], kindNames)
  write('generated', files)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, made: readonly File[]): string => {
  const top = join(folder, name)
  for (const file of made) {
    mkdirSync(dirname(join(top, file.name)), { recursive: true })
    writeFileSync(join(top, file.name), file.text)
  }
  return top
}

/** HTML that Markdown has, which a reader of it would pass on to a browser. */
const htmlIn = (markdown: string): readonly string[] => {
  const found: string[] = []
  marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'html') found.push(token.raw.trim())
  })
  return found
}

/** The bars of a line that divide cells. */
const barsOf = (line: string): number => line.replace(/\\./g, '').split('|').length

/** Its words outside of code, and where its links lead. */
const wordsOf = (markdown: string): string => {
  const found: string[] = []
  marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'text' && !('tokens' in token && token.tokens)) found.push(token.raw)
    if (token.type === 'link') found.push(`href: ${token.href}`)
  })
  return found.join('\n')
}

describe('a document whose every text is hostile', () => {
  it('is not rejected, and none of its operations is left out', () => {
    const count = Object.keys(PAYLOADS).length
    expect(api.operations.map(({ kind }) => kind).sort()).toEqual([
      ...Array(count).fill('http'),
      ...Array(count).fill('rpc'),
    ])
    expect(api.findings.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('is no code in any generated file', async () => {
    expect(await importGenerated(join(folder, 'generated'))).toContain('rpc.client.ts')
    expect(globals.HOSTILE).toBeUndefined()
  })

  it('has no characters in generated files that an editor or a terminal would obey', () => {
    for (const { name, text } of files) expect([name, CONTROLS.exec(text)]).toEqual([name, null])
  })

  it('reads in generated code as it was written', () => {
    const text = files.find(({ name }) => name === 'operations.ts')?.text ?? ''
    const methods = [...text.matchAll(/^ {2}method: ('m\d.*'),$/gm)].map(([, literal = '']) =>
      new Function(`return ${literal}`)(),
    )
    expect(methods).toEqual(Object.values(PAYLOADS).map((one, at) => `m${at}${one}`))
  })

  it('has no markup in the Markdown of the reference but that of the page', () => {
    const page = files.find(({ name }) => name === 'reference.md')?.text ?? ''
    const tags = htmlIn(page).filter((one) => !/^<\/?code>$/.test(one))
    for (const one of tags)
      expect(one).toMatch(
        /^(?:<!-- Generated|<a id="(?:operation|schema)\.\w+">|<\/a>|<details><summary>[^<>]*<\/summary>|<\/details>)/,
      )
  })

  it('adds no cell to a table of the reference', () => {
    const page = files.find(({ name }) => name === 'reference.md')?.text ?? ''
    const rows: number[][] = []
    marked.walkTokens(marked.lexer(page), (token: Token) => {
      if (token.type === 'table') rows.push(token.raw.trim().split('\n').map(barsOf))
    })
    expect(rows.length).toBeGreaterThan(3)
    for (const [head, ...rest] of rows) expect(rest).toEqual(rest.map(() => head))
  })

  it('is no emphasis in a heading or a link of the reference', () => {
    const page = files.find(({ name }) => name === 'reference.md')?.text ?? ''
    const names: string[] = []
    const emphasis: string[] = []
    marked.walkTokens(marked.lexer(page), (token: Token) => {
      if (token.type !== 'heading' && token.type !== 'link') return
      names.push(token.text)
      marked.walkTokens(token.tokens ?? [], ({ type, raw }: Token) => {
        if (type === 'strong' || type === 'em' || type === 'codespan') emphasis.push(raw)
      })
    })
    expect(names.join('\n')).toContain('Meta')
    expect(emphasis).toEqual([])
  })

  it('is shown whole where it is the only value of a type', () => {
    const page = files.find(({ name }) => name === 'reference.md')?.text ?? ''
    for (const name of ['docComment', 'brackets'] as const) {
      expect(page).toContain(`| \`${stringLiteral(PAYLOADS[name] ?? '')}\` |`)
    }
  })

  it('is packed; its README and changelog have no markup and mention nobody', async () => {
    const made = await pack(api, { name: 'hostile', today: new Date(0), without: ['msw'] })
    if (made.kind === 'rejected') throw new Error(made.sentence)
    const codes = made.files.filter(({ name }) => /^dist\/.*\.(js|d\.ts)$/.test(name))
    expect(codes.length).toBeGreaterThan(10)
    for (const { name, text } of codes) expect([name, CONTROLS.exec(text)]).toEqual([name, null])
    for (const wanted of ['README.md', 'CHANGELOG.md']) {
      const text = made.files.find(({ name }) => name === wanted)?.text ?? ''
      expect(htmlIn(text)).toEqual([])
      expect(wordsOf(text)).not.toContain('@octocat')
    }
    const readme = made.files.find(({ name }) => name === 'README.md')?.text ?? ''
    expect(readme).toContain('## A first call')
    expect(readme).not.toMatch(/^<script>/m)
  })

  const texts = Object.entries(PAYLOADS).filter(([name]) => name !== 'half')

  describe.each(['sh', 'bash'] as const)('in lines of curl, run by %s,', (shell) => {
    const run = (lines: readonly string[]) =>
      runInShell(folder, lines.join('\n'), { shell, env: { VALUE: 'v', SCHEME0: 's' } })

    it('runs nothing, and is sent as it was written', () => {
      const mock = {
        url: 'http://m',
        httpUrl: 'http://m',
        rpcUrl: `http://m${api.rpc?.path}`,
        stop: async () => {},
      }
      const lines = curlLines(api, mock)
      const { calls, hasSung, status } = run(lines)
      expect([hasSung, status, calls.length]).toEqual([false, 0, lines.length])
      const http = calls.filter((call) => call.some((one) => /^http:\/\/m\/.*\/p\d+\//s.test(one)))
      for (const [index, [name, text]] of Object.entries(PAYLOADS).entries()) {
        if (name === 'half') continue
        expect([name, sentBy(http[index] ?? [])]).toEqual([name, bodyOf(name, text)])
      }
      for (const call of calls)
        expect(call.filter((one) => /^-(d|F|K|T)$|^--data(-binary)?$/.test(one))).toEqual([])
    })

    it('runs nothing in the samples of the reference either', async () => {
      const pages = writeDocs(api)
      const lines = pages.flatMap(({ name, text }) =>
        name.startsWith('operations/')
          ? [...text.matchAll(/<code class="sh">([\s\S]*?)<\/code>/g)].map(([, one = '']) =>
              plain(one),
            )
          : [],
      )
      const { calls, hasSung, status } = run(lines)
      expect(lines.length).toBeGreaterThan(2 * texts.length)
      expect([hasSung, status, calls.length]).toEqual([false, 0, lines.length])
    })

    it('is printed without what a terminal obeys', () => {
      const mock = {
        url: 'http://m',
        httpUrl: 'http://m',
        rpcUrl: 'http://m/',
        stop: async () => {},
      }
      for (const line of curlLines(api, mock)) expect(CONTROLS.exec(line)).toBeNull()
    })
  })

  const findings = Object.values(PAYLOADS).map(
    (text): Finding => ({
      rule: 'a-rule',
      level: 'warning',
      location: { file: `a${text.replace('\ud800', '')}.yaml`, line: 1, column: 1, pointer: '' },
      message: `one ${text}`,
      advice: text,
      witness: { value: text },
      operations: [text],
    }),
  )

  it('stays within its annotation of GitHub', () => {
    const lines = printed(findings, 'github').split('\n').slice(0, -1)
    expect(lines).toHaveLength(findings.length)
    for (const [index, text] of Object.values(PAYLOADS).entries()) {
      const [, place = '', said = ''] =
        /^::warning (file=.*?,line=1,col=1,title=a-rule)::(.*)$/.exec(lines[index] ?? '') ?? []
      expect(place.split(',')).toHaveLength(4)
      expect(place.split(':')).toHaveLength(1)
      const read = said.replace(/%0A/g, '\n').replace(/%25/g, '%')
      if (!/[\r\u2028]/.test(text) && !CONTROLS.test(text)) expect(read).toContain(`one ${text}\n`)
    }
  })

  it('stays within its line of a report, its item of a changelog and its element of XML', () => {
    for (const format of Object.keys(FORMATS) as readonly FormatName[]) {
      expect([format, CONTROLS.exec(printed(findings, format))]).toEqual([format, null])
    }
    expect(
      printed(findings, 'text', { verbose: true })
        .split('\n')
        .filter((line) => !/^a|^ {4}(shown by|instead|affects):/.test(line)),
    ).toEqual([''])
    const changelog = printed(findings, 'markdown')
    expect(htmlIn(changelog)).toEqual([])
    expect(wordsOf(changelog)).not.toContain('@octocat')
    expect(wordsOf(changelog)).not.toContain('href: javascript')
    const xml = printed(findings, 'junit')
    expect(
      xml
        .match(/<[^?/][^\s>]*/g)
        ?.filter((one) => !/^<(testsuites?|testcase|system-out)$/.test(one)),
    ).toEqual([])
  })

  describe('in the output of conform', () => {
    const findingsWith = (
      known: Pick<ConformFinding, 'rule' | 'level'> & Partial<ConformFinding>,
    ): readonly ConformFinding[] =>
      Object.values(PAYLOADS)
        .toReversed()
        .map((text) => ({
          location: {
            file: `a${text.replace('\ud800', '')}.yaml`,
            line: 1,
            column: 1,
            pointer: '',
          },
          message: `one ${text}`,
          operations: [text],
          identity: `${known.rule} ${text}`,
          clause: 'a clause',
          exchange: { request: text, response: text, expected: text, curl: 'curl', count: 1 },
          cause: text,
          ...known,
        }))

    const judged = (): ConformResult => ({
      findings: [
        ...findingsWith({ rule: 'choice-inconsistent', level: 'note' }),
        // All of one cause: the text shows the first, and names others.
        ...findingsWith({ rule: 'id-is-not-echoed', level: 'error', cause: 'one cause' }),
        ...findings,
      ],
      coverage: [{ kind: 'operation', declared: Object.values(PAYLOADS), met: [] }],
      choices: Object.fromEntries(Object.values(PAYLOADS).map((text) => [`c${text}`, text])),
      notTested: Object.values(PAYLOADS).map((text) => ({ what: [text], why: text })),
      notOffered: Object.values(PAYLOADS),
      inferred: Object.values(PAYLOADS).map((text) => ({
        ...{ operation: text, parameter: text, from: text },
      })),
      ...{ cases: 1, requests: 1, seconds: 1, seed: 1, api, failOn: 'error' },
      ...{ subject: PAYLOADS.forgedLine ?? '', today: '2030-01-31', profile: undefined },
      inconclusive: undefined,
    })

    const formats = Object.keys(FORMATS) as readonly FormatName[]

    it.each(
      formats.flatMap((format) => [true, false].map((verbose) => [format, verbose] as const)),
    )('stays text in %s (verbose: %s)', (format, verbose) => {
      for (const unjudged of [undefined, PAYLOADS.forgedLine ?? '']) {
        const result = { ...judged(), ...(unjudged && { unjudged }), inconclusive: unjudged }
        const text = FORMATS[format](conformReport(result), { version: '1', verbose })
        expect(CONTROLS.exec(text)).toBeNull()
        if (format !== 'html') expect(text).not.toMatch(FORGED)
        if (format === 'markdown') expect(htmlIn(text)).toEqual([])
      }
    })
  })

  it('is no markup in the reference', async () => {
    const pages = writeDocs(api)
    for (const { name, text } of pages) {
      if (!name.endsWith('.html')) continue
      const tags = text.match(/<\/?[a-z][^\s>/]*/gi) ?? []
      expect([name, tags.filter((tag) => /^<(img|svg)/i.test(tag))]).toEqual([name, []])
      expect(text.replace(/"[^"]*"/g, '')).not.toMatch(/<[a-z][^>]*\son\w+=/i)
      expect(text).not.toMatch(/href="javascript:/i)
    }
  })

  it('is mocked', async () => {
    const openrpc = {
      ...documents.openrpc,
      servers: [{ name: 'one', url: 'https://a.example/rpc' }],
    }
    const mocked = await apiOfData({ ...documents, openrpc })
    const mock = await startMock(mocked)
    try {
      const [one] = mocked.operations.filter(({ kind }) => kind === 'rpc')
      if (one?.kind !== 'rpc') throw new Error('there is no method')
      const answer = await fetch(mock.rpcUrl ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: one.method,
          params: one.examples[0]?.params,
        }),
      })
      expect(await answer.json()).toMatchObject({ id: 1, result: { pattern: PAYLOADS.comment } })
    } finally {
      await mock.stop()
    }
  })
})

/** The body that a call of curl carries: its only text, or its only field. */
const sentBy = (call: readonly string[]): string => {
  const at = call.findIndex((one) => /^--(data-raw|data-urlencode|form-string)$/.test(one))
  return call[at + 1] ?? ''
}

const bodyOf = (name: string, text: string): unknown => {
  if (['file', 'redirect', 'quotes', 'substitution'].includes(name)) return text
  // No argument of a command has a NUL.
  if (name === 'terminal') return text.replace('\0', '\ufffd')
  if (['globs', 'yaml'].includes(name)) return `${encodeURIComponent(text)}=${text}`
  if (['markdown', 'single'].includes(name)) return `field=${text}`
  return JSON.stringify(
    Object.fromEntries([
      [text, text],
      [`key${text}`, text],
      ['pattern', text],
      ['list', [text]],
    ]),
  ).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '')

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  amp: '&',
}
