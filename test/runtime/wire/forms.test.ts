import { describe, expect, it } from 'vitest'
import type { Parameter } from '../../../src/runtime/operation.js'
import {
  type Fault,
  type Validator,
  type ValidatorSchema,
  validator,
} from '../../../src/runtime/validate.js'
import { readParts, readUrlEncoded } from '../../../src/runtime/wire/forms.js'
import { readRequestBody, unreadReason } from '../../../src/runtime/wire/read-body.js'
import { decodeQuery, fitReading, readStyled } from '../../../src/runtime/wire/readings.js'

const INTEGERS: ValidatorSchema = { type: 'array', items: { type: 'integer' } }

const withField = (schema: ValidatorSchema): ValidatorSchema => ({
  type: 'object',
  properties: { a: schema },
})

/** A validator that counts the faults that it explains: what an invalid value costs beyond a valid one. */
const counting = (schema: ValidatorSchema) => {
  const own = validator(() => schema)
  let count = 0
  const counted: Validator = {
    ...own,
    explain: (...given) => {
      const faults = own.explain(...given)
      count += faults.length
      return faults
    },
  }
  return { counted, count: () => count }
}

type Read = (validator: Validator) => { readonly faults: readonly Fault[] } | { value: unknown }

const repeated = (count: number, text: string) => Array(count).fill(text).join('&')

const parameter = (style: Parameter['style'], explode: boolean): Parameter => ({
  name: 'a',
  in: 'query',
  required: false,
  style,
  explode,
})

const COUNT = 2_000

describe('2,000 wrong texts are explained a few times at most', () => {
  it.each<[string, ValidatorSchema, Read]>([
    ['a list of a form', withField(INTEGERS), (one) => readUrlEncoded(repeated(COUNT, 'a=x'), one)],
    [
      'texts that begin as JSON does',
      withField(INTEGERS),
      (one) => readUrlEncoded(repeated(COUNT, 'a=[[['), one),
    ],
    [
      'texts that are JSON',
      withField(INTEGERS),
      (one) => readUrlEncoded(repeated(COUNT, 'a=[1]'), one),
    ],
    [
      'fields of different names',
      { type: 'object', additionalProperties: { type: 'integer' } },
      (one) => readUrlEncoded(Array.from({ length: COUNT }, (_, at) => `a${at}=x`).join('&'), one),
    ],
    [
      'the texts of a multipart body',
      withField(INTEGERS),
      (one) => readParts(Array(COUNT).fill({ name: 'a', text: 'x', type: undefined }), one),
    ],
    [
      'a field of the style deepObject',
      withField(INTEGERS),
      (one) => {
        const text = Array.from({ length: COUNT }, (_, at) => `a[${at}]=x`).join('&')
        return readUrlEncoded(text, one, { encodings: { a: { style: 'deepObject' } } })
      },
    ],
    [
      'a delimited list',
      withField(INTEGERS),
      (one) => {
        const text = `a=${Array(COUNT).fill('x').join()}`
        return readUrlEncoded(text, one, { encodings: { a: { style: 'form', explode: false } } })
      },
    ],
    [
      'a list in a query',
      INTEGERS,
      (one) => {
        const text = Array(COUNT).fill('x').join()
        return fitReading(readStyled(parameter('form', false), text, decodeQuery), one)
      },
    ],
    [
      'a list in an object in JSON',
      withField({ type: 'object', properties: { b: INTEGERS } }),
      (one) => readUrlEncoded(`a=${JSON.stringify({ b: Array(COUNT).fill('x') })}`, one),
    ],
    [
      'a list of objects in JSON',
      withField({ type: 'array', items: { type: 'object', properties: { b: INTEGERS } } }),
      (one) => readUrlEncoded(repeated(COUNT, 'a={"b":["x"]}'), one),
    ],
  ])('%s', (_, schema, read) => {
    const { counted, count } = counting(schema)
    const found = read(counted)
    expect('faults' in found && found.faults.length).toBeGreaterThan(0)
    // One more than a response lists.
    expect('faults' in found && found.faults.length).toBeLessThanOrEqual(21)
    expect(count()).toBeLessThan(6 * COUNT)
  })
})

describe('of more wrong texts than a response lists', () => {
  const faultsIn = (text: string, schema: ValidatorSchema) => {
    const read = readUrlEncoded(
      text,
      validator(() => schema),
    )
    return 'faults' in read ? read.faults.map(({ pointer }) => pointer) : read.value
  }

  it('only those that no conversion corrects are faults', () => {
    const text = Array.from({ length: 200 }, (_, at) => `a=${at % 4 === 0 ? 'x' : at}`).join('&')
    const expected = Array.from({ length: 21 }, (_, at) => `/a/${4 * at}`)
    expect(faultsIn(text, withField(INTEGERS))).toEqual(expected)
    expect(
      fitReading(
        [text.split('&').map((pair) => pair.slice(2))],
        validator(() => INTEGERS),
      ),
    ).toMatchObject({ faults: expected.map((pointer) => ({ pointer: pointer.slice(2) })) })
  })

  it('a text that looks like a number is not one of them', () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, a: INTEGERS },
    } as const
    expect(faultsIn(`name=123&${repeated(50, 'a=x')}`, schema)).not.toContain('/name')
    expect(faultsIn(`name=123&${repeated(50, 'a=1')}`, schema)).toEqual({
      name: '123',
      a: Array(50).fill(1),
    })
  })

  it('a reader of recordings knows each of another shape', () => {
    const text = `${repeated(40, 'a=x')}&z=text`
    const schema = {
      type: 'object',
      properties: { a: INTEGERS, z: { type: 'object', required: ['b'] } },
    } as const
    const read = readRequestBody(
      [{ type: FORM, codec: 'form' }],
      () => ({ validator: validator(() => schema) }),
      {
        contentType: FORM,
        content: { raw: text },
      },
    )
    const { z } = 'written' in read ? Object(read.written) : {}
    expect([read.kind, unreadReason(z)]).toEqual(['invalid', 'form'])
  })
})

const FORM = 'application/x-www-form-urlencoded'
