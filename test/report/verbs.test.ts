import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORMATS, type FormatName } from '../../src/report/formats.js'
import { isFailing } from '../../src/report/levels.js'
import type { CheckReport } from '../../src/report/report.js'
import { twinspec } from '../cli/command-line.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder('report')

const documentOf = (type: string, example: string) => `openapi: 3.1.0
info: { title: Clock, version: '1' }
paths:
  /now:
    get:
      operationId: getNow
      summary: The time
      responses:
        '200':
          description: The time
          content: { application/json: { schema: { type: ${type} }, example: ${example} } }
`

/** Each verb, with a fault in its input. */
const commands: Record<string, readonly string[]> = {}

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('7')
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const files = {
    'text.yaml': documentOf('string', 'noon'),
    'number.yaml': documentOf('integer', '12'),
    'wrong.yaml': documentOf('integer', 'noon'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const at = (name: string) => join(folder, name)
  commands.lint = ['lint', at('wrong.yaml'), '--fail-on', 'note']
  commands.diff = ['diff', at('number.yaml'), '--against', at('text.yaml')]
  commands.conform = ['conform', url, at('text.yaml'), '--rate', '0', '--max-examples', '2']
  commands.compatibility = ['compatibility', at('number.yaml'), '--version', at('text.yaml')]
})

afterAll(() => void server.close())

type Run = { readonly report: CheckReport; readonly code: number }

/** The report of a verb as JSON, made once. */
const runs = new Map<string, Promise<Run>>()
const runOf = (verb: string): Promise<Run> => {
  const known =
    runs.get(verb) ??
    twinspec(...(commands[verb] ?? []), '--format', 'json').then(({ stdout, code }) => ({
      report: JSON.parse(stdout),
      code,
    }))
  runs.set(verb, known)
  return known
}

const reportOfVerb = async (verb: string): Promise<CheckReport> => (await runOf(verb)).report

const inFormat = async (verb: string, format: FormatName) =>
  FORMATS[format](await reportOfVerb(verb), { version: '1', verbose: true })

/** How many findings a text has: whole ones, and those that are counted with one of the same cause. */
const countIn = (text: string, whole: RegExp): number => {
  const others = [...text.matchAll(/also in: (\d+) place/g)].map(([, count]) => Number(count))
  return [...text.matchAll(whole), ...others.flatMap((count) => Array(count).fill(0))].length
}

describe.each(['lint', 'diff', 'conform', 'compatibility'])('the report of %s', (verb) => {
  it('has the same members as every other, with at least one finding', async () => {
    const report = await reportOfVerb(verb)
    expect(Object.keys(report)).toEqual(
      expect.arrayContaining(['command', 'subject', 'findings', 'verdict', 'summary', 'facts']),
    )
    expect(report).toMatchObject({ command: verb, subject: expect.stringMatching(/./) })
    expect(report.findings.length).toBeGreaterThan(0)
    for (const finding of report.findings) {
      expect(finding).toMatchObject({
        rule: expect.stringMatching(/^[a-z]+(-[a-z0-9]+)+$/),
        level: expect.stringMatching(/^(error|warning|note)$/),
        message: expect.any(String),
        location: {
          file: expect.any(String),
          line: expect.any(Number),
          column: expect.any(Number),
        },
      })
    }
  })

  it.each([
    ['text', / (?:error|warning|note) .* \[[a-z-]+\]$/gm],
    ['github', /^::(?:error|warning|notice) (?:file=[^,]+\.yaml,line=\d+,col=\d+,)?title=/gm],
    ['sarif', /"ruleIndex"/g],
    ['junit', /<(?:failure|system-out)/g],
    ['markdown', /^- .*\(`[a-z-]+`, `.*:\d+`\)$/gm],
    ['html', /<details class="row"|<li>[^<]* <code>/g],
  ] as const)('has in %s as many findings as in json', async (format, whole) => {
    const { findings, sections } = await reportOfVerb(verb)
    const text = FORMATS[format](
      { ...(await reportOfVerb(verb)), sections: [] },
      { version: '1', verbose: true },
    )
    expect(countIn(text, whole)).toBe(findings.length)
    const all = await inFormat(verb, format)
    for (const { title, name } of sections)
      expect(all.toLowerCase()).toContain(
        format === 'junit' ? verb : format === 'sarif' ? name : title,
      )
  })

  it('is SARIF 2.1.0 with a place and a rule for each result', async () => {
    const { version, runs } = JSON.parse(await inFormat(verb, 'sarif'))
    expect({ version, runs: runs.length }).toEqual({ version: '2.1.0', runs: 1 })
    const [{ tool, results, invocations }] = runs
    expect(invocations).toEqual([{ executionSuccessful: true }])
    for (const { ruleId, ruleIndex, level, message, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
      expect(level).toMatch(/^(error|warning|note)$/)
      expect(message.text).toMatch(/./)
      const [{ physicalLocation }] = locations
      expect(physicalLocation.artifactLocation.uri).toMatch(/\.yaml$/)
      expect(physicalLocation.region.startLine).toBeGreaterThan(0)
    }
  })

  it('is XML whose elements are closed, and whose counts agree', async () => {
    const xml = await inFormat(verb, 'junit')
    const open: string[] = []
    for (const [tag, end, name = '', empty] of xml.matchAll(
      /<(\/?)([a-z-]+)(?:\s[^<>]*?)?(\/?)>/g,
    )) {
      if (end !== '') expect([tag, open.pop()]).toEqual([tag, name])
      else if (empty === '') open.push(name)
    }
    expect(open).toEqual([])
    for (const [, suite = ''] of xml.matchAll(/(<testsuite [\s\S]*?)<\/testsuite>/g)) {
      const [, tests, failures] = /tests="(\d+)" failures="(\d+)"/.exec(suite) ?? []
      expect(Number(tests)).toBe(suite.match(/<testcase /g)?.length)
      expect(Number(failures)).toBe(suite.match(/<failure /g)?.length ?? 0)
    }
  })

  it('ends with the exit code of its failing findings', async () => {
    const { report, code } = await runOf(verb)
    expect(report.findings.some((one) => isFailing(one, report.failOn))).toBe(true)
    expect(code).toBe(1)
  })
})

it.each(Object.keys(FORMATS))('lint prints %s, and its summary beside it', async (format) => {
  const { code, stdout, stderr } = await twinspec(...(commands.lint ?? []), '--format', format)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/ rules\n$/) })
  expect(stdout).toContain('example-invalid')
})
