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

/** The alternatives extend the schema with the discriminator. */
const family = (name: string) => {
  const { http } = pets('')
  const child = '{ allOf: [{ $ref: "#/components/schemas/Pet" }] }'
  return {
    http: `${http.slice(0, http.indexOf('      oneOf'))}      type: object
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind }
    ${name}: ${child}
    Dog: ${child}
`,
  }
}

describe('discriminators', () => {
  it('shows every rule once, in both directions', async () => {
    const animals = 'cat: Cat, dog: Dog'
    const found = await Promise.all([
      changesOf(by('kind', animals), by('sort', animals)),
      changesOf(by('kind', animals), by('kind', 'feline: Cat, dog: Dog')),
      changesOf(by('kind', animals), by('kind', 'cat: Dog, dog: Cat')),
      changesOf(by('kind', animals), pets('')),
      changesOf(pets(''), by('kind', animals)),
      changesOf(family('Cat'), family('Feline')),
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
      error request-value-removed
        \`kind\` in an alternative of the request body of POST /pets can no longer be "cat": callers may be rejected
        at new.openapi.yaml:14 (old.openapi.yaml:14)
        shown by: {"kind":"cat","sort":""}
        instead: keep accepting the value, with the meaning of another one
      error response-value-added
        \`kind\` in an alternative of the 200 response of POST /pets can be "feline" now as well: clients do not expect it
        at new.openapi.yaml:14 (old.openapi.yaml:14)
        shown by: {"kind":"feline","sort":""}
        instead: announce new values before you send them: clients may know only the old ones
      note request-value-added
        \`kind\` in an alternative of the request body of POST /pets can be "feline" now as well
        at new.openapi.yaml:14 (old.openapi.yaml:14)
      note response-value-removed
        \`kind\` in an alternative of the 200 response of POST /pets can no longer be "cat"
        at new.openapi.yaml:14 (old.openapi.yaml:14)
      error request-value-removed
        \`kind\` in an alternative of the request body of POST /pets can no longer be "cat": callers may be rejected
        at new.openapi.yaml:14 (old.openapi.yaml:14)
        shown by: {"kind":"cat","sort":""}
        instead: keep accepting the value, with the meaning of another one
      error response-value-added
        \`kind\` in an alternative of the 200 response of POST /pets can be "dog" now as well: clients do not expect it
        at new.openapi.yaml:14 (old.openapi.yaml:14)
        shown by: {"kind":"dog","sort":""}
        instead: announce new values before you send them: clients may know only the old ones
      error request-value-removed
        \`kind\` in an alternative of the request body of POST /pets can no longer be "dog": callers may be rejected
        at new.openapi.yaml:15 (old.openapi.yaml:15)
        shown by: {"kind":"dog","bark":""}
        instead: keep accepting the value, with the meaning of another one
      error response-value-added
        \`kind\` in an alternative of the 200 response of POST /pets can be "cat" now as well: clients do not expect it
        at new.openapi.yaml:15 (old.openapi.yaml:15)
        shown by: {"kind":"cat","bark":""}
        instead: announce new values before you send them: clients may know only the old ones
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
      note request-value-added
        \`kind\` in an alternative of the request body of POST /pets can be "dog" now as well
        at new.openapi.yaml:14 (old.openapi.yaml:14)
      note response-value-removed
        \`kind\` in an alternative of the 200 response of POST /pets can no longer be "cat"
        at new.openapi.yaml:14 (old.openapi.yaml:14)
      note request-value-added
        \`kind\` in an alternative of the request body of POST /pets can be "cat" now as well
        at new.openapi.yaml:15 (old.openapi.yaml:15)
      note response-value-removed
        \`kind\` in an alternative of the 200 response of POST /pets can no longer be "dog"
        at new.openapi.yaml:15 (old.openapi.yaml:15)
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
        at new.openapi.yaml:13 (old.openapi.yaml:8)
      error request-discriminator-value-removed
        the discriminator of the request body of POST /pets no longer has the value \`Cat\`: callers who send it may be rejected
        at new.openapi.yaml:15 (old.openapi.yaml:15)
        instead: keep the value in the mapping, besides the new one
      error response-discriminator-value-added
        the discriminator of the 200 response of POST /pets now has the value \`Feline\`: clients may not know it
        at new.openapi.yaml:15 (old.openapi.yaml:15)
        instead: keep sending the old value
      warning response-alternative-added
        the 200 response of POST /pets may be a new alternative now, \`Feline\`: clients do not expect it
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: send the new alternative in an operation, or with a status, of its own
      note request-alternative-added
        the request body of POST /pets may be a new alternative now, \`Feline\`
        at new.openapi.yaml:7 (old.openapi.yaml:7)
      note response-alternative-removed
        the 200 response of POST /pets no longer has the alternative \`Cat\`
        at new.openapi.yaml:8 (old.openapi.yaml:8)
      note schema-removed
        the schema \`Cat\` is removed: generated types lose that name
        at new.openapi.yaml:11 (old.openapi.yaml:16)
      note request-discriminator-value-added
        the discriminator of the request body of POST /pets now has the value \`Feline\`
        at new.openapi.yaml:15 (old.openapi.yaml:15)
      note response-discriminator-value-removed
        the discriminator of the 200 response of POST /pets no longer has the value \`Cat\`
        at new.openapi.yaml:15 (old.openapi.yaml:15)"
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
    expect(rules).toContain('request-value-removed')
  })
})
