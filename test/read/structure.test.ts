import { expect, it } from 'vitest'
import { DocumentError, type Finding } from '../../src/model/finding.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'

const HEAD = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\n"
const inRoot = (rest: string) => `${HEAD}paths: {}\n${rest}`
const inPaths = (rest: string) => `${HEAD}paths: { ${rest} }`
const inPath = (rest: string) => inPaths(`/a: { ${rest} }`)
const ok = "responses: { '200': { description: ok } }"
const inOperation = (rest: string) => inPath(`get: { ${rest}, ${ok} }`)
const inResponse = (rest: string) =>
  inPath(`get: { responses: { '200': { description: ok, ${rest} } } }`)
const inScheme = (rest: string) => inRoot(`components: { securitySchemes: { k: { ${rest} } } }`)

// biome-ignore format: a row each
const ERRORS: readonly (readonly [text: string, ...expected: string[]])[] = [
  [HEAD, '1  field-is-missing: an OpenAPI document needs paths, which is missing: add it'],
  ["openapi: 3.1.0\ninfo: { title: T, version: '1' }", '1  field-is-missing: an OpenAPI document needs paths, which is missing: add it'],
  ['openapi: 3.0.3\npaths: {}', '1  field-is-missing: an OpenAPI document needs info, which is missing: add it'],
  [inPaths('/a: null'), '3 /paths/~1a field-has-wrong-type: /a must be an object, not null: it is left out'],
  [inPath('get: null'), '3 /paths/~1a/get field-has-wrong-type: get must be an object, not null: it is left out'],
  [inPath('parameters: {}'), '3 /paths/~1a/parameters field-has-wrong-type: parameters must be a list of parameters, not an object: it is left out'],
  [inOperation('parameters: [5]'), '3 /paths/~1a/get/parameters/0 field-has-wrong-type: parameters[0] must be an object, not 5: it is left out'],
  [inOperation('parameters: [{ $ref: 5 }]'), '3 /paths/~1a/get/parameters/0/$ref field-has-wrong-type: $ref must be a string, not 5: it is left out'],
  [inOperation('parameters: [{ name: q, in: query, required: yes }]'), '3 /paths/~1a/get/parameters/0/required field-has-wrong-type: required must be true or false, not the string "yes": it is left out'],
  [inOperation('requestBody: []'), '3 /paths/~1a/get/requestBody field-has-wrong-type: requestBody must be an object, not a list: it is left out'],
  [inResponse('content: { application/json: { schema: { $ref: 5 } } }'), '3 /paths/~1a/get/responses/200/content/application~1json/schema/$ref field-has-wrong-type: $ref must be a string, not 5: it is left out'],
  [inResponse('headers: { x-a: text }'), '3 /paths/~1a/get/responses/200/headers/x-a field-has-wrong-type: x-a must be an object, not the string "text": it is left out'],
  [inRoot('security: 5'), '4 /security field-has-wrong-type: security must be a list of security requirements, not 5: it is left out'],
  [inRoot('servers: 5'), '4 /servers field-has-wrong-type: servers must be a list of servers, not 5: it is left out'],
  [inRoot('components: []'), '4 /components field-has-wrong-type: components must be an object, not a list: it is left out'],
]

it.each(ERRORS)('is an error of its part: %s', async (text, ...expected) => {
  expect(await linesOf(text)).toEqual(
    expect.arrayContaining(expected.map((line) => `error ${line}`)),
  )
})

// biome-ignore format: a row each
const REPORTED: readonly (readonly [text: string, ...expected: string[]])[] = [
  [inRoot('components: { schemas: [] }'), '4 /components/schemas field-has-wrong-type: components.schemas must be an object, not a list'],
  [`${HEAD}paths: []`, '3 /paths field-has-wrong-type: paths must be an object of paths, not a list'],
  [inOperation("parameters: [{ name: q, in: query, required: 'true' }]"), '3 /paths/~1a/get/parameters/0/required field-has-wrong-type: required must be true or false, not the string "true"'],
  [inOperation('operationId: 5'), '3 /paths/~1a/get/operationId field-has-wrong-type: operationId must be a string, not 5', '3 /paths/~1a/get operation-name-was-changed: 5 is called _5 in generated code: its own name is not an identifier'],
  [inPath(`gte: { ${ok} }`), '3 /paths/~1a/gte field-is-unknown: gte is not a field of a path item and is ignored: did you mean get?'],
  [inRoot('component: { schemas: {} }'), '4 /component field-is-unknown: component is not a field of an OpenAPI document and is ignored: did you mean components?'],
  [inRoot('components: { schema: {} }'), '4 /components/schema field-is-unknown: schema is not a field of components and is ignored: did you mean schemas?'],
  [inRoot('components: { schemas: null }'), '4 /components/schemas field-has-wrong-type: components.schemas must be an object, not null'],
  [inRoot('colour: red'), '4 /colour field-is-unknown: colour is not a field of an OpenAPI document and is ignored: an extension begins with x-'],
  [inOperation('reponses: {}'), '3 /paths/~1a/get/reponses field-is-unknown: reponses is not a field of an operation and is ignored: did you mean responses?'],
  [inPath('get: { operationId: a }'), '3 /paths/~1a/get responses-are-missing: the operation declares no responses, so none is typed or validated: declare its responses'],
  [inPath('get: { responses: {} }'), '3 /paths/~1a/get responses-are-missing: the operation declares no responses, so none is typed or validated: declare its responses'],
  [inPath('get: { responses: { OK: { description: ok } } }'), '3 /paths/~1a/get/responses/OK response-has-no-status: OK is not a status code, so the response is ignored: write one such as 200, 4XX or default'],
  [inOperation('parameters: [{ nam: q, in: query }]'), '3 /paths/~1a/get/parameters/0/nam field-is-unknown: nam is not a field of a parameter and is ignored: did you mean name?', '3 /paths/~1a/get/parameters/0 field-is-missing: a parameter needs name, which is missing: add it'],
  [inOperation('parameters: [{ name: q, in: body }]'), '3 /paths/~1a/get/parameters/0/in parameter-place-is-unknown: a parameter cannot be in body: it is read as the body where requestBody is left out; write it under requestBody'],
  [inOperation('parameters: [{ name: q, in: formData }]'), '3 /paths/~1a/get/parameters/0/in parameter-place-is-unknown: a parameter cannot be in formData, so it is ignored: a form belongs under requestBody'],
  [inPaths(`/a/:b: { get: { parameters: [{ name: b, in: path, required: true }], ${ok} } }`), '3 /paths/~1a~1:b path-template-is-inexact: /a/:b is read as /a/{b}: write that'],
  [inPaths(`'/{aB}': { get: { parameters: [{ name: a_b, in: path, required: true }], ${ok} } }`), '3 /paths/~1{aB}/get/parameters/0/name path-parameter-is-not-in-path: the path /{aB} does not contain {a_b}: the parameter is read as {aB}; write the same name in both'],
  [inOperation('security: [k]'), '3 /paths/~1a/get/security/0 field-has-wrong-type: security[0] must be an object, not the string "k": it is read as { k: [] }', '3 /paths/~1a/get/security/0 security-scheme-is-undeclared: the security scheme k is not declared in components.securitySchemes, so callers cannot send its credentials: declare it'],
  [inRoot('servers: https://x'), '4 /servers field-has-wrong-type: servers must be a list of servers, not the string "https://x": it is read as the url'],
  [inRoot('security: {}'), '4 /security field-has-wrong-type: security must be a list of security requirements, not an object: it is read as a list of one'],
  [inPath('get: { responses: { 200: fine, 204: } }'), '3 /paths/~1a/get/responses/200 field-has-wrong-type: 200 must be an object, not the string "fine": it is read as the description', '3 /paths/~1a/get/responses/204 field-has-wrong-type: 204 must be an object, not null: it is read as an empty object'],
  [inResponse('content: { json: {} }'), '3 /paths/~1a/get/responses/200/content/json media-type-invalid: json is not a media type: it is read as application/json; write that'],
  [inResponse('headers: { X-A: { type: integer } }'), '3 /paths/~1a/get/responses/200/headers/X-A/type schema-keyword-is-outside-schema: type is a keyword of schemas, not a field of a header, and is read as a part of the schema: put it under schema'],
  [inOperation('parameters: [{ name: q, in: Query }]'), '3 /paths/~1a/get/parameters/0/in parameter-place-is-unknown: a parameter cannot be in Query: it is read as in query; write that'],
  [inOperation('parameters: [{ name: q, in: url }]'), '3 /paths/~1a/get/parameters/0/in parameter-place-is-unknown: a parameter cannot be in url, so it is ignored: write one of path, query, querystring, header, cookie'],
  [inOperation('parameters: [{ name: q, in: query, type: string }]'), '3 /paths/~1a/get/parameters/0/type schema-keyword-is-outside-schema: type is a keyword of schemas, not a field of a parameter, and is read as a part of the schema: put it under schema'],
  [inOperation('parameters: [{ name: q, in: query, maximum: 5 }]'), '3 /paths/~1a/get/parameters/0/maximum schema-keyword-is-outside-schema: maximum is a keyword of schemas, not a field of a parameter, and is ignored: put it under schema'],
  [inResponse('content: { application/json: { examples: [5] } }'), '3 /paths/~1a/get/responses/200/content/application~1json/examples field-has-wrong-type: examples must be an object of examples, not a list: its items are read as the values'],
  [inResponse('content: { application/json: { examples: { five: { n: 5 } } } }'), '3 /paths/~1a/get/responses/200/content/application~1json/examples/five field-has-wrong-type: five is not an Example Object and is read as the value: write it under value'],
  [inOperation("parameters: [{ name: 'a b', in: header }]"), '3 /paths/~1a/get/parameters/0/name header-name-invalid: "a b" is not a valid header name: use letters, digits and signs such as -, without spaces'],
  [inPaths(`'/{a}': { get: { parameters: [{ name: a, in: path }], ${ok} } }`), '3 /paths/~1{a}/get/parameters/0 path-parameter-is-not-required: a is in the path, so it is read as required: write required: true'],
  [inRoot('security: [{ k: text }]'), '4 /security/0/k field-has-wrong-type: k must be a list, not the string "text"'],
  [inScheme('type: apikey, in: header, name: k'), '4 /components/securitySchemes/k/type security-scheme-type-is-unknown: apikey is not a type of security scheme: it is read as apiKey; write that'],
  [inScheme('type: basic'), '4 /components/securitySchemes/k/type security-scheme-type-is-unknown: basic is not a type of security scheme: it is read as http with the scheme basic; write that'],
  [inScheme('type: http, scheme: Digest'), '4 /components/securitySchemes/k/scheme security-scheme-is-not-sent: clients send nothing for the security scheme k: digest needs more than a header with a secret; callers pass the option fetch, or headers with each call'],
  [inScheme('type: http, scheme: bearer')],
  [inScheme('type: token'), '4 /components/securitySchemes/k/type security-scheme-type-is-unknown: token is not a type of security scheme, so no credential is sent for it: write one of apiKey, http, mutualTLS, oauth2, openIdConnect'],
  [inScheme('type: http'), '4 /components/securitySchemes/k field-is-missing: a security scheme of type http needs scheme: add it'],
  [inScheme("type: apiKey, in: header, name: 'a b'"), '4 /components/securitySchemes/k/name header-name-invalid: "a b" is not a valid header name: use letters, digits and signs such as -, without spaces'],
  [inRoot("servers: [{ url: 'https://{h}/' }]"), "4 /servers/0/url server-variable-is-undeclared: the variable {h} of the url is not declared: declare it in variables, with a default"],
  [inRoot("servers: [{ url: 'https://a/{}' }]"), '4 /servers/0/url variable-has-no-name: {} in the url contains no name, so no value can replace it: write a name between the braces'],
  [inPaths(`'/a/{}': { get: { ${ok} } }`), '3 /paths/~1a~1{} variable-has-no-name: {} in the path contains no name, so no value can replace it: write a name between the braces'],
  [inResponse('content: { schema: { type: string } }'), '3 /paths/~1a/get/responses/200/content/schema media-type-invalid: schema is not a media type: it is read as the schema of application/json; write the media type above it'],
  [inResponse('content: { application/json: { type: string } }'), '3 /paths/~1a/get/responses/200/content/application~1json/type schema-keyword-is-outside-schema: type is a keyword of schemas, not a field of a media type, and is read as a part of the schema: put it under schema'],
  [inResponse('schema: { type: string }'), '3 /paths/~1a/get/responses/200/schema schema-keyword-is-outside-schema: schema is not a field of a response and is read as that of application/json: write it under content'],
  [inResponse('headers: { "a\\nb": { schema: { type: string } } }'), '3 /paths/~1a/get/responses/200/headers/a\nb header-name-invalid: "a\\nb" is not a valid header name: use letters, digits and signs such as -, without spaces'],
  [inPaths(`a: { get: { ${ok} } }`), '3 /paths/a path-has-no-slash: a is read as /a: write that'],
  [inPaths(`'': { get: { operationId: root, ${ok} } }`), '3 /paths/ path-has-no-slash: an empty key is read as /: write that'],
  [inPaths(`'GET a': { get: { ${ok} } }`), '3 /paths/GET a path-has-no-slash: the path GET a does not begin with a slash, so it is ignored: write /GET a'],
  [inPaths(`/a: { get: { ${ok} } }, a: { get: { ${ok} } }`), '3 /paths/a path-has-no-slash: the path a does not begin with a slash, so it is ignored: write /a'],
  [inPath(`GET: { ${ok} }`), '3 /paths/~1a/GET field-is-unknown: GET is read as get: write that'],
  [inPath(`get: { ${ok} }, GET: { ${ok} }`), '3 /paths/~1a/GET field-is-unknown: GET is not a field of a path item and is ignored: did you mean get?'],
  [inScheme('type: apiKey, in: Header, name: k'), '4 /components/securitySchemes/k/in security-scheme-place-is-unknown: a key cannot be in Header: it is read as in header; write that'],
  [inScheme('type: apiKey, in: path, name: k'), '4 /components/securitySchemes/k/in security-scheme-place-is-unknown: a key cannot be in path, so no credential is sent for it: write one of query, header, cookie'],
]

it.each(REPORTED)('is reported: %s', async (text, ...expected) => {
  expect(await linesOf(text)).toEqual(expected)
})

it('says nothing of what is right in either version', async () => {
  const text = `openapi: 3.1.0
info: { title: T, version: 1.0, summary: S, license: { name: MIT, identifier: MIT } }
jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema
x-any: [1]
servers: [{ url: 'https://{h}/', variables: { h: { default: a } } }]
security: [{ k: [] }, {}]
paths:
  x-any: 1
  /a/{b}:
    parameters: [{ $ref: '#/components/parameters/B', description: the b }]
    get:
      responses:
        x-any: 1
        default: { description: no, headers: { x-rate-limit: { schema: { type: integer } } } }
        2XX: { description: ok, content: { 'text/plain; charset=utf-8': {}, 'image/*': {} } }
webhooks: { w: {} }
components:
  x-any: 1
  parameters: { B: { name: b, in: path, required: true, schema: { type: string } } }
  securitySchemes: { k: { type: http, scheme: bearer } }
  pathItems: {}`
  const lines = await linesOf(text)
  expect(lines).toEqual([])
})

it('tells once what is referred to from two paths, where it was written', async () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { $ref: '#/components/pathItems/P' }, /b: { $ref: '#/components/pathItems/P' } }
components: { pathItems: { P: { gett: {} } } }`
  expect(await linesOf(text)).toEqual([
    '4 /components/pathItems/P/gett field-is-unknown: gett is not a field of a path item and is ignored: did you mean get?',
  ])
})

/** What is reported of a document, a line each. */
async function linesOf(text: string): Promise<readonly string[]> {
  const line = ({ level, location, rule, message }: Finding) =>
    `${level === 'error' ? 'error ' : ''}${location.line} ${location.pointer} ${rule}: ${message}`
  const openapi = parseDocument(text, 'openapi.yaml')
  // Some of these documents have no operation.
  const { findings } = await loadApi({ openapi }).catch((error: unknown) => {
    if (error instanceof DocumentError) return error
    throw error
  })
  return findings.map(line)
}
