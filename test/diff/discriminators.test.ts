import { describe, expect, it } from 'vitest'
import { changesOf, written } from './versions.js'

const SCHEMAS = `
    Cat: { type: object, required: [kind, sort], properties: { kind: { type: string }, sort: { type: string } } }
    Dog: { type: object, required: [kind, bark], properties: { kind: { type: string }, bark: { type: string } } }`

/** The same schema is the body of a request and of its response. */
const pets = (discriminator: string) => ({
  http: `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    post:
      operationId: add
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
components:
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      ${discriminator}${SCHEMAS}
`,
})
const by = (property: string, mapping: string) =>
  pets(`discriminator: { propertyName: ${property}, mapping: { ${mapping} } }`)

describe('discriminators', () => {
  it('shows every rule once, in both directions', async () => {
    const animals = 'cat: Cat, dog: Dog'
    const found = await Promise.all([
      changesOf(by('kind', animals), by('sort', animals)),
      changesOf(by('kind', animals), by('kind', 'feline: Cat, dog: Dog')),
      changesOf(by('kind', animals), by('kind', 'cat: Dog, dog: Cat')),
      changesOf(by('kind', animals), pets('')),
      changesOf(pets(''), by('kind', animals)),
    ])
    expect(found.map(written).join('\n')).toMatchInlineSnapshot(`
      "error request-discriminator-property-changed
        the discriminator of the request body of POST /pets is the property \`sort\` now, not \`kind\`: the old property no longer selects the alternative
        at new.openapi.yaml:13 (old.openapi.yaml:13)
        instead: keep the property, or offer the new alternatives in an operation of their own
      error response-discriminator-property-changed
        the discriminator of the 200 response of POST /pets is the property \`sort\` now, not \`kind\`: the old property no longer selects the alternative
        at new.openapi.yaml:13 (old.openapi.yaml:13)
        instead: keep the property, or offer the new alternatives in an operation of their own
      warning request-discriminator-value-removed
        the discriminator of the request body of POST /pets no longer has the value \`cat\`: callers who send it may be rejected
        at new.openapi.yaml:13 (old.openapi.yaml:13)
        instead: keep the value in the mapping, besides the new one
      warning response-discriminator-value-added
        the discriminator of the 200 response of POST /pets now has the value \`feline\`: clients may not know it
        at new.openapi.yaml:13 (old.openapi.yaml:13)
        instead: keep sending the old value
      note request-discriminator-value-added
        the discriminator of the request body of POST /pets now has the value \`feline\`
        at new.openapi.yaml:13 (old.openapi.yaml:13)
      note response-discriminator-value-removed
        the discriminator of the 200 response of POST /pets no longer has the value \`cat\`
        at new.openapi.yaml:13 (old.openapi.yaml:13)
      warning request-discriminator-value-changed
        the value \`cat\` of the discriminator of the request body of POST /pets means the schema \`Dog\` now, not \`Cat\`
        at new.openapi.yaml:13 (old.openapi.yaml:13)
        instead: keep what the value means, and add a new value
      warning request-discriminator-value-changed
        the value \`dog\` of the discriminator of the request body of POST /pets means the schema \`Cat\` now, not \`Dog\`
        at new.openapi.yaml:13 (old.openapi.yaml:13)
        instead: keep what the value means, and add a new value
      warning response-discriminator-value-changed
        the value \`cat\` of the discriminator of the 200 response of POST /pets means the schema \`Dog\` now, not \`Cat\`
        at new.openapi.yaml:13 (old.openapi.yaml:13)
        instead: keep what the value means, and add a new value
      warning response-discriminator-value-changed
        the value \`dog\` of the discriminator of the 200 response of POST /pets means the schema \`Cat\` now, not \`Dog\`
        at new.openapi.yaml:13 (old.openapi.yaml:13)
        instead: keep what the value means, and add a new value
      warning response-discriminator-removed
        the 200 response of POST /pets no longer has a discriminator; it was the property \`kind\`: clients that choose an alternative by it have to find another way
        at new.openapi.yaml:8 (old.openapi.yaml:13)
        instead: keep the discriminator
      note request-discriminator-removed
        the request body of POST /pets no longer has a discriminator; it was the property \`kind\`
        at new.openapi.yaml:7 (old.openapi.yaml:13)
      note request-discriminator-added
        the request body of POST /pets has a discriminator now: the property \`kind\`
        at new.openapi.yaml:13 (old.openapi.yaml:7)
      note response-discriminator-added
        the 200 response of POST /pets has a discriminator now: the property \`kind\`
        at new.openapi.yaml:13 (old.openapi.yaml:8)"
    `)
  })

  it('finds a change of the alternative that a mapping selects', async () => {
    const before = by('kind', 'cat: Cat, dog: Dog')
    const after = { http: before.http.replace('[kind, bark]', '[kind, bark, age]') }
    const rules = (await changesOf(before, after)).map(({ rule }) => rule)
    expect(rules).toContain('request-property-became-required')
  })

  it('takes the name of a schema for a value where no mapping names the schema', async () => {
    const implied = pets('discriminator: { propertyName: kind }')
    expect(await changesOf(implied, by('kind', 'Cat: Cat'))).toEqual([])
    const rules = (await changesOf(implied, by('kind', 'cat: Cat'))).map(({ rule }) => rule)
    expect(rules).toContain('request-discriminator-value-removed')
  })
})
