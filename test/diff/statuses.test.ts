import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'

const document = (...statuses: readonly string[]) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: {
      '/orders': {
        get: {
          operationId: 'orders',
          responses: Object.fromEntries(statuses.map((one) => [one, { description: 'An answer' }])),
        },
      },
    },
  })

const diffOf = async (before: readonly string[], after: readonly string[]) => {
  const folder = await folderOf({
    'old.json': document(...before),
    'new.json': document(...after),
  })
  return twinspec(
    ...['diff', '--openapi', join(folder, 'new.json')],
    ...['--against', join(folder, 'old.json')],
  )
}

describe('diff of a status that becomes a range', () => {
  it.each([
    [['200'], ['2XX'], 'success-status-added'],
    [['200'], ['200', '2XX'], 'success-status-added'],
    [['200', '404'], ['200', '4XX'], 'error-status-added'],
  ])('%j to %j says that clients receive other statuses', async (before, after, rule) => {
    const { code, stdout } = await diffOf(before, after)
    expect(code).toBe(0)
    expect(stdout).toContain(rule)
    expect(stdout).toContain('may return any status of')
  })

  it.each([
    [['2XX'], ['200']],
    [['200', '2XX'], ['200']],
    [['2XX'], ['2XX', '200']],
  ])('%j to %j brings no status that clients did not expect', async (before, after) => {
    const { code, stdout } = await diffOf(before, after)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^differs without an effect\n/)
  })
})
