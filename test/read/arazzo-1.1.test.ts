import { expect, it } from 'vitest'
import { apiOf, openapiOf } from './api-of.js'

const read = { operationId: 'read', responses: { 200: { description: 'Read.' } } }

const step = (more: object = {}) => ({ stepId: 'one', operationId: 'read', ...more })

/** Two workflows: one with the parts of the test, and one of 1.0. */
const workflowsOf = async (version: string, steps: readonly object[], more: object = {}) => {
  const { workflows, findings } = await apiOf({
    openapi: openapiOf({ paths: { '/a': { get: read, post: { ...read, operationId: 'write' } } } }),
    arazzo: {
      arazzo: version,
      $self: 'https://example.com/workflows.yaml',
      info: { title: 'W', version: '1' },
      sourceDescriptions: [{ name: 'api', url: 'openapi.json', type: 'openapi' }],
      workflows: [
        { workflowId: 'new', steps, ...more },
        { workflowId: 'plain', steps: [step()] },
      ],
    },
  })
  const own = findings.filter(({ location }) => location.file === 'arazzo.json')
  return {
    ids: workflows.map(({ id }) => id),
    findings: own.map(({ rule, level, location }) => `${level} ${rule} ${location.pointer}`),
  }
}

const selector = { context: '$response.body', selector: '$.id', type: 'jsonpath' }
const action = { name: 'go', type: 'goto', workflowId: 'plain', parameters: [] }

it.each(['1.0.1', '1.1.0'])('Arazzo %s is read', async (version) => {
  const type = { type: 'jsonpath', version: 'rfc9535' }
  const successCriteria = [{ context: '$response.body', condition: '$.id', type }]
  expect(await workflowsOf(version, [step({ successCriteria })])).toEqual({
    ids: ['new', 'plain'],
    findings: [],
  })
})

it('a later minor version is read as 1.1, with a warning', async () => {
  expect(await workflowsOf('1.2.0', [step()])).toEqual({
    ids: ['new', 'plain'],
    findings: ['warning document-version-is-newer /arazzo'],
  })
})

it.each<[string, object, string]>([
  [
    'a channel',
    { channelPath: '$sourceDescriptions.api#/channels/a', operationId: undefined },
    'channelPath',
  ],
  ['a message', { action: 'send' }, 'action'],
  ['a correlation', { correlationId: '$inputs.id' }, 'correlationId'],
  ['dependsOn', { dependsOn: ['zero'] }, 'dependsOn'],
  ['a timeout', { timeout: 100 }, 'timeout'],
  ['a selector of an output', { outputs: { id: selector } }, 'outputs/id'],
  [
    'a selector of a parameter',
    { parameters: [{ name: 'q', in: 'query', value: selector }] },
    'parameters/0/value',
  ],
  [
    'a query string',
    { parameters: [{ name: 'q', in: 'querystring', value: 'a=b' }] },
    'parameters/0',
  ],
  [
    'a selector in a payload',
    { requestBody: { payload: { a: [selector] } } },
    'requestBody/payload/a/0',
  ],
  [
    'a selector of a replacement',
    { requestBody: { payload: {}, replacements: [{ target: '/a', value: selector }] } },
    'requestBody/replacements/0/value',
  ],
  [
    'the type of a target',
    {
      requestBody: {
        payload: {},
        replacements: [{ target: '$.a', targetSelectorType: 'jsonpath', value: 1 }],
      },
    },
    'requestBody/replacements/0/targetSelectorType',
  ],
  ['parameters of an action', { onSuccess: [action] }, 'onSuccess/0/parameters'],
  [
    'an embedded expression',
    {
      successCriteria: [{ context: '$response.body', condition: '^{$inputs.id}$', type: 'regex' }],
    },
    'successCriteria/0/condition',
  ],
])('a workflow with %s is left out, and the other one is read', async (_, parts, place) => {
  expect(await workflowsOf('1.1.0', [step(parts)])).toEqual({
    ids: ['plain'],
    findings: [`warning workflow-is-not-read /workflows/0/steps/0/${place}`],
  })
})

it('a workflow with a selector of its own is left out', async () => {
  expect(await workflowsOf('1.1.0', [step()], { outputs: { id: selector } })).toEqual({
    ids: ['plain'],
    findings: ['warning workflow-is-not-read /workflows/0/outputs/id'],
  })
})
