import { basename, dirname, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/model/finding.js'
import { changesMarkdown } from '../../src/report/markdown.js'
import { findingsIn, printed as report } from './report-of.js'

const findings: readonly Finding[] = [
  {
    rule: 'example-invalid',
    level: 'warning',
    location: { file: 'spec/a b.yaml', line: 12, column: 3, pointer: '/paths/~1a' },
    message: 'the example "one" of a, 200, must be < 3 & a number',
  },
  {
    rule: 'method-is-duplicate',
    level: 'error',
    location: { file: 'spec/openrpc.yaml', line: 4, column: 5, pointer: '/methods/1' },
    message: 'the method a stands here\na second time, 100% sure',
  },
  {
    rule: 'schema-keyword-is-unknown',
    level: 'note',
    location: { file: 'spec/openrpc.yaml', line: 9, column: 1, pointer: '' },
    message: 'foo is no keyword',
  },
]

const RULES = [{ id: 'example-invalid', level: 'warning', purpose: 'examples mislead' }] as const

const repeated = (count: number): readonly Finding[] =>
  Array.from({ length: count }, (_, index) => ({
    rule: 'schema-keyword-is-unknown',
    level: 'note',
    location: { file: 'a.yaml', line: index + 1, column: 1, pointer: '' },
    message: 'foo is no keyword',
  }))

describe('text', () => {
  it('is one line for each finding', () => {
    expect(report(findings, 'text')).toMatchInlineSnapshot(`
      "spec/a b.yaml:12:3 warning the example "one" of a, 200, must be < 3 & a number [example-invalid]
      spec/openrpc.yaml:4:5 error the method a stands here a second time, 100% sure [method-is-duplicate]
      spec/openrpc.yaml:9:1 note foo is no keyword [schema-keyword-is-unknown]
      "
    `)
  })

  it('shows ten of a rule and counts the rest', () => {
    const lines = report([...repeated(13), ...findings.slice(0, 1)], 'text').split('\n')
    expect(lines.slice(9)).toEqual([
      'a.yaml:10:1 note foo is no keyword [schema-keyword-is-unknown]',
      'spec/a b.yaml:12:3 warning the example "one" of a, 200, must be < 3 & a number [example-invalid]',
      '… and 3 more schema-keyword-is-unknown (--verbose shows all)',
      '',
    ])
    expect(report(repeated(13), 'text', { verbose: true })).toContain('a.yaml:13:1 note')
  })

  it('is coloured for people alone', () => {
    const [first] = findings
    const coloured = report(first ? [first] : [], 'text', { coloured: true })
    expect(coloured).toContain('\u001b[33mwarning\u001b[39m')
    expect(report(findings, 'text')).not.toContain('\u001b')
  })

  it('passes on nothing that a terminal would obey', () => {
    const [first] = findings
    const hostile = first && { ...first, message: 'a\u001b[2Jb\u0007c\u009b1md\re' }
    expect(report(hostile ? [hostile] : [], 'text')).toBe(
      'spec/a b.yaml:12:3 warning a\ufffd[2Jb\ufffdc\ufffd1md\ufffde [example-invalid]\n',
    )
  })

  it('is empty where there is nothing to say', () => {
    expect(report([], 'text')).toBe('')
  })
})

describe('json', () => {
  it('is the findings as they are', () => {
    expect(findingsIn(report(findings, 'json'))).toEqual(findings)
    expect(report(findings.slice(2), 'json')).toMatchInlineSnapshot(`
      "{
        "command": "lint",
        "subject": "spec",
        "findings": [
          {
            "rule": "schema-keyword-is-unknown",
            "level": "note",
            "location": {
              "file": "spec/openrpc.yaml",
              "line": 9,
              "column": 1,
              "pointer": ""
            },
            "message": "foo is no keyword"
          }
        ],
        "failOn": "error",
        "verdict": "Done",
        "summary": "done",
        "facts": {},
        "sections": []
      }
      "
    `)
    expect(findingsIn(report([], 'json'))).toEqual([])
  })
})

describe('github', () => {
  it('is workflow commands, one line each', () => {
    expect(report(findings, 'github')).toMatchInlineSnapshot(`
      "::error file=spec/openrpc.yaml,line=4,col=5,title=method-is-duplicate::the method a stands here%0Aa second time, 100%25 sure
      ::warning file=spec/a b.yaml,line=12,col=3,title=example-invalid::the example "one" of a, 200, must be < 3 & a number
      ::notice file=spec/openrpc.yaml,line=9,col=1,title=schema-keyword-is-unknown::foo is no keyword
      "
    `)
    expect(report([], 'github')).toBe('')
  })

  it('names files from the top of the repository, wherever it runs', () => {
    const [, finding] = findings
    const annotated = (workspace: string) =>
      report(finding ? [finding] : [], 'github', { workspace })
    const at = resolve('.')
    expect(annotated(dirname(at))).toContain(` file=${basename(at)}/spec/openrpc.yaml,`)
    expect(annotated(at)).toContain(' file=spec/openrpc.yaml,')
    expect(annotated(resolve('test'))).toContain(' file=spec/openrpc.yaml,')
  })
})

describe('sarif', () => {
  it('is one run with its rules', () => {
    expect(
      report(findings.slice(0, 1), 'sarif', { version: '1.2.3', rules: RULES }),
    ).toMatchInlineSnapshot(`
      "{
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
          {
            "tool": {
              "driver": {
                "name": "twinspec",
                "version": "1.2.3",
                "rules": [
                  {
                    "id": "example-invalid",
                    "shortDescription": {
                      "text": "examples mislead"
                    }
                  }
                ]
              }
            },
            "columnKind": "utf16CodeUnits",
            "invocations": [
              {
                "executionSuccessful": true
              }
            ],
            "results": [
              {
                "ruleId": "example-invalid",
                "ruleIndex": 0,
                "level": "warning",
                "message": {
                  "text": "the example \\"one\\" of a, 200, must be < 3 & a number"
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "spec/a%20b.yaml"
                      },
                      "region": {
                        "startLine": 12,
                        "startColumn": 3
                      }
                    },
                    "logicalLocations": [
                      {
                        "fullyQualifiedName": "/paths/~1a"
                      }
                    ]
                  }
                ],
                "partialFingerprints": {
                  "finding/v1": "86fd192b0da0eedf67eb68e98cd0164d:1"
                }
              }
            ],
            "properties": {
              "subject": "spec",
              "summary": "done",
              "facts": {},
              "sections": []
            }
          }
        ]
      }
      "
    `)
  })

  it('names each rule once, and an absolute path by its URL', () => {
    const [first] = findings
    const absolute = first && { ...first, location: { ...first.location, file: '/a b/c.yaml' } }
    const log = JSON.parse(report([...findings, ...(absolute ? [absolute] : [])], 'sarif'))
    const { tool, results } = log.runs[0]
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'example-invalid',
      'method-is-duplicate',
      'schema-keyword-is-unknown',
    ])
    expect(results.map(({ ruleIndex }: { ruleIndex: number }) => ruleIndex)).toEqual([0, 1, 2, 0])
    expect(results[3].locations[0].physicalLocation.artifactLocation.uri).toBe(
      'file:///a%20b/c.yaml',
    )
  })

  it('gives each result a fingerprint of its own, wherever its line moves to', () => {
    const moved = findings.map((one) => ({ ...one, location: { ...one.location, line: 99 } }))
    const prints = (all: readonly Finding[]) =>
      JSON.parse(report(all, 'sarif')).runs[0].results.map(
        (result: { partialFingerprints: unknown }) => JSON.stringify(result.partialFingerprints),
      )
    expect(prints(moved)).toEqual(prints(findings))
    expect(new Set(prints([...findings, ...findings])).size).toBe(6)
  })

  it('has no results where there is nothing to say', () => {
    expect(JSON.parse(report([], 'sarif')).runs[0].results).toEqual([])
  })
})

describe('junit', () => {
  it('is a suite for each file, and only errors fail', () => {
    expect(report(findings, 'junit')).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="twinspec lint">
        <testsuite name="spec/a b.yaml" tests="1" failures="0" errors="0" skipped="0">
          <testcase name="example-invalid 12:3" classname="spec/a b.yaml"><system-out>spec/a b.yaml:12:3 warning the example &quot;one&quot; of a, 200, must be &lt; 3 &amp; a number</system-out></testcase>
        </testsuite>
        <testsuite name="spec/openrpc.yaml" tests="2" failures="1" errors="0" skipped="0">
          <testcase name="method-is-duplicate 4:5" classname="spec/openrpc.yaml"><failure type="method-is-duplicate" message="the method a stands here&#10;a second time, 100% sure">spec/openrpc.yaml:4:5</failure></testcase>
          <testcase name="schema-keyword-is-unknown 9:1" classname="spec/openrpc.yaml"><system-out>spec/openrpc.yaml:9:1 note foo is no keyword</system-out></testcase>
        </testsuite>
      </testsuites>
      "
    `)
  })

  it('counts as failures what fails the run', () => {
    const failures = (failOn: Finding['level']) =>
      [...report(findings, 'junit', { failOn }).matchAll(/<failure type="([^"]*)"/g)].map(
        ([, rule]) => rule,
      )
    expect(failures('warning')).toEqual(['example-invalid', 'method-is-duplicate'])
    expect(failures('note')).toHaveLength(3)
    expect(report(findings, 'junit', { failOn: 'note' })).toContain('tests="2" failures="2"')
  })

  it('passes where there is nothing to say', () => {
    expect(report([], 'junit')).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="twinspec lint">
        <testsuite name="documents" tests="1" failures="0" errors="0" skipped="0">
          <testcase name="no findings" classname="twinspec"/>
        </testsuite>
      </testsuites>
      "
    `)
  })

  it('gives no two cases of a suite one name', () => {
    const text = report([...findings, ...findings], 'junit')
    expect([...text.matchAll(/testcase name="(method[^"]*)"/g)].map(([, name]) => name)).toEqual([
      'method-is-duplicate 4:5',
      'method-is-duplicate 4:5 (2)',
    ])
  })

  it('holds no character that XML does not have', () => {
    const [first] = findings
    const hostile = first && { ...first, message: 'a\u0000b\u001bc' }
    expect(report(hostile ? [hostile] : [], 'junit')).toContain('a\ufffdb\ufffdc')
  })
})

it('names all operations that a finding affects, where it is asked to', () => {
  const met = findings.map((one) => ({ ...one, operations: ['GET /a', 'GET /b'] })).slice(0, 1)
  expect(report(met, 'text', { verbose: true })).toMatch(/\n {4}affects: GET \/a, GET \/b\n$/)
  expect(report(met, 'text')).not.toContain('GET /b')
})

describe('a change', () => {
  const change: Finding = {
    rule: 'request-became-narrower',
    level: 'error',
    location: { file: 'spec/a.yaml', line: 12, column: 3, pointer: '/a' },
    message: 'the body of POST /orders takes no null',
    before: { file: 'git:origin/main:spec/a.yaml', line: 10, column: 5, pointer: '/a' },
    witness: { value: { note: null } },
    advice: 'go on taking it',
    operations: ['POST /orders'],
  }

  it('shows in text where it stood, a value and what to do instead', () => {
    expect(report([change], 'text')).toMatchInlineSnapshot(`
      "spec/a.yaml:12:3 error the body of POST /orders takes no null [request-became-narrower]
          before: git:origin/main:spec/a.yaml:10:5
          shown by: {"note":null}
          instead: go on taking it
      "
    `)
  })

  it('shows the same beside the line of a pull request', () => {
    expect(report([change], 'github')).toMatchInlineSnapshot(`
      "::error file=spec/a.yaml,line=12,col=3,title=request-became-narrower::the body of POST /orders takes no null%0Abefore: git:origin/main:spec/a.yaml:10:5%0Ashown by: {"note":null}%0Ainstead: go on taking it
      "
    `)
  })

  it('stands beside no line where it is about a revision alone', () => {
    const { before, ...rest } = change
    const gone = { ...rest, ...(before && { location: before }) }
    expect(report([gone], 'github')).toMatchInlineSnapshot(`
      "::error title=request-became-narrower::git:origin/main:spec/a.yaml:10:5 the body of POST /orders takes no null%0Ashown by: {"note":null}%0Ainstead: go on taking it
      "
    `)
  })

  it('shows the same in junit', () => {
    expect(report([change], 'junit')).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="twinspec lint">
        <testsuite name="POST /orders" tests="1" failures="1" errors="0" skipped="0">
          <testcase name="request-became-narrower 12:3" classname="POST /orders"><failure type="request-became-narrower" message="the body of POST /orders takes no null">spec/a.yaml:12:3&#10;before: git:origin/main:spec/a.yaml:10:5&#10;shown by: {&quot;note&quot;:null}&#10;instead: go on taking it</failure></testcase>
        </testsuite>
      </testsuites>
      "
    `)
  })

  it('has the place before among the related locations of sarif', () => {
    const [result] = JSON.parse(report([change], 'sarif')).runs[0].results
    expect(result.message.text).toBe(
      'the body of POST /orders takes no null\nshown by: {"note":null}\ninstead: go on taking it',
    )
    expect(result.relatedLocations).toMatchInlineSnapshot(`
      [
        {
          "id": 1,
          "logicalLocations": [
            {
              "fullyQualifiedName": "/a",
            },
          ],
          "message": {
            "text": "the version before",
          },
          "physicalLocation": {
            "artifactLocation": {
              "uri": "git:origin/main:spec/a.yaml",
            },
            "region": {
              "startColumn": 5,
              "startLine": 10,
            },
          },
        },
      ]
    `)
  })

  it('is an entry of a changelog, whatever its words would be to Markdown', () => {
    const wild = { ...change, message: '`a` <b> *c*\n# d', witness: { value: '``' } }
    expect(
      report([wild, { ...change, level: 'note', operations: ['a', 'b'] }], 'markdown', {
        command: 'diff',
      }),
    ).toMatchInlineSnapshot(`
      "## Breaking

      ### \`POST /orders\`

      - \`a\` \\<b\\> \\*c\\* \\# d (\`request-became-narrower\`, \`spec/a.yaml:12\`)
        - before: \`git:origin/main:spec/a.yaml:10:5\`
        - shown by: \`\`\`"\`\`"\`\`\`
        - instead: go on taking it

      ## Added and changed

      ### \`a\` and 1 more

      - the body of POST /orders takes no null (\`request-became-narrower\`, \`spec/a.yaml:12\`)
        - before: \`git:origin/main:spec/a.yaml:10:5\`
        - shown by: \`{"note":null}\`
        - instead: go on taking it

      done
      "
    `)
    expect(changesMarkdown([], 'authors')).toBe('No changes.\n')
  })

  it.each([
    ['a text of one letter', 'a'.repeat(200), '"aaa…" (200 × a)'],
    ['a text that ends in one letter', `0x${'f'.repeat(300)}`, '"0xfff…" (0x and 300 × f)'],
    ['a text of one sign', '-'.repeat(200), '"---…" (200 × "-")'],
    ['any long text', 'ab'.repeat(100), `"${'ab'.repeat(20)}…" (200 characters)`],
    ['a text within', { note: 'a'.repeat(200) }, '{"note":"aaa…" (200 × a)}'],
    ['a list of one thing', Array.from({ length: 40 }, () => 0), '[0,0,0,…] (40 × 0)'],
    ['a list of many', Array.from({ length: 40 }, (_, at) => at), '[0,1,2,…] (40 items)'],
    ['a hash', `0x${'a'.repeat(64)}`, `"0x${'a'.repeat(64)}"`],
  ])('shows of %s as much as a person takes in, and json all of it', (_, value, want) => {
    const long = [{ ...change, witness: { value } }]
    expect(report(long, 'text')).toContain(`shown by: ${want}\n`)
    expect(report(long, 'markdown')).toContain(`shown by: \`${want}\`\n`)
    expect(findingsIn(report(long, 'json'))[0]?.witness?.value).toEqual(value)
  })

  it('cuts what would fill the screen even so', () => {
    const deep = Array.from({ length: 12 }, () => Array.from({ length: 12 }, () => 'x'.repeat(80)))
    const text = report([{ ...change, witness: { value: deep } }], 'text')
    expect(text.length).toBeLessThan(1000)
  })
})
