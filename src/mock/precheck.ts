/**
 * The part of Prism's process that runs before Prism: Prism's checker accepts everything for a schema
 * that it cannot compile, so every schema is compiled here first, by the same checker with the same
 * options. Plain CommonJS in a text, since it runs without our loader; ends with code 3 and one line.
 */
export const precheckScript = `
const Module = require('node:module')
const { readFileSync } = require('node:fs')
const { createRequire } = Module

// What makes values up speaks English where nobody asks otherwise, and fifty languages are a second of every start.
const load = Module._load
Module._load = (name, ...rest) => {
  const whole = () => load.call(Module, name, ...rest)
  if (name === '@stoplight/prism-http') {
    const prism = whole()
    return Object.create(prism, {
      // What is read of the document here is what Prism asks for.
      getHttpOperationsFromSpec: { value: () => reading },
      createInstance: { value: (...given) => guarded(prism, prism.createInstance(...given)) },
    })
  }
  if (name !== '@faker-js/faker') return whole()
  try {
    const faker = load.call(Module, '@faker-js/faker/locale/en', ...rest)
    return faker.lorem === undefined ? whole() : { default: faker, faker }
  } catch {
    return whole()
  }
}

// An error that Prism throws for a request ends its process, since nobody waits for it. Prism answers what is returned as Left.
const guarded = (prism, instance) => ({
  ...instance,
  request: (...given) => async () => {
    try {
      return await instance.request(...given)()
    } catch (error) {
      const detail = 'Prism cannot read the request: ' + error.message
      const template = { type: 'UNREADABLE_REQUEST', title: 'The request cannot be read', status: 400 }
      return { _tag: 'Left', left: prism.ProblemJsonError.fromTemplate(template, detail) }
    }
  },
})

// Standard input is a pipe from the mock. Should the mock die without stopping this, the pipe ends.
process.stdin.resume().on('end', () => process.exit())

const fromCli = createRequire(process.env.TWINSPEC_PRISM)
const fromHttp = createRequire(fromCli.resolve('@stoplight/prism-http'))

const checker = (module) => {
  const options = { allErrors: true, allowUnionTypes: true, allowMatchingProperties: true }
  // What is compiled here is never run: to make it fast is half of the time.
  const code = { optimize: false }
  const ajv = new (fromHttp(module).default)({ ...options, strict: false, logger: false, code })
  fromHttp('ajv-formats').default(ajv)
  return ajv
}
const drafts = { '2019-09': checker('ajv/dist/2019'), '2020-12': checker('ajv/dist/2020') }
const draft7 = checker('ajv')

const contents = (place, list = []) => list.map(({ schema }) => ({ place, schema }))
const schemasOf = ({ request = {}, responses }) => [
  ...contents('request', request.body?.contents),
  ...['path', 'query', 'headers', 'cookie'].flatMap((place) => contents(place, request[place])),
  ...responses.flatMap(({ code, contents: list, headers }) => [
    ...contents(code, list),
    ...contents('headers of ' + code, headers),
  ]),
]

const RefParser = fromHttp('@stoplight/json-schema-ref-parser')
const { transformOas3Operations } = fromHttp('@stoplight/http-spec/oas3/operation')
const { bundleTarget } = fromHttp('@stoplight/json')

// The references to schemas that would have more than so many nodes where each reference is replaced by its target.
const largeReferences = (document) => {
  const sizes = new Map()
  const found = []
  const segment = (text) => decodeURIComponent(text).replace(/~1/g, '/').replace(/~0/g, '~')
  const targetOf = (ref) =>
    ref.slice(2).split('/').reduce((node, key) => node?.[segment(key)], document)
  const sizeAt = (ref) => {
    if (!ref.startsWith('#/')) return 1
    if (!sizes.has(ref)) {
      sizes.set(ref, 1)
      sizes.set(ref, sizeOf(targetOf(ref)))
    }
    return sizes.get(ref)
  }
  const sizeOf = (node) => {
    if (typeof node !== 'object' || node === null) return 1
    if (typeof node.$ref === 'string') return sizeAt(node.$ref)
    return Object.values(node).reduce((sum, one) => sum + sizeOf(one), 1)
  }
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return
    const { $ref } = node
    const isOfSchema = typeof $ref === 'string' && $ref.startsWith('#/components/schemas/')
    if (isOfSchema && sizeAt($ref) > MOST_NODES) found.push({ node, $ref })
    Object.values(node).forEach(visit)
  }
  visit(document)
  return found
}
const MOST_NODES = 5_000

// Documents that were recorded declare headers that say how a body was sent. Prism would send their examples, which are wrong for
// its own bodies.
const withoutFraming = (operation) => ({
  ...operation,
  responses: operation.responses.map(({ headers = [], ...response }) => ({
    ...response,
    headers: headers.filter(({ name }) => !FRAMING.has(name.toLowerCase())),
  })),
})
const FRAMING = new Set(['transfer-encoding', 'content-length', 'content-encoding', 'connection', 'keep-alive', 'trailer', 'upgrade'])

// As Prism reads it, with three things otherwise. A schema that leads to itself stays a reference, where Prism
// unfolds it and looks for circles after that, for half a minute in a large document. So does one that is too
// large when it is unfolded: schemas that each name the one below twice double its size each time. And an operation
// is bundled from a copy: what Prism writes into schemas for one operation, the next finds there and cannot resolve.
const read = async (document) => {
  const options = { dereference: { circular: 'ignore' } }
  const large = largeReferences(document)
  for (const { node } of large) delete node.$ref
  const unfolded = await new RefParser().dereference(document, options)
  for (const { node, $ref } of large) node.$ref = $ref
  return transformOas3Operations(unfolded).map((operation) =>
    bundleTarget({
      document: { ...unfolded, __target__: withoutFraming(operation) },
      path: '#/__target__',
      cloneDocument: true,
    }),
  )
}

const reading = read(JSON.parse(readFileSync(process.env.TWINSPEC_DOCUMENT, 'utf8')))
reading.then((operations) => {
  for (const operation of operations) {
    for (const { place, schema } of schemasOf(operation)) {
      if (typeof schema !== 'object' || schema === null) continue
      const [, draft] = /\\/draft\\/([\\d-]+)\\//.exec(schema.$schema) ?? []
      try {
        const ajv = drafts[draft] ?? draft7
        ajv.compile({ ...schema, __bundled__: operation.__bundled__ })
      } catch (error) {
        const where = operation.method.toUpperCase() + ' ' + operation.path + ', ' + place
        console.error('precheck: ' + where + ': ' + error.message)
        process.exit(3)
      }
    }
  }
  fromCli('./dist/index.js')
}, (error) => {
  console.error('precheck: ' + error.message)
  process.exit(3)
})
`
