import {
  answered,
  type Change,
  holding,
  http,
  sent,
  withAnswer,
  withParameter,
} from './oasdiff-pair.js'

const TEXT = { type: 'string' }
const ADDED = holding(TEXT, { required: ['page'] })
const HIDDEN = { ...TEXT, writeOnly: true }
const REST = { type: 'object', properties: { size: { type: 'integer' } } }
const BOTH = { type: 'object', properties: { size: { type: 'integer' }, page: TEXT } }
const NEEDED = { ...BOTH, required: ['page'] }
const DEFAULTED = holding({ ...TEXT, default: 'a' })

const deprecated = (sunset?: string) =>
  holding({ ...TEXT, deprecated: true, ...(sunset !== undefined && { 'x-sunset': sunset }) })

/** A promise about a property is reported alike from either side. */
const life = (name: string, sunset: string | undefined, finds: readonly string[]) =>
  Object.fromEntries([
    [`request-property-${name}`, { finds, ...sent(holding(TEXT), deprecated(sunset)) }],
    [`response-property-${name}`, { finds, ...answered(holding(TEXT), deprecated(sunset)) }],
  ])

const header = (schema: unknown) => http(withParameter({ in: 'header', schema }))

/** Properties that come and go, must be there or need not, and what is promised of them. */
export const PROPERTIES: Readonly<Record<string, Change>> = {
  'new-required-request-property': {
    finds: ['error request-property-became-required'],
    ...sent(REST, NEEDED),
  },
  'new-required-request-property-with-default': {
    finds: ['error request-property-became-required'],
    ...sent(REST, {
      ...NEEDED,
      properties: { ...BOTH.properties, page: { ...TEXT, default: 'a' } },
    }),
  },
  'new-required-request-header-property': {
    finds: ['error request-property-became-required'],
    http: [header(REST), header(NEEDED)],
  },
  'request-header-property-became-required': {
    finds: ['error request-property-became-required'],
    http: [header(holding(TEXT)), header(ADDED)],
  },
  'request-property-became-required': {
    finds: ['error request-property-became-required'],
    ...sent(holding(TEXT), ADDED),
  },
  'request-property-became-required-with-default': {
    finds: ['error request-property-became-required'],
    ...sent(DEFAULTED, { ...DEFAULTED, required: ['page'] }),
  },
  'request-property-removed': {
    finds: ['warning request-property-removed'],
    ...sent(BOTH, REST),
  },
  'response-property-became-optional': {
    finds: ['error response-property-became-optional'],
    ...answered(ADDED, holding(TEXT)),
  },
  'response-required-property-removed': {
    finds: ['error response-property-became-optional'],
    ...answered(NEEDED, REST),
  },
  'response-optional-property-removed': {
    finds: ['warning response-property-removed'],
    ...answered(BOTH, REST),
  },
  // A reader who never got a property does not look for it.
  'response-required-property-became-not-write-only': {
    finds: ['note response-property-became-required'],
    http: [http(withAnswer(holding(HIDDEN, { required: ['page'] }))), http(withAnswer(ADDED))],
  },
  ...life('deprecated-sunset-missing', undefined, [
    'note property-deprecated',
    'note sunset-is-missing',
  ]),
  ...life('deprecated-sunset-invalid', 'soon', [
    'error sunset-is-no-date',
    'note property-deprecated',
  ]),
  ...life('sunset-date-too-small', '2026-06-14', [
    'error sunset-is-past',
    'note property-deprecated',
  ]),
}
