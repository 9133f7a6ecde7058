import type { Finding } from '../model/finding.js'
import { stepOf } from './change-kind.js'
import {
  compareCores,
  compareSemver,
  parseSemver,
  printSemver,
  raise,
  type Semver,
  type Step,
} from './semver.js'
import { type SurfaceChange, tellChange } from './surface-change.js'

/**
 * The version that a package gets, and why, in a sentence: by the change that asks for most. What breaks raises major (minor
 * while that is 0), a name that is gone as well; what is new minor, texts patch, and nothing leaves it.
 */
export const nextVersion = (asked: VersionQuestion): VersionAnswer => {
  const { before, wanted } = asked
  const written = wanted === undefined ? undefined : parseSemver(wanted)
  if (wanted !== undefined && !written) {
    return refused(`--version ${wanted} is no version: write it as 1.2.3, or 1.2.3-beta.1`)
  }
  if (before === undefined) {
    return asked.findings.length > 0 && !written ? refused(UNKNOWN) : first(written)
  }
  const from = parseSemver(before)
  if (!from)
    return refused(`the version before, ${before}, is none that npm knows: write it as 1.2.3`)
  const due = dueFrom(from, asked)
  if (!written) return { kind: 'version', ...due }
  return overridden(written, from, due, asked.forces ?? false)
}

export type VersionQuestion = {
  /** Of the package before; undefined where this is the first. */
  readonly before: string | undefined
  /** What `diff` says of the documents before and now; none where there is no version before. */
  readonly findings: readonly Finding[]
  /** What code may name of the package now and could not before, or could; none where that one is not known. */
  readonly surface?: readonly SurfaceChange[]
  /** What is not as it was and no finding tells of, by the names of files: descriptions, the code of another toolkit. */
  readonly texts: readonly string[]
  /** What `--version` says. */
  readonly wanted?: string | undefined
  /** Takes what is wanted, however much less it is than the change asks for. */
  readonly forces?: boolean | undefined
}

export type VersionAnswer =
  | ({ readonly kind: 'version' } & Versioned)
  /** One sentence: what, where and what to do. */
  | { readonly kind: 'refused'; readonly sentence: string }

export type Versioned = {
  readonly version: string
  /** By how much: `first` where nothing was before, `none` where nothing changed. */
  readonly step: Step | 'none' | 'first'
  /** A sentence without a full stop, which begins with the version. */
  readonly why: string
  /** Which change of the documents decided, where one did. */
  readonly decidedBy?: Finding
}

/** Documents alone were named as what was before. */
const UNKNOWN =
  'what was before are documents, which do not say what version their package had: name that package, or say --version'

const first = (written: Semver | undefined): VersionAnswer => {
  const version = written ? printSemver(written) : FIRST
  const why = written
    ? `${version}, as --version says: there is no version before`
    : `${version}: there is no version before, and a package counts its own (--version names another)`
  return { kind: 'version', version, step: 'first', why }
}

/**
 * Not what the documents say in `info.version`: that counts the service, two documents need not agree about it, and a client
 * that is mended on the same day needs a number of its own.
 */
const FIRST = '0.1.0'

const dueFrom = (from: Semver, { findings, surface = [], texts }: VersionQuestion): Versioned => {
  const old = printSemver(from)
  const step = STEPS.find(
    (one) =>
      findings.some((finding) => stepOf(finding) === one) ||
      surface.some(({ is }) => NAMES[is] === one),
  )
  if (!step) {
    if (texts.length === 0) {
      return { version: old, step: 'none', why: `${old}, as before: nothing changed` }
    }
    const version = printSemver(raise(from, 'patch'))
    const why = `${version} after ${old}, ${called('patch', from)}: no caller meets a change, only texts differ (${listed(texts)})`
    return { version, step: 'patch', why }
  }
  const [deciding, ...others] = findings.filter((finding) => stepOf(finding) === step)
  const names = surface.filter(({ is }) => NAMES[is] === step)
  const version = printSemver(raise(from, step))
  const head = `${version} after ${old}, ${called(step, from)}`
  if (!deciding) return { version, step, why: `${head}: ${namesTold(names)}` }
  const { message, rule, location } = deciding
  const place = `${location.file}:${location.line}`
  const more = others.length === 0 ? '' : `; ${others.length} more ${ASK[step]}`
  // What is new by its findings has new names too.
  const gone = step === 'major' && names.length > 0 ? `; ${namesTold(names)}` : ''
  const why = `${head}: ${message} (${rule} at ${place})${more}${gone}`
  return { version, step, why, decidedBy: deciding }
}

/** What a name asks for. */
const NAMES: Readonly<Record<SurfaceChange['is'], Step>> = { gone: 'major', new: 'minor' }

const namesTold = (changes: readonly SurfaceChange[]): string => {
  const shown = changes.slice(0, MOST_CHANGES).map((change) => tellChange(change, MOST_NAMES))
  const rest = changes.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more of the kind` : ''}`
}

const MOST_CHANGES = 5
const MOST_NAMES = 3

const STEPS = ['major', 'minor', 'patch'] as const

const ASK: Readonly<Record<Step, string>> = {
  major: 'break as well',
  minor: 'ask for as much',
  patch: 'ask for as much',
}

const called = (step: Step, from: Semver): string => {
  if (from.prerelease.length > 0) return `${step}, and a prerelease as before`
  return from.major === 0 && step === 'major' ? 'minor, as major is 0 and something breaks' : step
}

const overridden = (
  written: Semver,
  from: Semver,
  due: Versioned,
  forces: boolean,
): VersionAnswer => {
  const version = printSemver(written)
  const { decidedBy, step } = due
  const answer = (why: string): VersionAnswer => ({
    kind: 'version',
    version,
    step,
    why,
    ...(decidedBy && { decidedBy }),
  })
  const asked = parseSemver(due.version) ?? from
  const order = compareSemver(written, from)
  const isEnough = step === 'none' ? order >= 0 : order > 0 && compareCores(written, asked) >= 0
  if (isEnough) return answer(`${version}, as --version says; the change asks for ${due.why}`)
  if (forces) return answer(`${version}, as --force says; the change asks for ${due.why}`)
  return refused(
    `--version ${version} is lower than what the change asks for: ${due.why}; leave --version out, name a higher one, or add --force`,
  )
}

const refused = (sentence: string): VersionAnswer => ({ kind: 'refused', sentence })

const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
