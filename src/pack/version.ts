import semver, { type SemVer } from 'semver'
import type { Finding } from '../model/finding.js'
import { stepOf, type VersionPart } from './change-kind.js'

/**
 * The version of a package, and the reason in a sentence: the greatest change decides. A breaking change or a removed export
 * raises major (minor while major is 0), an addition minor, other texts patch.
 */
export const nextVersion = (question: VersionQuestion): VersionAnswer => {
  const { before, wanted } = question
  const written = wanted === undefined ? undefined : (semver.parse(wanted) ?? undefined)
  if (wanted !== undefined && !written) {
    return rejected(`--version ${wanted} is not a version: write it as 1.2.3, or 1.2.3-beta.1`)
  }
  if (before === undefined) {
    return question.findings.length > 0 && !written ? rejected(UNKNOWN) : first(written)
  }
  const from = semver.parse(before)
  if (!from)
    return rejected(`the version before, ${before}, is not a version of npm: write it as 1.2.3`)
  const due = dueFrom(from, question)
  if (!written) return { kind: 'version', ...due }
  return overridden(written, from, due, question.forces ?? false)
}

export type VersionQuestion = {
  /** The version of the earlier package; undefined for the first one. */
  readonly before: string | undefined
  /** The findings of `diff` for the documents before and now; none without an earlier version. */
  readonly findings: readonly Finding[]
  /** The exports that the package no longer has, one clause each; none if the earlier package is not known. */
  readonly gone?: readonly string[]
  /** Files with differences that have no finding, by name: descriptions, the code of another toolkit version. */
  readonly texts: readonly string[]
  /** The value of `--version`. */
  readonly wanted?: string | undefined
  /** Accepts the wanted version, even if the change requires a greater one. */
  readonly forces?: boolean | undefined
}

export type VersionAnswer =
  | ({ readonly kind: 'version' } & Versioned)
  /** One sentence: what, where and what to do. */
  | { readonly kind: 'rejected'; readonly sentence: string }

export type Versioned = {
  readonly version: string
  /** The step: `first` without an earlier version, `none` without a change. */
  readonly step: VersionPart | 'none' | 'first'
  /** A sentence without a full stop that begins with the version. */
  readonly why: string
  /** The change of the documents that decided, if one did. */
  readonly decidedBy?: Finding
}

/** The message if only documents are given as the earlier version. */
const UNKNOWN =
  'the version before is given as documents, which do not contain the version of their package: name that package, or add --version'

const first = (written: SemVer | undefined): VersionAnswer => {
  const version = written ? written.version : FIRST
  const why = written
    ? `${version}, from --version: there is no version before`
    : `${version}: there is no version before, and a package counts its own (--version names another)`
  return { kind: 'version', version, step: 'first', why }
}

/**
 * `info.version` is not used. It is the version of the service, two documents may differ in it, and a fix of
 * the client alone needs a new version.
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
    const why = `${version} after ${old}, ${called('patch', from)}: the changes have no effect on callers, only texts differ (${names})`
    return { version, step: 'patch', why }
  }
  const [deciding, ...others] = findings.filter((finding) => stepOf(finding) === step)
  const version = raise(from, step)
  const reasons = [
    ...(deciding ? [reasonOf(deciding)] : []),
    ...(others.length > 0 ? [`${others.length} more ${AS_MUCH[step]}`] : []),
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

const AS_MUCH: Readonly<Record<VersionPart, string>> = {
  major: 'break as well',
  minor: 'require as much',
  patch: 'require as much',
}

/** A prerelease stays one: if its numbers are already raised far enough, only its counter is raised. */
export const raise = (from: SemVer, step: VersionPart): string => {
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

const called = (step: VersionPart, from: SemVer): string => {
  if (from.prerelease.length > 0) return `${step}, and still a prerelease`
  return from.major === 0 && step === 'major'
    ? 'minor, because major is 0 and a change is breaking'
    : step
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
  if (isEnough) return answer(`${version}, from --version; the change requires ${due.why}`)
  if (forces) return answer(`${version}, because of --force; the change requires ${due.why}`)
  return rejected(
    `--version ${version} is lower than the change requires: ${due.why}; omit --version, give a higher one, or add --force`,
  )
}

const rejected = (sentence: string): VersionAnswer => ({ kind: 'rejected', sentence })
