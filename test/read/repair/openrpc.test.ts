import { expect, it } from 'vitest'
import { apiOf, openrpcOf } from '../api-of.js'

const RESULT = { name: 'result', schema: { type: 'string' } }

const readMethod = async (method: object, components: object = {}) => {
  const send = { name: 'send', params: [], result: RESULT, ...method }
  const { operations, findings } = await apiOf({
    openrpc: { ...openrpcOf({ methods: [send] }), components },
  })
  const [one] = operations
  if (one?.kind !== 'rpc') throw new Error('the method was not read')
  const faults = findings.filter(({ level }) => level !== 'note')
  return {
    ...one,
    warnings: faults.map(({ level, rule, location }) => `${level} ${rule} ${location.pointer}`),
    messages: faults.map(({ message }) => message),
  }
}

const OUTSIDE = 'warning schema-keyword-is-outside-schema'
const WRONG = 'warning field-has-wrong-type'

it.each([
  [{ type: 'string' }, false, { type: 'string' }],
  [{ type: 'string', required: true, description: 'To.' }, true, { type: 'string' }],
  [{ enum: ['a'], 'x-note': 1 }, false, { enum: ['a'] }],
  [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, false, { oneOf: [{}, {}] }],
  [
    { type: 'array', items: { $ref: '#/components/schemas/T' } },
    false,
    { items: { $ref: '#/components/schemas/T' } },
  ],
  [{ type: 'object', required: ['a'], properties: { a: {} } }, false, { required: ['a'] }],
])(
  'the keywords of a content descriptor without a schema are its schema: %j',
  async (parts, required, schema) => {
    const components = { schemas: { T: { type: 'string' } } }
    const read = await readMethod({ params: [{ name: 'to', ...parts }] }, components)
    expect(read.params).toMatchObject([{ name: 'to', required, schema }])
    expect(read.warnings).toEqual([`${OUTSIDE} /methods/0/params/0`])
  },
)

it('so are those of a result and of a component, and their positions are kept', async () => {
  const components = { contentDescriptors: { To: { name: 'to', type: 'string', minLength: 'x' } } }
  const params = [{ $ref: '#/components/contentDescriptors/To' }]
  const read = await readMethod({ params, result: { name: 'r', type: 'integer' } }, components)
  expect(read.result.schema).toEqual({ type: 'integer' })
  expect(read.params[0]?.schema).toMatchObject({ type: 'string' })
  expect(read.warnings).toEqual([
    `${OUTSIDE} /methods/0/result`,
    `${OUTSIDE} /components/contentDescriptors/To`,
    'warning schema-keyword-invalid /components/contentDescriptors/To/minLength',
  ])
  expect(read.messages[0]).toBe(
    'r has no schema: its own keywords (type) are read as the schema; put them under schema',
  )
})

it('a choice of content descriptors, as in OpenRPC 1.1, is not a schema', async () => {
  const oneOf = [
    { name: 'a', schema: { type: 'string' } },
    { name: 'b', schema: { type: 'integer' } },
  ]
  const { operations } = await apiOf({
    openrpc: {
      ...openrpcOf({ methods: [{ name: 'send', params: [], result: { oneOf } }] }),
      openrpc: '1.2.6',
    },
  })
  const [one] = operations
  expect(one?.kind === 'rpc' && one.result.schema).toEqual({
    anyOf: [{ type: 'string' }, { type: 'integer' }],
  })
})

it.each([['-32010'], [' -32010 ']])('the code %j of an error is read as a number', async (code) => {
  const errors = [{ code, message: 'No.' }]
  const read = await readMethod({ errors })
  expect(read.errors).toMatchObject([{ code: -32010 }])
  expect(read.warnings).toEqual([`${WRONG} /methods/0/errors/0/code`])
  expect(read.messages[0]).toBe(
    `code must be an integer, not the string ${JSON.stringify(code)}: it is read as -32010; write it without quotes`,
  )
})

it('so is the code of an error in components', async () => {
  const components = { errors: { No: { code: '-32010', message: 'No.' } } }
  const read = await readMethod({ errors: [{ $ref: '#/components/errors/No' }] }, components)
  expect(read.errors).toMatchObject([{ code: -32010 }])
  expect(read.warnings).toEqual([`${WRONG} /components/errors/No/code`])
})

it('another code is an error', async () => {
  const code = 'NOT_FOUND'
  const read = await readMethod({ errors: [{ code, message: 'No.' }] }).catch(String)
  expect(JSON.stringify(read)).toContain('code')
  expect(JSON.stringify(read)).not.toContain('is read as')
})

it.each([
  [{}, 'an empty object'],
  [null, 'null'],
])('params that are %j are read as none', async (params, what) => {
  const read = await readMethod({ params })
  expect(read.params).toEqual([])
  expect(read.warnings).toEqual([`${WRONG} /methods/0/params`])
  expect(read.messages).toEqual([
    `the params of send must be a list, not ${what}: it is read as no params; write params: []`,
  ])
})

it('a result that is null is read as any result', async () => {
  const read = await readMethod({ result: null })
  expect(read.result.schema).toBe(true)
  expect(read.isNotification).toBeUndefined()
  expect(read.warnings).toEqual([`${WRONG} /methods/0/result`])
})

it.each([
  ['a descriptor', { Blk: { name: 'block', schema: { type: 'string' } } }],
  ['a reference to one', { Blk: { $ref: '#/components/contentDescriptors/B' }, B: RESULT }],
  ['a descriptor with its own keywords', { Blk: { name: 'block', type: 'string' } }],
])('a schema that refers to %s is its schema', async (_what, contentDescriptors) => {
  const schema = { $ref: '#/components/contentDescriptors/Blk' }
  const api = await apiOf({
    openrpc: {
      ...openrpcOf({
        methods: [{ name: 'send', params: [{ name: 'b', schema }], result: RESULT }],
      }),
      components: { contentDescriptors },
    },
  })
  const [one] = api.operations
  const [param] = one?.kind === 'rpc' ? one.params : []
  const read = param?.schema
  const name = typeof read === 'object' ? read.$ref?.split('/').at(-1) : undefined
  expect(name === undefined ? read : api.schemas.get(name)?.schema).toEqual({ type: 'string' })
  const warnings = api.findings.filter(({ rule }) => rule === 'reference-is-no-schema')
  expect(warnings.map(({ level, location }) => `${level} ${location.pointer}`)).toEqual([
    'warning /methods/0/params/0/schema/$ref',
  ])
})

it('parameters of a method without params are probably its params', async () => {
  const { messages } = await readMethod({ params: undefined, parameters: [RESULT] })
  expect(messages.join('\n')).toContain('is ignored: did you mean params?')
  const other = await readMethod({ parameters: [RESULT] })
  expect(other.messages.join('\n')).toContain('is ignored: an extension begins with x-')
})

const PARAMS = [
  { name: 'to', schema: { type: 'string' } },
  { $ref: '#/components/contentDescriptors/Count' },
]
const COUNT = { contentDescriptors: { Count: { name: 'count', schema: { type: 'integer' } } } }
const AT = '/methods/0/examples/0'

const readExample = async (example: object, components: object = COUNT) => {
  const one = { name: 'one', params: [], ...example }
  const { examples, warnings, messages } = await readMethod(
    { params: PARAMS, examples: [one] },
    components,
  )
  const [read] = examples
  const places = read?.places.params.map((place) => place.locate().pointer)
  return { read, places, warnings, messages }
}

it.each<[params: unknown, read: readonly unknown[], warnings: readonly string[]]>([
  [
    ['ann', 5],
    ['ann', 5],
    ['/params/0', '/params/1'],
  ],
  [[{ name: 'to', value: 'ann' }, 5], ['ann', 5], ['/params/1']],
  [
    [null, [1]],
    [null, [1]],
    ['/params/0', '/params/1'],
  ],
  [[{ a: { $ref: '#/x' } }], [{ a: { $ref: '#/x' } }], ['/params/0']],
  [{ count: 5, to: 'ann' }, ['ann', 5], ['/params']],
  [{ to: { value: 'ann' }, count: { name: 'Five', value: 5 } }, ['ann', 5], ['/params']],
  [{ to: { name: 'ann', age: 5 } }, [{ name: 'ann', age: 5 }], ['/params']],
  [{}, [], ['/params']],
])('the params of an example %j are Example Objects', async (params, values, at) => {
  const { read, warnings } = await readExample({ params })
  expect(read?.params).toEqual(values)
  const names = ['to', 'count'].slice(0, values.length)
  expect(read?.namedParams).toEqual(
    Object.fromEntries(names.map((name, index) => [name, values[index]])),
  )
  const repairs = warnings.filter((one) => one.startsWith(WRONG))
  expect(repairs).toEqual(at.map((pointer) => `${WRONG} ${AT}${pointer}`))
})

it.each([
  [5, '/result'],
  [null, '/result'],
  [['a'], '/result'],
  [{ to: 'ann' }, '/result'],
  [{ to: 'ann', value: 1 }, '/result'],
])('the result of an example %j is an Example Object', async (result, at) => {
  const { read, warnings } = await readExample({ result })
  expect(read?.outcome).toMatchObject({ kind: 'result', value: result })
  expect(warnings.filter((one) => one.startsWith(WRONG))).toEqual([`${WRONG} ${AT}${at}`])
})

it('a finding about a value of an example is where it was written', async () => {
  const listed = await readExample({ params: ['ann', 'five'], result: 7 })
  expect(listed.places).toEqual([`${AT}/params/0`, `${AT}/params/1`])
  expect(listed.warnings.filter((one) => one.includes('example-invalid'))).toEqual([
    `warning example-invalid ${AT}/params/1`,
    `warning example-invalid ${AT}/result`,
  ])
  const named = await readExample({ params: { count: { deep: ['five'] }, to: 'ann' } })
  expect(named.places).toEqual([`${AT}/params/to`, `${AT}/params/count`])
  const { messages } = await readExample({ params: { count: 5, other: 1 } })
  expect(messages[0]).toBe(
    'the params of an example must be a list of Example Objects, not an object: its properties are read as the params by name; other is no param of the method; write params: [{ name: …, value: … }]',
  )
})

it('the examples of components are read alike', async () => {
  const components = {
    ...COUNT,
    examplePairingObjects: {
      Listed: { name: 'listed', params: ['ann', 5], result: 'x' },
      Named: { name: 'named', params: { to: 'ann', count: 5 }, result: 'x' },
      Whole: { name: 'whole', params: [{ $ref: '#/components/examples/Ann' }] },
    },
    examples: { Ann: { name: 'to', value: 'ann' } },
  }
  const examples = ['Listed', 'Named', 'Whole'].map((name) => ({
    $ref: `#/components/examplePairingObjects/${name}`,
  }))
  const read = await readMethod({ params: PARAMS, examples }, components)
  expect(read.examples.map(({ namedParams }) => namedParams)).toEqual([
    { to: 'ann', count: 5 },
    { to: 'ann', count: 5 },
    { to: 'ann' },
  ])
  const at = '/components/examplePairingObjects'
  expect(read.warnings.filter((one) => one.startsWith(WRONG)).sort()).toEqual([
    `${WRONG} ${at}/Listed/params/0`,
    `${WRONG} ${at}/Listed/params/1`,
    `${WRONG} ${at}/Listed/result`,
    `${WRONG} ${at}/Named/params`,
    `${WRONG} ${at}/Named/result`,
  ])
})
