import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { findingsIn } from '../report/report-of.js'

const FORM = 'application/x-www-form-urlencoded'

/** A document whose parameter `q`, or whose field of a form, has a schema. */
const documentOf = (place: 'query' | 'form', schema: object) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Search', version: '1' },
    servers: [{ url: 'https://a.example' }],
    paths: {
      '/find': {
        post: {
          ...(place === 'query'
            ? { parameters: [{ name: 'q', in: 'query', schema }] }
            : {
                requestBody: {
                  content: { [FORM]: { schema: { type: 'object', properties: { q: schema } } } },
                },
              }),
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
  })

const lineOf = (place: 'query' | 'form', q: string | undefined) => {
  const text = q === undefined ? '' : `q=${q}`
  const isForm = place === 'form'
  const request = {
    method: 'POST',
    url: `https://a.example/find${isForm || text === '' ? '' : `?${text}`}`,
    headers: isForm ? { 'content-type': FORM } : {},
    ...(isForm && { body: text }),
  }
  return JSON.stringify({ request, response: { status: 204, headers: {} } })
}

/** Whether recorded requests met the change, and the exit code of `--fail-on used`. */
const verdict = async (place: 'query' | 'form', before: object, after: object, line: string) => {
  const folder = await folderOf({
    'old.json': documentOf(place, before),
    'new.json': documentOf(place, after),
    'a.ndjson': line,
  })
  const at = (file: string) => join(folder, file)
  const sources = ['--openapi', at('old.json'), '--consumer', 'user-agent', '--out', at('u.json')]
  await twinspec('usage', at('a.ndjson'), ...sources)
  const diff = [
    ...['diff', '--openapi', at('new.json'), '--against', at('old.json')],
    ...['--usage', at('u.json'), '--fail-on', 'used'],
  ]
  const { code } = await twinspec(...diff)
  const { stdout } = await twinspec(...diff, '--format', 'json')
  const found = findingsIn(stdout).find(
    ({ rule, level }) => rule.startsWith('request-') && level !== 'note',
  )
  return [found?.usage?.verdict, code]
}

const TEXT = { type: 'string' }
const listOf = (items: object, more: object = {}) => ({ type: 'array', items, ...more })

describe.each(['query', 'form'] as const)(
  'a scalar in a %s that becomes a list of other items',
  (place) => {
    it.each<[name: string, before: object, after: object, broken: string, fitting: string]>([
      ['without a default', TEXT, listOf({ type: 'integer' }), 'abc', '7'],
      ['with a default', { ...TEXT, default: 'a' }, listOf({ type: 'integer' }), 'abc', '7'],
      [
        'with the same default',
        { ...TEXT, default: '1' },
        listOf({ type: 'integer' }, { default: [1] }),
        ...(['abc', '7'] as const),
      ],
      [
        'with fewer values and a default',
        { ...TEXT, enum: ['red', 'blue'], default: 'blue' },
        listOf({ ...TEXT, enum: ['blue'] }),
        ...(['red', 'blue'] as const),
      ],
      [
        'with a shorter length and a default',
        { ...TEXT, default: 'a' },
        listOf({ ...TEXT, maxLength: 2 }),
        ...(['abc', 'a'] as const),
      ],
    ])('%s', async (_, before, after, broken, fitting) => {
      const met = (q: string | undefined) => verdict(place, before, after, lineOf(place, q))
      expect(await met(broken)).toEqual(['used', 1])
      expect((await met(fitting))[0]).toMatch(/^(unused|possible)$/)
      expect((await met(undefined))[0]).toBe('unused')
    })
  },
)
