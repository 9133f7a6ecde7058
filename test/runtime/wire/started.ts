import { createExamples } from '../../../src/mock/examples.js'
import { createService } from '../../../src/mock/service.js'
import { createMockPolicy } from '../../../src/runtime/examples/policy.js'
import { createExampleServer } from '../../../src/runtime/examples/server.js'
import { createServerCore } from '../../../src/runtime/server.js'
import { createChecker } from '../../../src/schema/check.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

/** A generated server and the mock of one operation, whose calls lack a credential, with this response of 401. */
export const startable = async (response: object) => {
  const api = await apiOf({
    openapi: openapiOf({
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      paths: {
        '/a': {
          get: {
            operationId: 'readA',
            security: [{ key: [] }],
            responses: { 204: { description: 'Done.' }, 401: response },
          },
        },
      },
    }),
  })
  const checker = createChecker(api.schemas)
  const { service } = createService(api, checker)
  const errors: string[] = []
  const onError = (error: unknown) => errors.push(error instanceof Error ? error.message : '')
  const server = createServerCore(service, { readA: () => ({ status: 204 }) }, { onError })
  const { documented, samples } = createExamples(api, service, checker)
  const mock = createExampleServer(
    service,
    documented,
    createMockPolicy(() => {}, { validate: true, hasStates: false, samples }),
  )
  const request = { method: 'GET', url: '/a', headers: {} }
  const [operation] = api.operations
  const declared = operation?.kind === 'http' ? operation.responses : []
  const schema = declared.find(({ status }) => status === '401')?.content[0]?.schema ?? true
  return {
    ...{ api, errors, service },
    validate: (body: unknown) => checker.schema(schema).check(body),
    replies: () => Promise.all([server, mock].map(({ handle }) => handle(request))),
  }
}

/** A generated server of one operation, which takes an object with an integer `n` in at most 64 bytes. */
export const startedWith = async (responses: Readonly<Record<string, object>>) => {
  const api = await apiOf({
    openapi: openapiOf({
      paths: {
        '/a': {
          post: {
            operationId: 'writeA',
            'x-limits': { payloadBytes: 64 },
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['n'],
                    properties: { n: { type: 'integer' } },
                  },
                },
              },
            },
            responses: { 204: { description: 'Done.' }, ...responses },
          },
        },
      },
    }),
  })
  const checker = createChecker(api.schemas)
  const errors: string[] = []
  const onError = (error: unknown) => errors.push(error instanceof Error ? error.message : '')
  const { service } = createService(api, checker)
  const { handle } = createServerCore(service, { writeA: () => ({ status: 204 }) }, { onError })
  const [operation] = api.operations
  const declared = operation?.kind === 'http' ? operation.responses : []
  const schemaOf = (status: number) =>
    declared.find((one) => one.status === `${status}`)?.content[0]?.schema ?? false
  return {
    ...{ handle, errors },
    validate: (status: number, body: unknown) => checker.schema(schemaOf(status)).check(body),
  }
}
