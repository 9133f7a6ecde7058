import semver, { type SemVer } from 'semver'
import type { Finding } from '../model/finding.js'
import { type Step, stepOf } from './change-kind.js'

/**
 * The version of a package, and the reason in a sentence: the change that asks for most decides. A breaking change or an export
 * that is gone raises major (minor while major is 0), an addition minor, other texts patch.
 */
export const nextVersion = (asked: VersionQuestion): VersionAnswer => {
  const { before, wanted } = asked
  const written = wanted === undefined ? undefined : (semver.parse(wanted) ?? undefined)
  if (wanted !== undefined && !written) {
    return refused(`--version ${wanted} is no version: write it as 1.2.3, or 1.2.3-beta.1`)
  }
  if (before === undefined) {
    return asked.findings.length > 0 && !written ? refused(UNKNOWN) : first(written)
  }
  const from = semver.parse(before)
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
  /** The exports that the package no longer has, a clause each; none where the package before is not known. */
  readonly gone?: readonly string[]
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

const first = (written: SemVer | undefined): VersionAnswer => {
  const version = written ? written.version : FIRST
  const why = written
    ? `${version}, as --version says: there is no version before`
    : `${version}: there is no version before, and a package counts its own (--version names another)`
  return { kind: 'version', version, step: 'first', why }
}

/**
 * `info.version` is not used. It counts the service, two documents need not agree, and a fixed client needs a version
 * of its own on the same day.
 */
const FIRST = '0.1.0'

const dueFrom = (from: SemVer, { findings, gone = [], texts }: VersionQuestion): Versioned => {
  const old = from.version
  const steps = findings.map(stepOf)
  const step = gone.length > 0 ? 'major' : STEPS.find((one) => steps.includes(one))
  if (!step) {
    if (texts.length === 0) {
      return { version: old, step: 'none', why: `${old}, as before: nothing changed` }
    }
    const version = raise(from, 'patch')
    const shown = texts.slice(0, 3).join(', ')
    const names = texts.length > 3 ? `${shown} and ${texts.length - 3} more` : shown
    const why = `${version} after ${old}, ${called('patch', from)}: no caller meets a change, only texts differ (${names})`
    return { version, step: 'patch', why }
  }
  const [deciding, ...others] = findings.filter((finding) => stepOf(finding) === step)
  const version = raise(from, step)
  const reasons = [
    ...(deciding ? [reasonOf(deciding)] : []),
    ...(others.length > 0 ? [`${others.length} more ${ASK[step]}`] : []),
    ...(gone.length > 0 ? [gone.slice(0, MOST_GONE).join(', ')] : []),
    ...(gone.length > MOST_GONE ? [`and ${gone.length - MOST_GONE} more of the kind`] : []),
  ]
  const why = `${version} after ${old}, ${called(step, from)}: ${reasons.join('; ')}`
  return { version, step, why, ...(deciding && { decidedBy: deciding }) }
}

const reasonOf = ({ message, rule, location }: Finding): string =>
  `${message} (${rule} at ${location.file}:${location.line})`

const MOST_GONE = 5

const STEPS = ['major', 'minor', 'patch'] as const

const ASK: Readonly<Record<Step, string>> = {
  major: 'break as well',
  minor: 'ask for as much',
  patch: 'ask for as much',
}

/** A prerelease stays one: where its numbers were raised as far already, only its counter goes up. */
export const raise = (from: SemVer, step: Step): string => {
  const due = from.major === 0 && step === 'major' ? 'minor' : step
  const release = semver.inc(from.version, due)
  const [label] = from.prerelease
  if (label === undefined) return release ?? from.version
  const isRaised = release === `${from.major}.${from.minor}.${from.patch}`
  const next = isRaised
    ? semver.inc(from.version, 'prerelease', {}, undefined, '1')
    : semver.inc(from.version, `pre${due}`, String(label), '1')
  return next ?? from.version
}

const called = (step: Step, from: SemVer): string => {
  if (from.prerelease.length > 0) return `${step}, and a prerelease as before`
  return from.major === 0 && step === 'major' ? 'minor, as major is 0 and something breaks' : step
}

const overridden = (
  written: SemVer,
  from: SemVer,
  due: Versioned,
  forces: boolean,
): VersionAnswer => {
  const { version } = written
  const { decidedBy, step } = due
  const answer = (why: string): VersionAnswer => ({
    kind: 'version',
    version,
    step,
    why,
    ...(decidedBy && { decidedBy }),
  })
  const order = written.compare(from)
  const isEnough = step === 'none' ? order >= 0 : order > 0 && written.compareMain(due.version) >= 0
  if (isEnough) return answer(`${version}, as --version says; the change asks for ${due.why}`)
  if (forces) return answer(`${version}, as --force says; the change asks for ${due.why}`)
  return refused(
    `--version ${version} is lower than what the change asks for: ${due.why}; leave --version out, name a higher one, or add --force`,
  )
}

const refused = (sentence: string): VersionAnswer => ({ kind: 'refused', sentence })
