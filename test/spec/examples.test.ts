import { describe, expect, it } from 'vitest'
import type { Example } from '../../src/model/http-content.js'
import { referredName, type Schema } from '../../src/schema/schema.js'
import { api, checker, http, httpOperations, methods } from './documents.js'

const submissions = httpOperations.filter(({ variants }) => variants.length > 0)

describe('every operation has named examples', () => {
  it('of each parameter', () => {
    const bare = httpOperations.flatMap(({ id, parameters }) =>
      parameters.filter(({ examples }) => examples.length === 0).map(({ name }) => `${id} ${name}`),
    )
    expect(bare).toEqual([])
  })

  it('of its request, where it has one', () => {
    const bare = httpOperations.filter(({ body }) =>
      body?.content.some(({ examples }) => examples.length === 0),
    )
    expect(bare.map(({ id }) => id)).toEqual([])
  })

  it('of each declared HTTP status', () => {
    const bare = httpOperations.flatMap(({ id, responses }) =>
      responses
        .filter(({ content }) => !content.some(({ examples }) => examples.length > 0))
        .map(({ status }) => `${id} ${status}`),
    )
    expect(bare).toEqual([])
    const statuses = httpOperations.map(({ id, responses }) => [
      id,
      responses.map(({ status }) => status).join(' '),
    ])
    expect(Object.fromEntries(statuses)).toEqual({
      tryZkt: '200 400 405 413 415 429 503',
      submitZkt: '200 400 401 405 413 415 429 503',
      getZktTransaction: '200 400 404 405 429 503',
    })
  })

  it('of each branch of an answer: every schema that a oneOf names', () => {
    const bare = httpOperations.flatMap(({ id, responses }) =>
      responses.flatMap(({ status, content }) =>
        content.flatMap(({ schema, examples }) =>
          branchesOf(schema)
            .filter((name) => !examples.some(({ value }) => checker.named(name).check(value)))
            .map((name) => `${id} ${status} ${name}`),
        ),
      ),
    )
    expect(bare).toEqual([])
  })
})

describe.each(submissions.map((operation) => [operation.id, operation] as const))(
  'every form of %s has examples',
  (_, operation) => {
    const requests = operation.body?.content[0]?.examples ?? []
    const answers =
      operation.responses.find(({ status }) => status === '200')?.content[0]?.examples ?? []

    it.each(operation.variants.map((form) => [form.name, form] as const))('%s', (name, form) => {
      const example = requests.find((one) => one.name === form.example)
      expect(example, `${name} names an example of the request`).toBeDefined()
      expect(checker.named(form.request).explain(example?.value)).toEqual([])
      // The mock answers a request with the answer of its name.
      expect(answers.map((one) => one.name)).toContain(form.example)
      const answer = answers.find((one) => one.name === form.example)
      expect(form.responses.filter((one) => checker.named(one).check(answer?.value))).toHaveLength(
        1,
      )
      const shown = [...form.responses, ...form.errors].filter((schema) =>
        answers.some(({ value }) => checker.named(schema).check(value)),
      )
      expect(shown).toEqual([...form.responses, ...form.errors])
    })
  },
)

describe('every method has named examples', () => {
  it('of a result', () => {
    const bare = methods.filter(
      ({ examples }) => !examples.some(({ outcome }) => outcome.kind === 'result'),
    )
    expect(bare.map(({ method }) => method)).toEqual([])
  })

  it('of each declared error, and of no other', () => {
    const codes = methods.map(({ method, errors, examples }) => {
      const refused = examples.flatMap(({ outcome }) =>
        outcome.kind === 'error' ? [outcome.error.code] : [],
      )
      return [method, { declared: unique(errors.map(({ code }) => code)), shown: unique(refused) }]
    })
    const differing = codes.filter(
      ([, codesOf]) =>
        typeof codesOf === 'object' &&
        JSON.stringify(codesOf.declared) !== JSON.stringify(codesOf.shown),
    )
    expect(Object.fromEntries(differing)).toEqual({})
    // A code that meant two things could not be distinguished by a client.
    for (const { method, errors } of methods) {
      expect(unique(errors.map(({ code }) => code)), method).toHaveLength(errors.length)
    }
  })
})

describe('the names of examples', () => {
  it('are each the only one of their place', () => {
    for (const { method, examples } of methods) expect(namesOf(examples), method).toEqual([])
    for (const { id, body, responses } of httpOperations) {
      const contents = [...(body?.content ?? []), ...responses.flatMap(({ content }) => content)]
      for (const { examples } of contents) expect(namesOf(examples), id).toEqual([])
    }
  })
})

describe('every example fits its schema', () => {
  it('the requests exactly one form', () => {
    const verdicts = submissions.flatMap(({ variants, body }) =>
      (body?.content[0]?.examples ?? []).map(({ name, value }) => [
        name,
        variants
          .filter(({ request }) => checker.named(request).check(value))
          .map((one) => one.name),
      ]),
    )
    expect(Object.fromEntries(verdicts)).toEqual({
      message: ['message'],
      callRead: ['call'],
      callReadTuple: ['call'],
      callWrite: ['call'],
      callWriteWait: ['call'],
      deploy: ['deploy'],
      deployBare: ['deploy'],
    })
  })

  it('the answers under 200 exactly one schema', () => {
    expect(verdictsOf('submitZkt')).toEqual({
      message: ['ZktWriteAnswer'],
      messageHash: ['ZktWriteAnswer'],
      callRead: ['ZktReadAnswer'],
      callReadTuple: ['ZktReadAnswer'],
      callReadBare: ['ZktReadAnswer'],
      callWrite: ['ZktWriteAnswer'],
      callWriteQueued: ['ZktWriteAnswer'],
      callWriteTransactionHash: ['ZktWriteAnswer'],
      callWriteWait: ['ZktWriteAnswer'],
      deploy: ['ZktDeployAnswer'],
      deployBare: ['ZktDeployAnswer'],
      deployEveryEntry: ['ZktDeployAnswer'],
      warning: ['ZktWarningAnswer'],
      refused: ['ZktError'],
    })
    expect(verdictsOf('tryZkt')).toEqual(verdictsOf('submitZkt'))
    expect(verdictsOf('getZktTransaction')).toEqual({
      pending: ['StatusPending'],
      processing: ['StatusProcessing'],
      completed: ['StatusCompleted'],
      error: ['StatusError'],
    })
  })

  it('read strictly: no example shows a field that no schema declares', () => {
    expect(api.findings.filter(({ rule }) => rule.startsWith('example'))).toEqual([])
  })
})

function verdictsOf(id: string): Readonly<Record<string, readonly string[]>> {
  const [content] = http(id).responses.find(({ status }) => status === '200')?.content ?? []
  const branches = content ? branchesOf(content.schema) : []
  return Object.fromEntries(
    (content?.examples ?? []).map(({ name, value }) => [
      name,
      branches.filter((branch) => checker.named(branch).check(value)),
    ]),
  )
}

/** The names in the `oneOf` of a schema, or of the schema that it refers to; else its own name. */
function branchesOf(schema: Schema): readonly string[] {
  const name = referredName(schema)
  const target = name === undefined ? schema : api.schemas.get(name)?.schema
  const branches = typeof target === 'object' ? (target.oneOf ?? []).map(referredName) : []
  return branches.length > 0 ? branches.map(String) : name === undefined ? [] : [name]
}

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)].sort()

/** The names that stand twice. */
const namesOf = (examples: readonly Pick<Example, 'name'>[]): readonly string[] =>
  examples
    .map(({ name }) => name)
    .filter((name, index, all) => name === '' || all.indexOf(name) !== index)
