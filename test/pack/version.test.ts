import { SemVer } from 'semver'
import { describe, expect, it } from 'vitest'
import { DIFF_RULES } from '../../src/diff/rules.js'
import { changeKind, stepOf, type VersionPart } from '../../src/pack/change-kind.js'
import { removedExports } from '../../src/pack/removed-exports.js'
import { nextVersion, raise, type VersionQuestion } from '../../src/pack/version.js'
import { changesOf, method, orders } from '../diff/versions.js'

const BASE = orders('operationId: getOrder\nsummary: One order')
const GONE = orders('operationId: getOrder\nparameters: [{ in: query, name: page, schema: {} }]')
const STRICTER = orders(
  'operationId: getOrder\nparameters: [{ in: query, name: page, required: true, schema: {} }]',
)
const BETA = (rest: string) => orders(`operationId: getOrder\nx-stability-level: beta\n${rest}`)
const REQUIRED = 'parameters: [{ in: query, name: page, required: true, schema: {} }]'

type Given = Parameters<typeof answer>

const answer = async (
  before: Parameters<typeof changesOf>[0],
  after: Parameters<typeof changesOf>[1],
  version: string | undefined,
  rest: Partial<VersionQuestion> = {},
) => {
  const findings = await changesOf(before, after)
  const given = nextVersion({ before: version, findings, texts: [], ...rest })
  return given.kind === 'rejected' ? given.sentence : `${given.step}: ${given.why}`
}

describe('the version after', () => {
  it.each([
    [
      'what breaks is a major one',
      [BASE, STRICTER, '1.4.2'],
      'major: 2.0.0 after 1.4.2, major: the query parameter `page` of GET /orders/{id} is new and required: callers who do not send it may be rejected (parameter-added-required at new.openapi.yaml:8)',
    ],
    [
      'what breaks is a minor one while major is 0',
      [BASE, STRICTER, '0.4.2'],
      'major: 0.5.0 after 0.4.2, minor, because major is 0 and a change is breaking: the query parameter `page` of GET /orders/{id} is new and required: callers who do not send it may be rejected (parameter-added-required at new.openapi.yaml:8)',
    ],
    [
      'what is new is a minor one',
      [BASE, GONE, '1.4.2'],
      'minor: 1.5.0 after 1.4.2, minor: the query parameter `page` of GET /orders/{id} is new and optional (parameter-added-optional at new.openapi.yaml:8)',
    ],
    [
      'a name that code says and is gone is a major one, though callers over the wire may not notice',
      [GONE, BASE, '1.4.2'],
      'major: 2.0.0 after 1.4.2, major: the query parameter `page` of GET /orders/{id} is removed: the service ignores or rejects it (parameter-removed at new.openapi.yaml:7)',
    ],
    [
      'what may change by its stability is a minor one',
      [BETA(''), BETA(REQUIRED), '1.4.2'],
      'minor: 1.5.0 after 1.4.2, minor: the query parameter `page` of GET /orders/{id} is new and required: callers who do not send it may be rejected (its stability is beta, so it may change) (parameter-added-required at new.openapi.yaml:9)',
    ],
    [
      'nothing leaves the version as it is',
      [BASE, BASE, '1.4.2'],
      'none: 1.4.2, as before: nothing changed',
    ],
    [
      'a prerelease stays one',
      [BASE, STRICTER, '2.0.0-beta.1'],
      'major: 2.0.0-beta.2 after 2.0.0-beta.1, major, and still a prerelease: the query parameter `page` of GET /orders/{id} is new and required: callers who do not send it may be rejected (parameter-added-required at new.openapi.yaml:8)',
    ],
    [
      'a first one is ours to count',
      [BASE, BASE, undefined],
      'first: 0.1.0: there is no version before, and a package counts its own (--version names another)',
    ],
    [
      'a version before that is none is reported',
      [BASE, STRICTER, 'v1'],
      'the version before, v1, is not a version of npm: write it as 1.2.3',
    ],
  ] as readonly (readonly [string, Given, string])[])('%s', async (_, given, want) => {
    expect(await answer(...given)).toBe(want)
  })

  it('is a patch where texts alone differ, of which some are named', async () => {
    const texts = ['openapi.json', 'README.md', 'a.js', 'b.js']
    expect(await answer(BASE, BASE, '1.4.2', { texts })).toBe(
      'patch: 1.4.3 after 1.4.2, patch: the changes have no effect on callers, only texts differ (openapi.json, README.md, a.js and 1 more)',
    )
  })

  it('counts the others that weigh as much', async () => {
    const two = method('params: [{ name: id, required: true, schema: {} }]')
    const none = method('')
    const both = await answer({ ...BASE, ...none }, { ...STRICTER, ...two }, '1.0.0')
    expect(both).toMatch(/^major: 2\.0\.0 after 1\.0\.0, major: .*; 1 more break as well$/)
  })
})

it.each<[string, VersionPart, string]>([
  ['1.4.2', 'major', '2.0.0'],
  ['1.4.2', 'minor', '1.5.0'],
  ['1.4.2', 'patch', '1.4.3'],
  ['0.4.2', 'major', '0.5.0'],
  ['0.4.2', 'minor', '0.5.0'],
  ['0.4.2', 'patch', '0.4.3'],
  ['2.0.0-beta.1', 'major', '2.0.0-beta.2'],
  ['2.0.0-beta.1', 'patch', '2.0.0-beta.2'],
  ['2.1.0-beta.1', 'minor', '2.1.0-beta.2'],
  ['2.1.0-beta.1', 'major', '3.0.0-beta.1'],
  ['2.1.3-beta.4', 'minor', '2.2.0-beta.1'],
  ['2.1.3-beta.4', 'patch', '2.1.3-beta.5'],
  ['0.2.0-beta.4', 'major', '0.2.0-beta.5'],
  ['0.2.1-beta.4', 'major', '0.3.0-beta.1'],
  ['1.0.0-beta', 'minor', '1.0.0-beta.1'],
  ['1.0.1-beta', 'minor', '1.1.0-beta.1'],
  ['1.0.0-7', 'minor', '1.0.0-8'],
  ['1.0.0-rc.3.win', 'patch', '1.0.0-rc.4.win'],
])('raises %s by a %s to %s', (from, step, want) => {
  expect(raise(new SemVer(from), step)).toBe(want)
})

describe('--version', () => {
  it.each([
    ['1.4.2', '2.0.0', 'major: 2.0.0, from --version; the change requires 2.0.0 after 1.4.2'],
    ['1.4.2', '3.1.0', 'major: 3.1.0, from --version'],
    ['1.4.2', '2.0.0-rc.1', 'major: 2.0.0-rc.1, from --version'],
    ['2.0.0-beta.3', '2.0.0', 'major: 2.0.0, from --version'],
    ['1.4.2', '1.5.0', '--version 1.5.0 is lower than the change requires: 2.0.0 after 1.4.2'],
    ['1.4.2', '1.4.2', '--version 1.4.2 is lower than the change requires'],
    ['2.0.0-beta.3', '2.0.0-beta.3', '--version 2.0.0-beta.3 is lower than'],
    ['1.4.2', '2', '--version 2 is not a version: write it as 1.2.3, or 1.2.3-beta.1'],
  ])('of %s that breaks: %s', async (before, wanted, want) => {
    expect(await answer(BASE, STRICTER, before, { wanted })).toContain(want)
  })

  it('is taken as it is where somebody forces', async () => {
    const verdict = await answer(BASE, STRICTER, '1.4.2', { wanted: '1.4.3', forces: true })
    expect(verdict).toMatch(/^major: 1\.4\.3, because of --force; the change requires 2\.0\.0/)
  })

  it('names the first, and may stay where nothing changed, but not fall', async () => {
    expect(await answer(BASE, BASE, undefined, { wanted: '1.0.0' })).toBe(
      'first: 1.0.0, from --version: there is no version before',
    )
    const same = await answer(BASE, BASE, '1.4.2', { wanted: '1.4.2' })
    expect(same).toMatch(/^none: 1\.4\.2, from --version/)
    const lower = await answer(BASE, BASE, '1.4.2', { wanted: '1.4.1' })
    expect(lower).toContain('--version 1.4.1 is lower than the change requires: 1.4.2')
  })
})

it('every error breaks, and what breaks asks for a major version', () => {
  const place = { file: 'a', line: 1, column: 1, pointer: '' }
  const found = DIFF_RULES.map(({ id, level }) => ({
    rule: id,
    level,
    location: place,
    message: '',
  }))
  for (const finding of found.filter(({ level }) => level === 'error')) {
    expect([finding.rule, changeKind(finding), stepOf(finding)]).toEqual([
      finding.rule,
      'breaking',
      'major',
    ])
  }
  const table = found
    .filter(({ level }) => level !== 'error')
    .map((finding) => `${finding.rule}: ${changeKind(finding)}, ${stepOf(finding)}`)
  expect(table.join('\n')).toMatchInlineSnapshot(`
    "operation-added: added, minor
    operation-removed-after-deprecation: breaking, major
    operation-id-changed: breaking, major
    operation-deprecated: deprecated, minor
    operation-reactivated: changed, patch
    parameter-deprecated: deprecated, minor
    property-deprecated: deprecated, minor
    property-reactivated: changed, patch
    parameter-reactivated: changed, patch
    sunset-is-missing: deprecated, minor
    sunset-moved-earlier: deprecated, minor
    stability-declaration-changed: changed, patch
    stability-increased: changed, patch
    access-became-public: changed, minor
    limit-added: changed, minor
    limit-raised: changed, minor
    idempotence-withdrawn: changed, minor
    idempotence-declared: added, minor
    link-removed: changed, minor
    link-changed: changed, minor
    link-added: added, minor
    server-removed: breaking, major
    server-added: added, minor
    server-variable-changed: changed, minor
    operation-id-not-unique: changed, minor
    schema-unsatisfiable: changed, minor
    number-change-is-undecided: changed, minor
    document-is-new: added, minor
    path-parameter-renamed: breaking, major
    parameter-added-optional: added, minor
    parameter-removed: breaking, major
    parameter-removed-after-deprecation: breaking, major
    parameter-became-optional: changed, minor
    parameter-reserved-changed: changed, minor
    parameter-empty-value-rejected: changed, minor
    parameter-empty-value-accepted: changed, patch
    request-body-added-optional: added, minor
    request-body-became-optional: changed, minor
    request-media-type-added: added, minor
    request-encoding-relaxed: changed, minor
    response-encoding-relaxed: changed, patch
    response-media-type-added: added, minor
    response-media-type-specialized: changed, patch
    success-status-added: added, minor
    error-status-removed: changed, patch
    error-status-added: added, minor
    optional-response-header-removed: changed, minor
    response-header-added: added, minor
    response-header-became-required: changed, patch
    poll-changed: changed, minor
    oauth-flow-added: added, minor
    oauth-url-changed: changed, minor
    oauth-scope-removed: changed, minor
    oauth-scope-added: added, minor
    security-relaxed: changed, minor
    security-scheme-renamed: breaking, major
    security-scheme-removed: breaking, major
    variant-added: added, minor
    schema-removed: breaking, major
    webhook-added: added, minor
    callback-added: added, minor
    outgoing-body-added: added, minor
    outgoing-body-became-required: changed, patch
    outgoing-media-type-removed: changed, patch
    outgoing-parameter-added: added, minor
    outgoing-optional-parameter-removed: changed, minor
    outgoing-parameter-became-required: changed, patch
    outgoing-security-added: added, minor
    outgoing-security-changed: changed, minor
    reply-status-added: added, minor
    reply-error-status-removed: changed, patch
    reply-media-type-added: added, minor
    param-title-changed: changed, patch
    param-structure-widened: changed, minor
    method-direction-widened: changed, patch
    server-method-added: added, minor
    server-param-added: added, minor
    server-result-removed: changed, patch
    subscription-added: added, minor
    subscription-notification-added: changed, minor
    result-added: added, minor
    error-code-removed: changed, patch
    error-code-replaced: changed, minor
    error-code-added: added, minor
    error-message-changed: changed, patch
    error-data-added: added, minor
    error-data-changed: changed, minor
    acceptance-expired: changed, patch
    acceptance-is-unused: changed, minor
    request-type-widened: changed, minor
    request-became-nullable: changed, minor
    request-value-added: added, minor
    request-enum-removed: changed, minor
    request-multiple-of-widened: changed, minor
    request-minimum-lowered: changed, minor
    request-maximum-raised: changed, minor
    request-min-length-lowered: changed, minor
    request-max-length-raised: changed, minor
    request-pattern-widened: changed, minor
    request-min-items-lowered: changed, minor
    request-max-items-raised: changed, minor
    request-items-no-longer-unique: changed, minor
    request-contains-widened: changed, minor
    request-property-became-optional: changed, minor
    request-property-names-widened: changed, minor
    request-min-properties-lowered: changed, minor
    request-max-properties-raised: changed, minor
    request-dependent-required-removed: changed, minor
    request-alternative-added: added, minor
    request-alternatives-no-longer-overlap: changed, minor
    request-not-removed: changed, minor
    request-became-allowed: changed, minor
    request-unevaluated-no-longer-rejected: changed, minor
    request-property-became-read-only: changed, minor
    request-property-became-write-only: changed, minor
    request-property-no-longer-read-only: changed, minor
    request-property-no-longer-write-only: changed, minor
    request-discriminator-value-added: added, minor
    request-discriminator-value-changed: changed, minor
    request-discriminator-added: added, minor
    request-discriminator-removed: changed, minor
    request-change-is-undecided: changed, minor
    request-is-unsatisfiable: changed, minor
    request-property-added: added, minor
    request-property-removed: breaking, major
    request-property-removed-after-deprecation: breaking, major
    request-default-changed: changed, minor
    request-format-changed: changed, minor
    request-content-changed: changed, minor
    request-bigint-changed: changed, minor
    request-format-added: changed, minor
    request-format-removed: changed, minor
    request-object-closed: changed, minor
    request-object-opened: changed, minor
    request-undeclared-narrowed: changed, minor
    request-undeclared-widened: changed, minor
    response-type-narrowed: changed, patch
    response-became-not-nullable: changed, patch
    response-value-removed: changed, patch
    response-became-enum: changed, patch
    response-multiple-of-narrowed: changed, patch
    response-minimum-raised: changed, patch
    response-maximum-lowered: changed, patch
    response-min-length-raised: changed, patch
    response-max-length-lowered: changed, patch
    response-pattern-narrowed: changed, patch
    response-min-items-raised: changed, patch
    response-max-items-lowered: changed, patch
    response-items-became-unique: changed, patch
    response-contains-narrowed: changed, patch
    response-property-became-required: changed, patch
    response-property-names-narrowed: changed, patch
    response-min-properties-raised: changed, patch
    response-max-properties-lowered: changed, patch
    response-dependent-required-added: added, minor
    response-alternative-removed: changed, patch
    response-alternatives-overlap: changed, patch
    response-not-added: added, minor
    response-became-forbidden: changed, patch
    response-unevaluated-rejected: changed, patch
    response-property-became-read-only: changed, patch
    response-property-became-write-only: changed, minor
    response-property-no-longer-read-only: changed, patch
    response-property-no-longer-write-only: changed, patch
    response-discriminator-value-removed: changed, patch
    response-discriminator-value-changed: changed, minor
    response-discriminator-added: added, minor
    response-discriminator-removed: changed, minor
    response-change-is-undecided: changed, minor
    response-is-unsatisfiable: changed, minor
    response-property-added: added, minor
    response-property-removed: breaking, major
    response-property-removed-after-deprecation: breaking, major
    response-default-changed: changed, patch
    response-format-changed: changed, minor
    response-content-changed: changed, minor
    response-bigint-changed: changed, minor
    response-format-added: added, minor
    response-format-removed: changed, minor
    response-object-closed: changed, patch
    response-object-opened: changed, patch
    response-undeclared-narrowed: changed, patch
    response-undeclared-widened: changed, minor
    response-extensible-value-removed: changed, patch"
  `)
})

it('an entry of the package before that has no file is no removed export', () => {
  const exports = { './internal': null, './http': { default: './dist/http.client.js' } }
  const before = new Map([['package.json', JSON.stringify({ exports })]])
  const parts = [{ entry: './http', module: 'http.client.js', gives: 'a client' }]
  expect(removedExports(before, [], parts)).toEqual([])
})
