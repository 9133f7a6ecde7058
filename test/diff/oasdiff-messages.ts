import { type Change, http, rpc, withBody, withHeader, withResult } from './oasdiff-pair.js'

type Json = Readonly<Record<string, unknown>>

const TEXT = { type: 'string' }
const OBJECT = { type: 'object' }
const param = (members: Json) => rpc({ params: [{ name: 'order', schema: OBJECT, ...members }] })

const taking = (...types: readonly string[]) =>
  http({
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: TEXT }])) },
  })

const answering = (...types: readonly string[]) =>
  http({ responses: { '200': { description: 'done', content: contentOf(types) } } })

const contentOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: TEXT }]))

const statuses = (...all: readonly string[]) =>
  http({ responses: Object.fromEntries(all.map((status) => [status, { description: 'done' }])) })

const header = (members: Json | undefined) =>
  http(withHeader(members && { schema: TEXT, ...members }))

const json = (media: Json) => ({ content: { 'application/json': media } })

/** Bodies, media types, statuses and headers; a param stands for a body, and a result for a success, in JSON-RPC. */
export const MESSAGES: Readonly<Record<string, Change>> = {
  'request-body-added-required': {
    finds: ['error request-body-added-required'],
    http: [http(), http(withBody(OBJECT, { required: true }))],
    rpc: [rpc(), param({ required: true })],
    rpcFinds: ['error parameter-added-required'],
  },
  'request-body-became-required': {
    finds: ['error request-body-became-required'],
    http: [http(withBody(OBJECT)), http(withBody(OBJECT, { required: true }))],
    rpc: [param({}), param({ required: true })],
    rpcFinds: ['error parameter-became-required'],
  },
  'request-body-removed': {
    finds: ['error request-body-removed'],
    http: [http(withBody(OBJECT)), http()],
  },
  'request-body-media-type-removed': {
    finds: ['error request-media-type-removed'],
    http: [taking('application/json', 'text/plain'), taking('application/json')],
  },
  'request-body-media-type-schema-added': {
    finds: ['error request-type-narrowed'],
    http: [http({ requestBody: json({}) }), http({ requestBody: json({ schema: TEXT }) })],
  },
  'response-body-media-type-schema-removed': {
    finds: ['error response-type-widened'],
    http: [
      http({ responses: { '200': { description: 'done', ...json({ schema: TEXT }) } } }),
      http({ responses: { '200': { description: 'done', ...json({}) } } }),
    ],
  },
  'response-media-type-removed': {
    finds: ['error response-media-type-removed'],
    http: [answering('application/json', 'text/plain'), answering('application/json')],
  },
  'response-media-type-name-generalized': {
    finds: ['error response-media-type-generalized'],
    http: [answering('text/plain'), answering('text/*')],
  },
  'response-success-status-removed': {
    finds: ['error success-status-removed'],
    http: [statuses('200', '202'), statuses('200')],
    rpc: [rpc(withResult(TEXT)), rpc({ result: undefined, 'x-direction': 'client' })],
    rpcFinds: ['error result-removed'],
  },
  'required-response-header-removed': {
    finds: ['error required-response-header-removed'],
    http: [header({ required: true }), header(undefined)],
  },
  'optional-response-header-removed': {
    finds: ['warning optional-response-header-removed'],
    http: [header({}), header(undefined)],
  },
  'response-header-became-optional': {
    finds: ['error response-header-became-optional'],
    http: [header({ required: true }), header({})],
  },
}
