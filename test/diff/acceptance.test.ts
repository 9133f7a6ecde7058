import { describe, expect, it } from 'vitest'
import { accept, readAcceptances } from '../../src/diff/acceptance.js'
import { parseDocument } from '../../src/read/document.js'
import { changesOf, orders, TODAY } from './versions.js'

const RULES = ['parameter-removed', 'operation-added']

const list = (...entries: readonly string[]) =>
  parseDocument(
    `accepted:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`,
    'accepted.yaml',
  )

const PAGE = orders('parameters: [{ in: query, name: page, schema: {} }]')

const findingsOf = async (where: string, until: string, rule = 'parameter-removed') => {
  const document = list(`rule: ${rule}, where: ${where}, reason: nobody used it, until: '${until}'`)
  const changes = await changesOf(PAGE, orders(''))
  return accept(changes, readAcceptances(document, RULES), TODAY).map(
    ({ rule, level, location, message }) =>
      `${location.file}:${location.line} ${level} ${message} ${rule}`,
  )
}

describe('accept', () => {
  it.each([
    ['the operation', 'GET /orders/{id}'],
    ['the place now', '/paths/~1orders~1{id}/get'],
    ['the place before', '/paths/~1orders~1{id}/get/parameters/0'],
    ['whatever is below', '/paths'],
  ])('makes a note of a change accepted by %s', async (_, where) => {
    expect(await findingsOf(`'${where}'`, '2026-06-15')).toEqual([
      'new.openapi.yaml:8 note the query parameter `page` of GET /orders/{id} is removed: the service ignores or rejects it (accepted until 2026-06-15: nobody used it) parameter-removed',
    ])
  })

  it('knows an operation by its operationId, and its method in small letters', async () => {
    const changes = await changesOf(PAGE, orders(''))
    const names = new Map([['getOrder', ['GET /orders/{id}']]])
    for (const where of ['getOrder', 'get /orders/{id}']) {
      const entry = `rule: parameter-removed, where: '${where}', reason: so, until: '2030-01-01'`
      const accepted = accept(changes, readAcceptances(list(entry), RULES), TODAY, names)
      expect(accepted.map(({ level }) => level)).toEqual(['note'])
    }
  })

  it('says which change an entry was probably for', async () => {
    expect((await findingsOf("'GET /order/{id}'", '2030-01-01')).slice(1)).toEqual([
      'accepted.yaml:2 warning parameter-removed at GET /order/{id} is accepted, but there is no such change: there is one at GET /orders/{id} acceptance-is-unused',
    ])
  })

  it('says that an entry has expired, and the change counts again', async () => {
    expect(await findingsOf("'GET /orders/{id}'", '2026-06-14')).toEqual([
      'new.openapi.yaml:8 warning the query parameter `page` of GET /orders/{id} is removed: the service ignores or rejects it (accepted until 2026-06-14, which is over) parameter-removed',
      'accepted.yaml:2 note parameter-removed at GET /orders/{id} was accepted until 2026-06-14 acceptance-expired',
    ])
  })

  it('says that an entry is unused', async () => {
    expect((await findingsOf('/path', '2030-01-01')).slice(1)).toEqual([
      'accepted.yaml:2 warning parameter-removed at /path is accepted, but there is no such change: there is one at /paths/~1orders~1{id}/get acceptance-is-unused',
    ])
    expect((await findingsOf('/paths', '2030-01-01', 'operation-added')).slice(1)).toEqual([
      'accepted.yaml:2 warning operation-added at /paths is accepted, but there is no such change acceptance-is-unused',
    ])
  })

  it.each([
    ['/servers', ['note', 'note']],
    ['openrpc.yaml#/servers', ['error', 'note']],
    ['./spec/openapi.yaml#/servers', ['note', 'error']],
    ['rpc.yaml#/servers', ['error', 'error', 'warning']],
  ])('tells a place of both documents apart where the file is named: %s', (where, want) => {
    const at = (file: string) => ({ file, line: 3, column: 1, pointer: '/servers/0' })
    const change = { rule: 'parameter-removed', level: 'error', message: 'gone' } as const
    const [http, rpc] = ['spec/openapi.yaml', 'spec/openrpc.yaml'].map((file) => ({
      ...change,
      ...{ location: at(file), before: at(`git:main:${file}`) },
    }))
    const entry = `rule: parameter-removed, where: '${where}', reason: so, until: '2030-01-01'`
    const changes = [http, rpc].filter((one) => one !== undefined)
    const accepted = accept(changes, readAcceptances(list(entry), RULES), TODAY)
    expect(accepted.map(({ level }) => level)).toEqual(want)
  })

  it('accepts what many operations meet for all of them, not for one', () => {
    const location = { file: 'a.yaml', line: 1, column: 1, pointer: '/components' }
    const change = {
      rule: 'parameter-removed',
      level: 'error',
      message: 'gone',
      location,
      operations: ['a', 'b'],
    } as const
    const entry = (where: string) => ({
      rule: 'parameter-removed',
      where,
      reason: 'so',
      until: '2030-01-01',
      location,
    })
    expect(accept([change], [entry('a')], TODAY)[0]?.level).toBe('error')
    expect(accept([change], [entry('a'), entry('b')], TODAY)[0]?.level).toBe('note')
  })
})

describe('readAcceptances', () => {
  const whole = "rule: operation-added, where: /paths, reason: so, until: '2030-01-01'"

  it.each([
    [
      'no list',
      parseDocument('changes: []', 'accepted.yaml'),
      '1: the file needs a list "accepted", with an entry for each accepted change',
    ],
    [
      'no reason',
      list(whole, whole.replace('reason: so', "reason: ''")),
      '3: an accepted change needs reason: why the change is accepted',
    ],
    [
      'no rule',
      list(whole.replace('operation-added', 'operation-aded')),
      '2: there is no rule operation-aded: did you mean operation-added?',
    ],
    [
      'no date',
      list(whole.replace('2030-01-01', 'June')),
      '2: until must be a date such as 2030-01-31, not June',
    ],
  ])('refuses %s with its line', (_, document, message) => {
    const refusal = () => readAcceptances(document, RULES)
    expect(refusal).toThrow(message.replace(/^\d+: /, ''))
    try {
      refusal()
    } catch (error) {
      expect(error).toMatchObject({ finding: { location: { line: Number(message[0]) } } })
    }
  })
})
