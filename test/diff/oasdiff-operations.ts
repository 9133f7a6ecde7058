import {
  type Change,
  http,
  httpPaths,
  operation,
  parameter,
  rpc,
  rpcMethods,
} from './oasdiff-pair.js'

const deprecated = (sunset?: string) => ({
  deprecated: true,
  ...(sunset !== undefined && { 'x-sunset': sunset }),
})

type Json = Readonly<Record<string, unknown>>

/** The operation itself in both protocols, as it was and as it is. */
const itself = (before: Json, after: Json): Pick<Change, 'http' | 'rpc'> => ({
  http: [http(before), http(after)],
  rpc: [rpc(before), rpc(after)],
})

/** `POST /orders` goes and `GET /orders` stays; of methods there is one less. */
const gone = (before: Json): Pick<Change, 'http' | 'rpc'> => ({
  http: [
    httpPaths({ '/orders': { get: operation(), post: operation(before) } }),
    httpPaths({ '/orders': { get: operation() } }),
  ],
  rpc: [rpc(before), rpcMethods([])],
})

const pathGone = (before: Json): Pick<Change, 'http'> => ({ http: [http(before), httpPaths({})] })

const EARLY = { finds: ['error operation-removed-before-sunset'] }
const UNANNOUNCED = { finds: ['error operation-removed-without-deprecation'] }

/** Operations that go, and what is promised of them. */
export const OPERATIONS: Readonly<Record<string, Change>> = {
  'api-removed-without-deprecation': { ...UNANNOUNCED, ...gone({}) },
  'api-path-removed-without-deprecation': { ...UNANNOUNCED, ...pathGone({}) },
  'api-removed-before-sunset': { ...EARLY, ...gone(deprecated('2026-06-16')) },
  'api-path-removed-before-sunset': { ...EARLY, ...pathGone(deprecated('2026-06-16')) },
  'api-path-sunset-parse': {
    finds: ['error sunset-is-no-date'],
    ...pathGone(deprecated('soon')),
  },
  'api-deprecated-sunset-missing': {
    finds: ['note operation-deprecated', 'note sunset-is-missing'],
    ...itself({}, deprecated()),
  },
  'api-deprecated-sunset-parse': {
    finds: ['error sunset-is-no-date', 'note operation-deprecated'],
    ...itself({}, deprecated('soon')),
  },
  'api-sunset-date-too-small': {
    finds: ['error sunset-is-past', 'note operation-deprecated'],
    ...itself({}, deprecated('2026-06-14')),
  },
  'api-sunset-date-changed-too-small': {
    finds: ['error sunset-is-past'],
    ...itself(deprecated('2027-01-31'), deprecated('2026-06-14')),
  },
  'sunset-deleted': {
    finds: ['error sunset-removed'],
    ...itself(deprecated('2027-01-31'), deprecated()),
  },
  'api-invalid-stability-level': {
    finds: ['error stability-is-unknown'],
    ...itself({}, { 'x-stability-level': 'ripe' }),
  },
  'api-stability-decreased': {
    finds: ['error stability-decreased'],
    ...itself({ 'x-stability-level': 'stable' }, { 'x-stability-level': 'beta' }),
  },
  'webhook-removed': {
    finds: ['error webhook-removed'],
    http: [http({}, { webhooks: { paid: { post: operation() } } }), http()],
  },
}

const TEXT = { type: 'string' }
const PAGE = { name: 'page', in: 'query', required: true, schema: TEXT }
const DEFAULTED = { ...TEXT, default: 'a' }
const NEW_PARAM = {
  ...{ finds: ['error parameter-added-required'] },
  rpc: [rpc(), rpc({ params: [{ name: 'page', required: true, schema: TEXT }] })],
} as const
const DEFAULT_CHANGED = { finds: ['error parameter-default-changed'] }

/** `POST /orders` with a parameter that its whole path has. */
const ofPath = (parameters: readonly Json[]) =>
  httpPaths({ '/orders': { parameters, post: operation() } })

/** Parameters that come and go, and what is promised of them. */
export const PARAMETERS: Readonly<Record<string, Change>> = {
  'new-request-path-parameter': {
    finds: ['error operation-removed-without-deprecation', 'note operation-added'],
    http: [http(), http({ parameters: [{ ...PAGE, in: 'path' }] }, {}, '/orders/{page}')],
  },
  'new-required-request-parameter': {
    ...NEW_PARAM,
    http: [http(), http({ parameters: [PAGE] })],
  },
  'new-required-request-default-parameter-to-existing-path': {
    ...NEW_PARAM,
    http: [ofPath([]), ofPath([{ ...PAGE, schema: DEFAULTED }])],
  },
  'request-parameter-became-required': {
    finds: ['error parameter-became-required'],
    ...parameter({}, { required: true }),
  },
  'request-parameter-default-value-added': {
    ...DEFAULT_CHANGED,
    ...parameter({}, { schema: DEFAULTED }),
  },
  'request-parameter-default-value-changed': {
    ...DEFAULT_CHANGED,
    ...parameter({ schema: DEFAULTED }, { schema: { ...TEXT, default: 'b' } }),
  },
  'request-parameter-default-value-removed': {
    ...DEFAULT_CHANGED,
    ...parameter({ schema: DEFAULTED }, {}),
  },
  'request-parameter-removed': {
    finds: ['warning parameter-removed'],
    http: [http({ parameters: [PAGE] }), http()],
    rpc: [rpc({ params: [{ name: 'page', schema: TEXT }] }), rpc()],
    // A list of params is closed: who still gives it is refused.
    rpcFinds: ['error param-removed'],
  },
  'request-parameter-removed-before-sunset': {
    finds: ['error parameter-removed-before-sunset'],
    http: [http({ parameters: [{ ...PAGE, ...deprecated('2026-06-16') }] }), http()],
    rpc: [rpc({ params: [{ name: 'page', schema: TEXT, ...deprecated('2026-06-16') }] }), rpc()],
  },
  'request-parameter-deprecated-sunset-missing': {
    finds: ['note parameter-deprecated', 'note sunset-is-missing'],
    ...parameter({}, deprecated()),
  },
  'request-parameter-sunset-parse': {
    finds: ['error sunset-is-no-date', 'note parameter-deprecated'],
    ...parameter({}, deprecated('soon')),
  },
  'request-parameter-sunset-date-too-small': {
    finds: ['error sunset-is-past', 'note parameter-deprecated'],
    ...parameter({}, deprecated('2026-06-14')),
  },
  'request-parameter-sunset-date-changed-too-small': {
    finds: ['error sunset-is-past'],
    ...parameter(deprecated('2027-01-31'), deprecated('2026-06-14')),
  },
  'request-parameter-sunset-deleted': {
    finds: ['error sunset-removed'],
    ...parameter(deprecated('2027-01-31'), deprecated()),
  },
}
