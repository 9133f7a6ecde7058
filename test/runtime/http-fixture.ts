import type {
  Call,
  ErrorOf,
  HttpService,
  InputOf,
  ResultOf,
  VariantResultOf,
  WithBody,
} from '../../src/runtime/http.js'
import type { HttpOperation, HttpValidators, Parameter } from '../../src/runtime/operation.js'
import { type ValidatorSchema, validator } from '../../src/runtime/validate.js'
import { contentOf, declaredResponses } from './declared.js'

export type Message = { arguments: string; code?: never; abi?: never; to?: never; method?: never }
export type ContractCall = {
  abi: string[]
  to: string
  method: string
  arguments: unknown[]
  id?: number | string
  wait?: boolean
  code?: never
}
export type Deploy = { code: string; arguments?: string[]; abi?: never; to?: never; method?: never }
export type Written = { success: true; hash?: string | null; transactionHash?: string | null }
export type Read = { success: true; output: string[] }
export type Deployed = { success: true; contractAddress: string; hash: string }
export type Refusal = { success: false; error: string }
export type Pending = { status: 'pending'; queueId: string }
export type Completed = { status: 'completed'; queueId: string; transactionHash: string }

/** As openapi-typescript prints it. */
// biome-ignore lint/style/useConsistentTypeDefinitions: openapi-typescript prints interfaces
export interface operations {
  submit: {
    parameters: { query?: never; header?: never; path: { apiKey: string }; cookie?: never }
    requestBody: { content: { 'application/json': Message | ContractCall | Deploy } }
    responses: {
      200: {
        headers: { [name: string]: unknown }
        content: { 'application/json': Written | Read | Deployed | Refusal }
      }
      400: {
        headers: { [name: string]: unknown }
        content: { 'application/json': Refusal & { details?: string[] } }
      }
      '4XX': {
        headers: { [name: string]: unknown }
        content: { 'application/json': Refusal }
      }
    }
  }
  getStatus: {
    parameters: { query?: never; header?: never; path: { queueId: string }; cookie?: never }
    requestBody?: never
    responses: {
      200: {
        headers: { [name: string]: unknown }
        content: { 'application/json': Pending | Completed }
      }
      404: {
        headers: { [name: string]: unknown }
        content: { 'application/json': { error: string } }
      }
    }
  }
  search: {
    parameters: {
      query?: { limit?: number; tags?: string[] }
      header?: { 'X-Trace'?: string }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: { headers: { [name: string]: unknown }; content: { 'application/json': string[] } }
      default: {
        headers: { [name: string]: unknown }
        content: { 'application/json': { code: number } }
      }
    }
  }
  remove: {
    parameters: { query: { really: boolean }; header?: never; path: { id: string }; cookie?: never }
    requestBody?: never
    responses: { 204: { headers: { [name: string]: unknown }; content?: never } }
  }
  upload: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    requestBody?: {
      content: {
        'application/json': { title: string }
        'multipart/form-data': { title: string; file: Blob }
        'image/*': string
      }
    }
    responses: {
      201: { headers: { [name: string]: unknown }; content: { 'application/json': { id: string } } }
      202: { headers: { [name: string]: unknown }; content: { 'text/plain': string } }
    }
  }
  download: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    requestBody?: never
    responses: {
      200: { headers: { [name: string]: unknown }; content: { 'application/octet-stream': string } }
    }
  }
}

export type Client = {
  readonly submit: Call<
    operations['submit'],
    {
      input: SubmitInput
      result: VariantResultOf<Variants>
      error: ErrorOf<operations['submit'], Refusal>
      variants: Variants
    }
  >
  readonly getStatus: Call<operations['getStatus'], Plain<'getStatus'> & { poll: true }>
  readonly search: Call<operations['search'], Plain<'search'>>
  readonly remove: Call<operations['remove'], Plain<'remove'>>
  readonly upload: Call<operations['upload'], Plain<'upload'>>
  readonly download: Call<operations['download'], Plain<'download'>>
}

type Plain<Id extends keyof operations> = {
  readonly input: InputOf<operations[Id]>
  readonly result: ResultOf<operations[Id]>
  readonly error: ErrorOf<operations[Id]>
}

type SubmitInput = InputOf<operations['submit'], 'apiKey'>

type Variants = {
  message: { input: WithBody<SubmitInput, Message>; result: Written; error: Refusal }
  call: { input: WithBody<SubmitInput, ContractCall>; result: Written | Read; error: Refusal }
  deploy: { input: WithBody<SubmitInput, Deploy>; result: Deployed; error: Refusal }
}

const parameter = (name: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  in: 'path',
  required: true,
  style: 'simple',
  explode: false,
  ...more,
})

export const operation = (id: string, more: Partial<HttpOperation> = {}): HttpOperation => ({
  kind: 'http',
  id,
  method: 'GET',
  path: `/${id}`,
  servers: [],
  parameters: [],
  responses: declaredResponses({ 200: ['application/json'] }),
  security: [],
  schemes: {},
  ...more,
})

/** What generated `operations.ts` would hold. */
export const service = {
  servers: [
    {
      name: 'testnet',
      url: 'https://{host}',
      variables: { host: { default: 'rpc.test.example' } },
    },
    { name: 'mainnet', url: 'https://rpc.main.example', variables: {} },
  ],
  limits: { payloadBytes: 1_000 },
  operations: {
    submit: operation('submit', {
      method: 'POST',
      path: '/zkt/{apiKey}',
      parameters: [parameter('apiKey', { secret: true })],
      body: { required: true, content: contentOf(['application/json']) },
      responses: declaredResponses({
        200: ['application/json'],
        400: ['application/json'],
        '4XX': ['application/json'],
      }),
      variants: [
        { name: 'message', request: 'Message', responses: ['Written'], errors: ['Refusal'] },
        {
          name: 'call',
          request: 'ContractCall',
          responses: ['Written', 'Read'],
          errors: ['Refusal'],
        },
        { name: 'deploy', request: 'Deploy', responses: ['Deployed'], errors: ['Refusal'] },
      ],
      sameAs: [['hash', 'transactionHash']],
    }),
    getStatus: operation('getStatus', {
      path: '/status/{queueId}',
      servers: [
        { name: 'testnet', url: 'https://api.test.example/v1/', variables: {} },
        { name: 'mainnet', url: 'https://api.main.example/v1/', variables: {} },
      ],
      parameters: [parameter('queueId')],
      responses: declaredResponses({ 200: ['application/json'], 404: ['application/json'] }),
      idempotent: true,
      poll: {
        field: 'status',
        terminal: ['completed', 'error'],
        order: ['pending', 'processing', 'completed', 'error'],
      },
    }),
    search: operation('search', {
      parameters: [
        parameter('limit', { in: 'query', required: false, style: 'form', explode: true }),
        parameter('tags', { in: 'query', required: false, style: 'form', explode: false }),
        parameter('X-Trace', { in: 'header', required: false }),
      ],
      responses: declaredResponses({ 200: ['application/json'], default: ['application/json'] }),
      idempotent: true,
    }),
    remove: operation('remove', {
      method: 'DELETE',
      path: '/things/{id}',
      parameters: [
        parameter('id'),
        parameter('really', { in: 'query', style: 'form', explode: true }),
      ],
      responses: declaredResponses({ 204: [] }),
    }),
    upload: operation('upload', {
      method: 'PUT',
      body: {
        required: false,
        content: contentOf(['multipart/form-data', 'application/json', 'image/*']),
      },
      responses: declaredResponses({ 201: ['application/json'], 202: ['text/plain'] }),
    }),
    download: operation('download', {
      responses: declaredResponses({ 200: ['application/octet-stream'] }),
    }),
  },
} satisfies HttpService

const text = { type: 'string' } as const
const never = { not: {} } as const
const record = (
  properties: Readonly<Record<string, ValidatorSchema>>,
  required: readonly string[],
) => validator(() => ({ type: 'object', properties, required, additionalProperties: false }))

const Message = record({ arguments: text, code: never, abi: never, to: never, method: never }, [
  'arguments',
])
const ContractCall = record(
  {
    abi: { type: 'array', items: text },
    to: text,
    method: text,
    arguments: { type: 'array' },
    id: { type: ['number', 'string'] },
    wait: { type: 'boolean' },
    code: never,
  },
  ['abi', 'to', 'method', 'arguments'],
)
const Deploy = record(
  { code: text, arguments: { type: 'array', items: text }, abi: never, to: never, method: never },
  ['code'],
)
const maybe = { type: ['string', 'null'] } as const
const Written = record(
  {
    success: { const: true },
    hash: maybe,
    transactionHash: maybe,
    output: never,
    contractAddress: never,
  },
  ['success'],
)
const Read = record({ success: { const: true }, output: { type: 'array', items: text } }, [
  'success',
  'output',
])
const Deployed = record({ success: { const: true }, contractAddress: text, hash: text }, [
  'success',
  'contractAddress',
  'hash',
])
const Refusal = record({ success: { const: false }, error: text, details: { type: 'array' } }, [
  'success',
  'error',
])
const NotFound = record({ error: text }, ['error'])

/** What generated `validators.ts` would export, named schemas beside operations. */
export const validators = {
  Message,
  submit: {
    parameters: { 'path.apiKey': validator(() => text) },
    request: validator(() => ({ oneOf: [Message, ContractCall, Deploy] })),
    responses: {
      200: validator(() => ({ anyOf: [Written, Read, Deployed, Refusal] })),
      400: Refusal,
      '4XX': Refusal,
    },
    variants: {
      message: { request: Message, response: Written, error: Refusal },
      call: {
        request: ContractCall,
        response: validator(() => ({ anyOf: [Written, Read] })),
        error: Refusal,
      },
      deploy: { request: Deploy, response: Deployed, error: Refusal },
    },
  },
  getStatus: {
    parameters: { 'path.queueId': validator(() => ({ type: 'string' })) },
    responses: {
      200: validator(() => ({
        type: 'object',
        properties: { status: text, queueId: text, transactionHash: text },
        required: ['status', 'queueId'],
        additionalProperties: false,
      })),
      404: NotFound,
    },
  },
  search: {
    parameters: { 'query.limit': validator(() => ({ type: 'integer', minimum: 1 })) },
    responses: {
      200: validator(() => ({ type: 'array', items: text })),
      default: record({ code: { type: 'integer' } }, ['code']),
    },
  },
  remove: { responses: {} },
  upload: {
    request: record({ title: text }, ['title']),
    responses: { 201: record({ id: text }, ['id']) },
  },
  download: { responses: {} },
} satisfies Record<string, HttpValidators | ReturnType<typeof record>>
