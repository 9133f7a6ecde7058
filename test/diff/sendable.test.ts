import { describe, expect, it } from 'vitest'
import { diffOf, errors } from './diff-of.js'

const document = (operation: object, path = '/orders') => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: { [path]: { get: { operationId: 'getOrder', ...operation } } },
})

const parameter = (schema: unknown, place: string) =>
  document(
    {
      parameters: [{ name: 'q', in: place, required: true, schema }],
      responses: { 204: { description: 'Done.' } },
    },
    place === 'path' ? '/orders/{q}' : '/orders',
  )

const header = (schema: unknown) =>
  document({
    responses: {
      204: { description: 'Done.', headers: { 'x-left': { required: true, schema } } },
    },
  })

const text = (more: object = {}) => ({ type: 'string', ...more })

describe('diff judges by values that can be sent', () => {
  it('no request for a path has an empty parameter', async () => {
    const [before, after] = [text(), text({ minLength: 1 })]
    expect(await diffOf(parameter(before, 'path'), parameter(after, 'path'))).toEqual([])
    expect(await diffOf(parameter(after, 'path'), parameter(before, 'path'))).toEqual([])
    const empty = [['request-min-length-raised', '']]
    expect(errors(await diffOf(parameter(before, 'query'), parameter(after, 'query')))).toEqual(
      empty,
    )
  })

  it('a longer minimum of a path parameter is shown by a text that can be sent', async () => {
    const found = await diffOf(parameter(text(), 'path'), parameter(text({ minLength: 3 }), 'path'))
    expect(found).toHaveLength(1)
    expect(found[0]?.message).toContain('must have at least 3 characters now: ')
    expect(errors(found)).toEqual([['request-min-length-raised', expect.stringMatching(/^..?$/)]])
    const pattern = text({ pattern: '^(a|bc)$' })
    const others = await diffOf(parameter(text(), 'path'), parameter(pattern, 'path'))
    expect(errors(others)).toEqual([['request-pattern-narrowed', expect.stringMatching(/^.+$/)]])
  })

  it('no header has line breaks in its value, and no space at its ends', async () => {
    const bounded = text({ pattern: '^([^\\s]([^\\r\\n]*[^\\s])?)?$' })
    expect(errors(await diffOf(parameter(text(), 'header'), parameter(bounded, 'header')))).toEqual(
      [],
    )
    expect(errors(await diffOf(header(bounded), header(text())))).toEqual([])
    const found = await diffOf(
      parameter(text(), 'header'),
      parameter(text({ maxLength: 3 }), 'header'),
    )
    const matched = await diffOf(
      parameter(text(), 'header'),
      parameter(text({ pattern: '^a+$' }), 'header'),
    )
    expect(matched[0]?.message).not.toContain('it had to match')
    expect(errors(found)).toEqual([
      ['request-max-length-lowered', expect.stringMatching(/^\S{4}$/)],
    ])
  })
})
