import { expect, test } from 'vitest'
import { createLog, type LogOptions } from '../../src/service/log.js'
import { readSettings } from '../../src/service/settings.js'

const MNEMONIC = 'test test test test test test test test test test test junk'

const logged = (form: LogOptions['form'] & string) => {
  const lines: string[] = []
  const settings = readSettings(
    { upstream: 'https://node.example/v3/0123456789abcdef0123' },
    {
      TWINSPEC_MNEMONIC: MNEMONIC,
      DATABASE_URL: 'postgres://me:p%40ss-%22word@db.example/one',
    },
  )
  return { log: createLog(settings, { write: (line) => lines.push(line), form }), lines }
}

test('JSON lines, with the causes of an error and no stack', () => {
  const { log, lines } = logged('json')
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  log.warn({ err: new TypeError('the store is away', { cause }), store: 'postgres' }, 'waiting')
  log.debug('not at this level')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      store: 'postgres',
      err: {
        name: 'TypeError',
        message: 'the store is away',
        cause: { name: 'Error', message: 'refused', code: 'ECONNREFUSED' },
      },
      msg: 'waiting',
    },
  ])
})

test('no secret of the settings comes through, however it is written', () => {
  const { log, lines } = logged('json')
  log.error(new Error(`cannot derive from ${MNEMONIC}`))
  log.error({ url: 'postgres://me:p%40ss-%22word@db.example/one' }, 'password p@ss-"word is wrong')
  log.error({ err: new Error('POST https://node.example/v3/0123456789abcdef0123 failed') })
  log.error('tried me:p%40ss-%22word@elsewhere and /v3/0123456789abcdef0123?x')
  const pair = btoa('me:p@ss-"word')
  log.error(new Error(`the request had authorization: Basic ${pair}`))
  expect(lines.length).toBe(5)
  for (const line of lines) JSON.parse(line)
  expect(lines.join('')).not.toMatch(/junk|ss-|0123456789abcdef/)
  expect(lines.join('')).not.toContain(pair)
})

test('lines for people', () => {
  const { log, lines } = logged('plain')
  log.info({ method: 'eth_call', text: 'two words' }, 'called')
  expect(lines.join('')).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} info {2}called method=eth_call text="two words"\n$/,
  )
})

const LONG = `${'/a'.repeat(500_000)} the end`

test.each<[string, (log: ReturnType<typeof logged>['log']) => void]>([
  ['a message', (log) => log.warn(LONG)],
  ['a field', (log) => log.warn({ reason: LONG }, 'failed')],
  ['a nested field', (log) => log.warn({ end: { messages: [LONG] } }, 'failed')],
  ['an error', (log) => log.error(new Error(LONG))],
  ['an error with a message', (log) => log.error(new Error(LONG), LONG)],
  ['the cause of an error', (log) => log.warn({ err: new Error('a', { cause: LONG }) }, 'failed')],
  [
    'the error that caused an error',
    (log) => log.warn({ error: new Error('a', { cause: new Error(LONG) }) }, 'failed'),
  ],
])('%s of a megabyte makes a short line', (_, write) => {
  for (const form of ['json', 'plain'] as const) {
    const { log, lines } = logged(form)
    write(log)
    expect(lines.length).toBe(1)
    expect(lines[0]).toContain('/a/a/a')
    expect(lines[0]).toContain('…')
    expect(lines[0]?.length).toBeLessThan(2_500)
  }
})

test('a secret that begins before the end of a long text is not cut in half', () => {
  const { log, lines } = logged('json')
  log.warn({ reason: `${'a'.repeat(990)} ${MNEMONIC} ${'b'.repeat(2_000)}` }, 'failed')
  expect(lines.join('')).not.toContain('test test')
  expect(lines.join('')).toContain('a ***')
})
