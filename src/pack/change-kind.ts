import { DIFF_RULES } from '../diff/rules.js'
import type { Finding } from '../model/finding.js'

/** The part of a version that a change raises. */
export type VersionPart = 'patch' | 'minor' | 'major'

/** The meaning of a `diff` finding for users of the package: a section of its changelog. */
export type ChangelogSection = 'breaking' | 'added' | 'changed' | 'deprecated'

/** An error is breaking. So is a removed name, because code that uses it does not compile. A warning of `diff` is a change. */
export const changeKind = ({ rule, level }: Finding): ChangelogSection => {
  if (level === 'error' || NAME_IS_GONE.has(rule)) return 'breaking'
  if (/-deprecated$|^sunset-/.test(rule)) return 'deprecated'
  if (rule === 'document-is-new') return 'added'
  return isNote(rule) && /-(?:added|added-optional|declared)$/.test(rule) ? 'added' : 'changed'
}

/** A section of the changelog of a service: announced removals are separate from breaking changes. */
export type ServiceChangelogSection = ChangelogSection | 'removed'

export const consumerKind = (finding: Finding): ServiceChangelogSection =>
  finding.level === 'note' && finding.rule.endsWith('-removed-after-deprecation')
    ? 'removed'
    : changeKind(finding)

/**
 * The part of the version that a finding raises (Semantic Versioning, clauses 6 to 8). A breaking change raises the major
 * version. An addition, a newly allowed value or a deprecation raises the minor one. All other changes raise the patch.
 */
export const stepOf = (finding: Finding): VersionPart => {
  const kind = changeKind(finding)
  if (kind === 'breaking') return 'major'
  if (kind !== 'changed') return 'minor'
  const { rule, level } = finding
  return level === 'warning' || !isNote(rule) || ALLOWS_MORE.test(rule) ? 'minor' : 'patch'
}

/** Removed names that code may use: functions, arguments, properties and types. */
const NAME_IS_GONE: ReadonlySet<string> = new Set([
  'operation-removed-without-deprecation',
  'operation-removed-before-sunset',
  'operation-removed-after-deprecation',
  'operation-id-changed',
  'variant-removed',
  'path-parameter-renamed',
  'parameter-removed',
  'parameter-removed-before-sunset',
  'parameter-removed-after-deprecation',
  'param-removed',
  'request-property-removed',
  'request-property-removed-after-deprecation',
  'request-property-rejected',
  'response-property-removed',
  'response-property-removed-after-deprecation',
  'schema-removed',
  'server-removed',
  'security-scheme-renamed',
  'security-scheme-removed',
])

const ALLOWS_MORE =
  /^(?:request-|access-became-public|security-relaxed|limit-raised|param-structure-widened|parameter-became-optional)/

/** Whether a rule is a note by default, and was not reduced to one by stability or an acceptance. */
const isNote = (rule: string): boolean => NOTES.has(rule)

const NOTES: ReadonlySet<string> = new Set(
  DIFF_RULES.filter(({ level }) => level === 'note').map(({ id }) => id),
)
