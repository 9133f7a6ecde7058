import { describe, expect, it } from 'vitest'
import type { HttpOperation, Operation, RpcOperation } from '../../src/model/api.js'
import { parseCondition, parseExpression } from '../../src/model/condition.js'
import { DocumentError } from '../../src/model/finding.js'
import { readWorkflows } from '../../src/read/arazzo.js'
import { parseDocument } from '../../src/read/document.js'

const source = { locate: () => ({ file: 'a.yaml', line: 1, column: 1, pointer: '' }) }
const common = {
  summary: undefined,
  description: undefined,
  tags: [],
  idempotent: false,
  deprecated: false,
  limits: {},
  notShown: undefined,
  assumption: undefined,
  source,
} as const

const http = (id: string, method: string, path: string, parameters: string[]): HttpOperation => ({
  ...common,
  kind: 'http',
  operationId: id,
  id,
  method,
  path,
  servers: [],
  unusedPathParameters: [],
  parameters: parameters.map((name) => ({
    name,
    in: 'path',
    required: true,
    style: 'simple',
    explode: false,
    description: undefined,
    deprecated: false,
    schema: {},
    examples: [],
    source,
  })),
  body: method === 'POST' ? { required: true, description: undefined, content: [] } : undefined,
  responses: [],
  security: [],
  schemes: {},
  variants: [],
  links: [],
})

const getPrice: RpcOperation = {
  ...common,
  kind: 'rpc',
  id: 'shopGetPrice',
  method: 'shop_getPrice',
  params: [],
  paramStructure: 'by-position',
  result: { name: 'price', description: undefined, schema: {}, source },
  errors: [],
  examples: [],
}

const operations: readonly Operation[] = [
  http('placeOrder', 'POST', '/orders/{shop}', ['shop']),
  http('getOrder', 'GET', '/orders/{shop}/{order}', ['shop', 'order']),
  getPrice,
]

const document = (workflows: string, more = ''): string =>
  `arazzo: 1.0.1
info: { title: Shop, version: '1' }
sourceDescriptions:
  - { name: shop, url: ./openapi.yaml, type: openapi }
${more}workflows:
${workflows.replace(/^/gm, '  ')}`

const read = (text: string) => readWorkflows(parseDocument(text, 'w.yaml'), operations)

const linesOf = (text: string): string => {
  const { findings } = read(text)
  const lines = findings.map(
    ({ rule, location: { line, column }, message }) => `${line}:${column} ${rule}: ${message}`,
  )
  return lines.join('\n')
}

describe('readWorkflows', () => {
  const shop = document(
    `- workflowId: order
  summary: Order and look
  inputs:
    $ref: '#/components/inputs/customer'
  dependsOn: [price]
  parameters:
    - { name: shop, in: path, value: main }
  failureActions:
    - { name: give up, type: end }
  steps:
    - stepId: place
      operationId: $sourceDescriptions.shop.placeOrder
      requestBody:
        contentType: application/json
        payload: { customer: $inputs.name, note: 'for {$inputs.name}' }
        replacements: [{ target: /note, value: none }]
      successCriteria:
        - condition: $statusCode == 200 && $response.body#/order != null
        - { condition: '^ord-', context: $response.body#/order, type: regex }
        - condition: $[?count(@.items) > 0]
          context: $response.body
          type: { type: jsonpath, version: draft-goessner-dispatch-jsonpath-00 }
      onFailure:
        - reference: $components.failureActions.again
      outputs: { order: $response.body#/order }
    - stepId: look
      operationPath: '{$sourceDescriptions.shop.url}#/paths/~1orders~1{shop}~1{order}/get'
      parameters:
        - reference: $components.parameters.order
          value: $steps.place.outputs.order
      onSuccess:
        - { name: enough, type: goto, stepId: place, criteria: [{ condition: "$response.body#/state == 'lost'" }] }
  outputs: { order: $steps.place.outputs.order }
- workflowId: price
  steps:
    - stepId: ask
      operationId: shop_getPrice
      requestBody: { payload: { jsonrpc: '2.0', id: 1, method: shop_getPrice, params: [] } }
    - { stepId: nested, workflowId: order, parameters: [{ name: name, value: Ann }] }`,
    `components:
  inputs: { customer: { type: object, properties: { name: { type: string } } } }
  parameters: { order: { name: order, in: path, value: none } }
  failureActions: { again: { name: again, type: retry, retryAfter: 1, retryLimit: 3 } }
`,
  )

  it('resolves operations, references and what a workflow says for all steps', () => {
    const { workflows, findings } = read(shop)
    expect(findings).toEqual([])
    const plain = JSON.parse(JSON.stringify(workflows))
    expect(plain[0].inputs).toEqual({ type: 'object', properties: { name: { type: 'string' } } })
    expect(plain[0].dependsOn).toEqual(['price'])
    expect(plain[0].steps).toEqual([
      {
        id: 'place',
        target: { kind: 'operation', id: 'placeOrder' },
        parameters: [{ name: 'shop', in: 'path', value: 'main' }],
        requestBody: {
          contentType: 'application/json',
          payload: { customer: '$inputs.name', note: 'for {$inputs.name}' },
          replacements: [{ target: '/note', value: 'none' }],
        },
        successCriteria: [
          { condition: '$statusCode == 200 && $response.body#/order != null', type: 'simple' },
          { condition: '^ord-', context: '$response.body#/order', type: 'regex' },
          { condition: '$[?count(@.items) > 0]', context: '$response.body', type: 'jsonpath' },
        ],
        onSuccess: [],
        onFailure: [
          { name: 'again', type: 'retry', retryAfter: 1, retryLimit: 3, criteria: [] },
          { name: 'give up', type: 'end', criteria: [] },
        ],
        outputs: { order: '$response.body#/order' },
        source: {},
      },
      {
        id: 'look',
        target: { kind: 'operation', id: 'getOrder' },
        parameters: [
          { name: 'order', in: 'path', value: '$steps.place.outputs.order' },
          { name: 'shop', in: 'path', value: 'main' },
        ],
        successCriteria: [],
        onSuccess: [
          {
            name: 'enough',
            type: 'goto',
            stepId: 'place',
            criteria: [{ condition: "$response.body#/state == 'lost'", type: 'simple' }],
          },
        ],
        onFailure: [{ name: 'give up', type: 'end', criteria: [] }],
        outputs: {},
        source: {},
      },
    ])
    expect(plain[1].steps.map((step: { target: unknown }) => step.target)).toEqual([
      { kind: 'operation', id: 'shopGetPrice' },
      { kind: 'workflow', id: 'order' },
    ])
    expect(workflows[1]?.source.locate()).toMatchObject({ file: 'w.yaml', pointer: '/workflows/1' })
  })

  it('tells what names nothing and what does not parse', () => {
    const workflows = `- workflowId: a
  inputs: { type: object, properties: { name: { type: string } } }
  dependsOn: [nowhere]
  steps:
    - stepId: one
      operationId: placeOrdr
    - stepId: one
      operationId: $sourceDescriptions.shp.placeOrder
      parameters:
        - { name: color, in: query, value: $inputs.nam }
        - { reference: $components.parameters.none }
        - { name: shop, in: path, value: $input.name }
      successCriteria:
        - condition: $statusCode = 200
        - condition: $steps.zero.outputs.x == "x"
        - condition: $steps.two.outputs.x == 'x'
        - { condition: '[', context: $response.body, type: regex }
        - { condition: x, type: regex }
        - { condition: x, type: jsonata, context: $response.body }
      onSuccess: [{ name: n, type: goto, stepId: three }]
      onFailure: [{ name: n, type: goto }, { name: n, type: jump }]
      outputs: { x: 'text', y: $response.header.x-rate }
    - stepId: two
      operationId: shop_getPrice
      parameters: [{ name: x, in: query, value: 1 }]
      requestBody: { payload: { method: shop_getPrices, params: ['{$steps.one.outputs.z}'] } }
    - stepId: four
      operationId: getOrder
      workflowId: a
      requestBody: { payload: 1 }
  outputs: { z: $steps.one.outputs.z }
- workflowId: a
  steps: [{ stepId: s, workflowId: a, parameters: [{ name: nam, value: 1 }] }]`
    expect(linesOf(document(workflows))).toMatchInlineSnapshot(`
      "37:17 workflow-id-is-duplicate: another workflow has the same workflowId, a: rename one of them
      12:17 workflow-id-is-duplicate: another step has the same stepId, one: rename one of them
      8:17 workflow-is-unknown: the document has no workflow nowhere
      11:22 workflow-operation-is-unknown: no document has an operation placeOrdr
      13:22 workflow-source-is-unknown: the document has no source description shp
      16:26 workflow-component-is-unknown: the document has no component $components.parameters.none
      15:13 workflow-parameter-is-unknown: placeOrder has no parameter color in query
      15:46 workflow-expression-names-nothing: this workflow has no input nam
      17:44 workflow-expression-is-unreadable: $input.name is not a runtime expression of Arazzo
      19:24 workflow-criterion-is-unreadable: the condition does not parse: = is unexpected
      20:24 workflow-criterion-is-unreadable: the condition does not parse: "x" is not a literal: put strings in single quotes
      21:24 workflow-expression-names-nothing: the step two has no output x
      22:26 workflow-criterion-is-unreadable: the regular expression does not compile: Invalid regular expression: /[/u: Unterminated character class
      23:13 workflow-criterion-is-unreadable: a criterion of type regex needs a context, the expression whose value it tests
      24:26 workflow-criterion-is-unreadable: the type of a criterion must be simple, regex, jsonpath or xpath, not "jsonata"
      25:52 workflow-step-is-unknown: this workflow has no step three
      26:21 workflow-goto-names-not-one-target: an action of type goto must have either a stepId or a workflowId
      26:63 workflow-action-is-unknown: the type of an action must be end, goto or retry, not "jump"
      27:23 workflow-expression-is-unreadable: text is not a runtime expression of Arazzo
      30:22 workflow-parameter-is-unknown: the method shop_getPrice takes its params in the request body
      31:43 workflow-payload-calls-another-method: the step calls shop_getPrice, its payload calls shop_getPrices
      31:68 workflow-expression-names-nothing: the step one has no output z
      32:9 workflow-step-calls-not-one-thing: a step must have exactly one of operationId, operationPath and workflowId; this one has operationId and workflowId
      36:19 workflow-expression-names-nothing: the step one has no output z
      38:54 workflow-parameter-is-unknown: the workflow a has no input nam"
    `)
  })

  it('does not let a step use what comes after it, unless it can jump', () => {
    const steps = (action: string) => `- workflowId: a
  steps:
    - { stepId: one, operationId: placeOrder, parameters: [{ name: shop, in: path, value: $steps.two.outputs.x }]${action} }
    - { stepId: two, operationId: placeOrder, outputs: { x: $response.body } }`
    expect(linesOf(document(steps('')))).toBe(
      '8:93 workflow-expression-names-nothing: the step two comes after this one',
    )
    expect(linesOf(document(steps(', onFailure: [{ name: n, type: goto, stepId: two }]')))).toBe('')
  })

  it.each([
    [
      'openapi: 3.0.3',
      '1:1 document-version-is-unknown this is not an Arazzo document: it has no arazzo field',
    ],
    [
      'arazzo: 2.0.0',
      '1:9 document-version-is-unknown this Arazzo document cannot be read: its version is "2.0.0", and versions 1.0 and 1.1 are supported',
    ],
    [
      'arazzo: 1.0.1\nworkflows: {}',
      '2:12 workflows-are-no-list "workflows" must be a list of workflows',
    ],
    ['arazzo: 1.0.1\nworkflows:\n  - a', '3:5 workflow-is-no-object a workflow must be an object'],
    [
      'arazzo: 1.0.1\nworkflows:\n  - steps: [a]',
      '3:12 workflow-steps-are-no-list the steps of a workflow must be a list of objects',
    ],
  ])('refuses %j', (text, want) => {
    try {
      read(text)
      expect.unreachable()
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      const { rule, location, message } = error.finding
      expect(`${location.line}:${location.column} ${rule} ${message}`).toBe(want)
    }
  })
})

describe('runtime expressions', () => {
  it.each([
    ['$statusCode', { kind: 'statusCode' }],
    ['$response.body', { kind: 'response', from: 'body', pointer: '', accessors: [] }],
    [
      '$response.body#/a~1b/0',
      { kind: 'response', from: 'body', pointer: '/a~1b/0', accessors: [] },
    ],
    [
      '$response.body.items[0]',
      { kind: 'response', from: 'body', pointer: '', accessors: ['items', '0'] },
    ],
    ['$request.header.X-Key', { kind: 'request', from: 'header', name: 'X-Key' }],
    ['$inputs.a.b', { kind: 'inputs', name: 'a', pointer: '', accessors: ['b'] }],
    [
      '$steps.s-1.outputs.o#/x',
      { kind: 'steps', id: 's-1', name: 'o', pointer: '/x', accessors: [] },
    ],
    [
      '$workflows.w.inputs.i',
      { kind: 'workflows', id: 'w', of: 'inputs', name: 'i', pointer: '', accessors: [] },
    ],
    ['$components.parameters.p', { kind: 'components', section: 'parameters', name: 'p' }],
    ['$steps.s.inputs.o', undefined],
    ['$steps.s', undefined],
    ['$response.body#x', undefined],
    ['$status', undefined],
    ['text', undefined],
  ])('%s', (text, want) => {
    expect(parseExpression(text)).toEqual(want)
  })
})

describe('conditions', () => {
  it('bind && closer than ||, and ! closest', () => {
    expect(parseCondition("!$inputs.a || $inputs.b == 'it''s' && (1 <= -2.5)")).toMatchObject({
      kind: 'or',
      left: { kind: 'not', of: { kind: 'expression', expression: { name: 'a' } } },
      right: {
        kind: 'and',
        left: { kind: 'compare', operator: '==', right: { kind: 'literal', value: "it's" } },
        right: { kind: 'compare', operator: '<=', left: { value: 1 }, right: { value: -2.5 } },
      },
    })
  })

  it.each([
    ['', 'it is incomplete'],
    ['$statusCode ==', 'it is incomplete'],
    ['($statusCode == 200', 'a closing parenthesis is missing'],
    ['$statusCode == 200 200', '200 is unexpected'],
    ['$statusCode == ok', 'ok is not a literal: put strings in single quotes'],
    ['$nothing == 1', '$nothing is not a runtime expression'],
  ])('%j does not parse', (text, why) => {
    expect(parseCondition(text)).toEqual({ kind: 'fault', why })
  })
})
