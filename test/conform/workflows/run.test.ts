import { afterEach, describe, expect, it } from 'vitest'
import { type Answers, type Clinic, report, startClinic } from './fixture-clinic.js'

let clinic: Clinic | undefined
afterEach(async () => {
  await clinic?.stop()
  clinic = undefined
})

const run = async (
  workflows: string,
  answers?: Answers,
  options?: Parameters<typeof report>[2],
) => {
  clinic = await startClinic(answers)
  const result = await report(workflows, clinic, options)
  expect(result.findings).toEqual([])
  return { ...result, asked: clinic.asked }
}

const paths = (asked: Clinic['asked']) => asked.map(({ method, path }) => `${method} ${path}`)

describe('a step', () => {
  it('is sent with its parameters, its body and what was answered before', async () => {
    const { messages, asked, covered } = await run(
      `workflows:
  - workflowId: visit
    inputs:
      allOf:
        - { properties: { name: { type: string, default: 'Ann "A" Lee' } } }
        - { properties: { pets: { default: { dogs: [Rex] } } } }
    steps:
      - stepId: book
        operationId: book
        parameters:
          - { name: X-Desk, in: header, value: 'desk {$inputs.pets.dogs[0]}' }
          - { name: lang, in: query, value: 'a&b' }
        requestBody:
          payload: { who: $inputs.name, note: 'for {$inputs.name}!', pets: $inputs.pets, none: $inputs.pets.cats, seat: 1 }
          replacements:
            - { target: /seat, value: $inputs.pets#/dogs }
            - { target: /pets/dogs/-, value: Fido }
        successCriteria:
          - condition: $statusCode == 200 && $response.header.x-visit == 'v-1'
          - condition: $request.header.X-Desk == 'desk Rex' && $request.query.lang == 'a&b' && $method == 'post'
          - condition: $request.body#/seat/0 == 'rex' && $url != null
        outputs: { id: $response.body#/id, seats: $response.body#/seats }
      - stepId: text
        operationId: book
        requestBody:
          contentType: application/json
          payload: '{"who":"{$inputs.name}","row":{$steps.book.outputs.seats[1].row},"big":9007199254740993}'
      - stepId: login
        operationId: login
        requestBody: { payload: { user: $inputs.name, age: 7 } }
      - stepId: look
        operationId: look
        parameters:
          - { name: id, in: path, value: $steps.book.outputs.id }
          - { name: desk, in: cookie, value: left }
        successCriteria: [{ condition: $request.path.id == 'V-1' }]
      - stepId: desk
        operationId: desk
      - stepId: ring
        operationId: bell_ring
        requestBody: { payload: { jsonrpc: '2.0', id: 9, method: bell_ring, params: ['{$steps.book.outputs.id}'] } }
        successCriteria: [{ condition: $response.body#/result == 'rung' && $response.body.id == 9 }]`,
      {
        'POST /visits': () => ({
          headers: { 'x-visit': 'v-1' },
          body: { id: 'v-1', seats: [1, { row: 7 }] },
        }),
      },
      { key: 'key-3' },
    )
    expect(messages).toEqual([])
    expect(covered).toEqual(['visit'])
    expect(paths(asked)).toEqual([
      'POST /visits?lang=a%26b',
      'POST /visits',
      'POST /login',
      'GET /visits/v-1',
      'GET /desks/key-3',
      'POST /rpc',
    ])
    const [book, text, login, look, , ring] = asked
    expect(book?.headers['x-desk']).toBe('desk Rex')
    expect(book?.body).toEqual({
      who: 'Ann "A" Lee',
      note: 'for Ann "A" Lee!',
      pets: { dogs: ['Rex', 'Fido'] },
      seat: ['Rex'],
    })
    expect(text?.text).toBe('{"who":"Ann \\"A\\" Lee","row":7,"big":9007199254740993}')
    expect(login?.text).toBe('user=Ann+%22A%22+Lee&age=7')
    expect(look?.headers.cookie).toBe('desk=left')
    expect(ring?.body).toEqual({ jsonrpc: '2.0', id: 9, method: 'bell_ring', params: ['v-1'] })
  })

  it('that is not met is reported with its line, what was asked and what was seen', async () => {
    const { complaints, messages } = await run(
      `workflows:
  - workflowId: visit
    steps:
      - stepId: desk
        operationId: desk
        successCriteria:
          - condition: $statusCode == 200
          - condition: $url == 'x' || $response.body#/state == 'closed'
  - workflowId: shape
    steps:
      - stepId: book
        operationId: book
        requestBody: { payload: {} }
        successCriteria: [{ context: $response.body#/id, condition: '^\\d+$', type: regex }]`,
      {},
      { key: 'key-3' },
    )
    expect(messages).toEqual([
      expect.stringMatching(
        /^7 workflow visit, step desk: \$url == 'x' \|\| \$response\.body#\/state == 'closed' is not met: \$url is "http:.+\/desks\/\[redacted\]", \$response\.body#\/state is "open"$/,
      ),
      '14 workflow shape, step book: $response.body#/id matches the regex ^\\d+$ is not met: $response.body#/id is "v-1"',
    ])
    expect(complaints[1]).toMatchObject({
      rule: 'workflow-failed',
      expected: '$response.body#/id matches the regex ^\\d+$',
      aspect: 'shape/book/criterion 1',
      operation: { id: 'book' },
      exchange: { answer: { status: 200 } },
    })
  })

  it('that nobody answers is reported, and one that cannot be sent for what an answer lacks', async () => {
    const look = `      - stepId: look
        operationId: look
        parameters: [{ name: id, in: path, value: $steps.book.outputs.id }]`
    const book = `    steps:
      - stepId: book
        operationId: book
        requestBody: { payload: {} }
        outputs: { id: $response.body#/number }
`
    const lacking = await run(`workflows:\n  - workflowId: visit\n${book}${look}`)
    expect(lacking.messages).toEqual([
      '11 workflow visit, step look: the previous responses do not allow this request: $steps.book.outputs.id has no value',
    ])
    await clinic?.stop()
    const silent = await run(`workflows:\n  - workflowId: visit\n${book}`, {
      'POST /visits': () => ({ drop: true }),
    })
    expect(silent.messages).toEqual([
      '7 workflow visit, step book: there was no response: the connection was closed before a response',
    ])
  })
})

describe('actions', () => {
  const looking = (actions: string, more = '') => `workflows:
  - workflowId: wait
    steps:
      - stepId: look
        operationId: look
        parameters: [{ name: id, in: path, value: v-1 }]
        successCriteria: [{ condition: $response.body#/state == 'done' }]
${actions}${more}`
  const states = (...all: string[]): Answers => ({
    'GET /visits/ID': (_, nth) => ({ body: { state: all[nth - 1] ?? all.at(-1) } }),
  })

  it('retry as often as they say, wait before, and give the word to the next one', async () => {
    const again = (limit: number) => `        onFailure:
          - { name: again, type: retry, retryAfter: 1.5, retryLimit: ${limit}, criteria: [{ condition: $response.body#/state == 'open' }] }`
    const patient = await run(looking(again(5)), states('open', 'open', 'done'))
    expect(patient).toMatchObject({ messages: [], slept: [1_500, 1_500] })
    await clinic?.stop()
    const hasty = await run(looking(again(2)), states('open'))
    expect(hasty.messages).toEqual([
      `7 workflow wait, step look: $response.body#/state == 'done' is not met: $response.body#/state is "open", after 2 retries`,
    ])
    await clinic?.stop()
    const other = await run(looking(again(5)), states('open', 'lost'))
    expect(other.messages[0]).toMatch(/is "lost", after 1 retry$/)
    await clinic?.stop()
    const late = await run(looking(again(500)), states('open'), { seconds: 4 })
    expect(late).toMatchObject({
      messages: [],
      notTested: ['workflow wait: the time limit was reached'],
    })
    expect(late.slept).toHaveLength(2)
  })

  it('retry once where no number is said, as late as the server asks, and after another step', async () => {
    const { messages, slept, asked } = await run(
      looking(
        '        onFailure: [{ name: again, type: retry, stepId: ring }]\n',
        '      - { stepId: ring, operationId: bell_ring, requestBody: { payload: { jsonrpc: "2.0", id: 1, method: bell_ring } } }',
      ),
      { 'GET /visits/ID': () => ({ body: { state: 'open' }, headers: { 'retry-after': '3' } }) },
    )
    expect(messages[0]).toMatch(/after 1 retry$/)
    expect(slept).toEqual([3_000])
    expect(paths(asked)).toEqual(['GET /visits/v-1', 'POST /rpc', 'GET /visits/v-1'])
  })

  it('go on elsewhere: a failure that is led to another step is a branch', async () => {
    const { messages, asked } = await run(
      looking(
        `        onFailure: [{ name: other, type: goto, stepId: ring }]
      - { stepId: never, operationId: desk, parameters: [{ name: desk, in: path, value: x }] }
      - stepId: ring
        operationId: bell_ring
        requestBody: { payload: { jsonrpc: '2.0', id: 1, method: bell_ring } }
        onSuccess:
          - { name: not this, type: goto, stepId: never, criteria: [{ condition: $statusCode == 500 }] }
          - { name: done, type: end }
      - { stepId: last, operationId: desk, parameters: [{ name: desk, in: path, value: x }] }`,
      ),
      states('open'),
    )
    expect(messages).toEqual([])
    expect(paths(asked)).toEqual(['GET /visits/v-1', 'POST /rpc'])
  })

  it('may lead round and round, but not for ever', async () => {
    const { messages, notTested } = await run(`workflows:
  - workflowId: round
    steps:
      - stepId: ring
        operationId: bell_ring
        requestBody: { payload: { jsonrpc: '2.0', id: 1, method: bell_ring } }
        onSuccess: [{ name: again, type: goto, stepId: ring }]`)
    expect(messages).toEqual([])
    expect(notTested).toEqual(['workflow round: it has not ended after 500 steps'])
  })

  it('may multiply by calls of other workflows, but not for ever', async () => {
    const levels = Array.from({ length: 7 }, (_, at) => {
      const calls = [1, 2, 3].map((nth) => `{ stepId: s${nth}, workflowId: level${at + 1} }`)
      return `  - { workflowId: level${at}, steps: [${calls.join(', ')}] }`
    })
    const { notTested, asked } = await run(`workflows:
${levels.join('\n')}
  - workflowId: level7
    steps:
      - stepId: ring
        operationId: bell_ring
        requestBody: { payload: { jsonrpc: '2.0', id: 1, method: bell_ring } }`)
    expect(notTested[0]).toMatch(/^workflow level0.*: it has not ended after 500 steps$/)
    expect(asked.length).toBeLessThan(3_000)
  })

  it('a replacement at __proto__ changes only the payload', async () => {
    const { notTested, asked } = await run(`workflows:
  - workflowId: book
    steps:
      - stepId: book
        operationId: book
        requestBody:
          payload: { who: Ann }
          replacements: [{ target: /__proto__, value: { a: 1 } }]
      - stepId: again
        operationId: book
        requestBody:
          payload: { who: Ann }
          replacements: [{ target: /constructor/prototype/planted, value: 1 }]`)
    expect(asked[0]?.text).toBe('{"who":"Ann","__proto__":{"a":1}}')
    expect(notTested[0]).toContain('/constructor/prototype/planted does not exist in the payload')
    expect(({} as Record<string, unknown>).planted).toBeUndefined()
  })

  it('of the workflow and of components hold for its steps too', async () => {
    const { messages, slept } = await run(
      `${looking('')}
    failureActions: [{ reference: $components.failureActions.again }]
components: { failureActions: { again: { name: again, type: retry, retryAfter: 2, retryLimit: 1 } } }`,
      states('open', 'done'),
    )
    expect({ messages, slept }).toEqual({ messages: [], slept: [2_000] })
  })
})

describe('workflows', () => {
  const inner = `  - workflowId: inner
    inputs: { type: object, required: [id], properties: { id: { type: string } } }
    steps:
      - stepId: look
        operationId: look
        parameters: [{ name: id, in: path, value: $inputs.id }]
        successCriteria: [{ condition: $response.body#/state == 'open' }]
        outputs: { row: $response.body#/seats/1/row }
    outputs: { row: $steps.look.outputs.row }
`
  const outer = (row: number) => `  - workflowId: outer
    steps:
      - stepId: call
        workflowId: inner
        parameters: [{ name: id, value: v-9 }]
        successCriteria: [{ condition: $workflows.inner.outputs.row == ${row} }]
        outputs: { row: $workflows.inner.outputs.row }
    outputs: { row: $steps.call.outputs.row }
`

  it('call others with their inputs, and are named by the step that fails', async () => {
    const right = await run(`workflows:\n${inner}${outer(7)}`)
    expect(right).toMatchObject({ messages: [], notTested: [], covered: ['inner', 'outer'] })
    expect(right.cases).toEqual(['workflow outer 1'])
    await clinic?.stop()
    const wrong = await run(`workflows:\n${inner}${outer(8)}`)
    expect(wrong.messages[0]).toMatch(/^16 workflow outer, step call: .*row is 7$/)
    await clinic?.stop()
    const below = await run(`workflows:\n${inner}${outer(7)}`, {
      'GET /visits/ID': () => ({ body: { state: 'shut' } }),
    })
    expect(below.messages).toEqual([
      `8 workflow outer > call > inner, step look: $response.body#/state == 'open' is not met: $response.body#/state is "shut"`,
    ])
  })

  it('run after what they depend on, whose outputs they see, and not where it failed', async () => {
    const text = `workflows:
  - workflowId: second
    dependsOn: [first]
    steps:
      - stepId: look
        operationId: look
        parameters: [{ name: id, in: path, value: $workflows.first.outputs.id }]
  - workflowId: first
    steps:
      - stepId: book
        operationId: book
        requestBody: { payload: {} }
        successCriteria: [{ condition: $statusCode == 200 }]
        outputs: { id: $response.body#/id }
    outputs: { id: $steps.book.outputs.id }`
    const right = await run(text)
    expect(paths(right.asked)).toEqual(['POST /visits', 'GET /visits/v-1'])
    await clinic?.stop()
    const wrong = await run(text, { 'POST /visits': () => ({ status: 500, body: {} }) })
    expect(wrong.messages).toHaveLength(1)
    expect(wrong.notTested).toEqual([
      'workflow second: the workflow first, on which it depends, failed',
    ])
  })

  it.each([
    [
      'an input that nobody gives',
      inner,
      {},
      /^workflow inner: the inputs of inner must have the property `id`$/,
    ],
    [
      'a method that says that it may be missing',
      `  - workflowId: bell
    steps:
      - { stepId: ring, operationId: bell_ring, requestBody: { payload: { jsonrpc: '2.0', id: 1, method: bell_ring } } }`,
      {
        bell_ring: () => ({
          body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } },
        }),
      },
      /^workflow bell: the server reports that it does not offer bell_ring$/,
    ],
    [
      'a method that a node says to lack in its own words',
      `  - workflowId: bell
    steps:
      - { stepId: ring, operationId: bell_ring, requestBody: { payload: { jsonrpc: '2.0', id: 1, method: bell_ring } } }`,
      {
        bell_ring: () => ({
          body: {
            ...{ jsonrpc: '2.0', id: 1 },
            error: {
              code: -32000,
              message: 'the method bell_ring does not exist/is not available',
            },
          },
        }),
      },
      /^workflow bell: the server reports that it does not offer bell_ring$/,
    ],
    [
      'a key that nobody gave',
      '  - workflowId: keyed\n    steps: [{ stepId: desk, operationId: desk }]',
      {},
      /^workflow keyed: GET \/desks\/\{desk\} needs a key, and none was given$/,
    ],
    [
      'an XPath',
      `  - workflowId: path
    steps: [{ stepId: book, operationId: book, requestBody: { payload: {} }, successCriteria: [{ context: $response.body, condition: //a, type: xpath }] }]`,
      {},
      /^workflow path: it has a criterion in XPath, which is not supported$/,
    ],
    [
      'a JSONPath of another dialect',
      `  - workflowId: path
    steps: [{ stepId: book, operationId: book, requestBody: { payload: {} }, successCriteria: [{ context: $response.body, condition: '$[?(@.length > 1)]', type: jsonpath }] }]`,
      {},
      /^workflow path: the JSONPath .* reads the length of an array/,
    ],
  ] as const)('are not tested, and not passed, for %s', async (_, text, answers, why) => {
    const { messages, notTested } = await run(`workflows:\n${text}`, answers as Answers)
    expect(messages).toEqual([])
    expect(notTested).toContainEqual(expect.stringMatching(why))
  })

  it('go on as another one, and call another one before a retry', async () => {
    const { messages, asked, covered } = await run(
      `workflows:
  - workflowId: start
    steps:
      - stepId: look
        operationId: look
        parameters: [{ name: id, in: path, value: v-1 }]
        successCriteria: [{ condition: $statusCode == 200 }]
        onFailure: [{ name: log in, type: retry, workflowId: enter, criteria: [{ condition: $statusCode == 401 }] }]
        onSuccess: [{ name: ring, type: goto, workflowId: bell }]
      - { stepId: never, operationId: login }
  - workflowId: enter
    steps: [{ stepId: login, operationId: login, requestBody: { payload: { user: Ann } } }]
  - workflowId: bell
    steps: [{ stepId: ring, operationId: bell_ring, successCriteria: [{ condition: $response.body#/result == 'silent' }] }]`,
      { 'GET /visits/ID': (_, nth) => ({ status: nth === 1 ? 401 : 200, body: {} }) },
    )
    expect(paths(asked).slice(0, 4)).toEqual([
      'GET /visits/v-1',
      'POST /login',
      'GET /visits/v-1',
      'POST /rpc',
    ])
    expect(messages[0]).toMatch(/^17 workflow start > bell, step ring: .* is "rung"$/)
    expect(covered).toContain('start')
  })

  it('judge a missing method that does not declare it', async () => {
    const { messages } = await run(
      `workflows:
  - workflowId: bells
    steps:
      - stepId: list
        operationId: bell_list
        successCriteria: [{ condition: $response.body#/error == null }]`,
      {
        bell_list: () => ({
          body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } },
        }),
      },
    )
    expect(messages[0]).toMatch(
      /^7 workflow bells, step list: \$response\.body#\/error == null is not met/,
    )
  })
})
