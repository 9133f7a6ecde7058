/** A version as npm reads it (Semantic Versioning 2.0.0); build metadata, which orders nothing, is dropped. */
export type Semver = {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** `['beta', 1]` of `1.0.0-beta.1`; none of a release. */
  readonly prerelease: readonly (string | number)[]
}

/** Undefined where the text is no version: `1.0`, `v1.0.0`, `01.0.0`, a number beyond 2^53. */
export const parseSemver = (text: string): Semver | undefined => {
  const found = WRITTEN.exec(text)
  if (!found) return undefined
  const [major = 0, minor = 0, patch = 0] = found.slice(1, 4).map(Number)
  const prerelease = (found[4]?.split('.') ?? []).map((one) => (/^\d+$/.test(one) ? +one : one))
  const numbers = [major, minor, patch, ...prerelease.filter((one) => typeof one === 'number')]
  return numbers.every(Number.isSafeInteger) ? { major, minor, patch, prerelease } : undefined
}

export const printSemver = ({ major, minor, patch, prerelease }: Semver): string =>
  `${major}.${minor}.${patch}${prerelease.length === 0 ? '' : `-${prerelease.join('.')}`}`

/** Below zero where the first comes first (clause 11). */
export const compareSemver = (one: Semver, other: Semver): number =>
  compareCores(one, other) || comparePrereleases(one.prerelease, other.prerelease)

/** The same without what follows the dash. */
export const compareCores = (one: Semver, other: Semver): number =>
  one.major - other.major || one.minor - other.minor || one.patch - other.patch

/** What a change asks for, from the smallest on. */
export type Step = 'patch' | 'minor' | 'major'

/**
 * The version after. While major is 0 nothing is promised (clause 4), and what breaks raises minor, which `^0.1.0` keeps out as
 * well. A prerelease stays one: where its own numbers were raised by as much already, only its counter goes up.
 */
export const raise = (version: Semver, step: Step): Semver => {
  const { prerelease } = version
  const due = version.major === 0 && step === 'major' ? 'minor' : step
  if (prerelease.length > 0 && isRaised(version, due)) {
    return { ...version, prerelease: counted(prerelease) }
  }
  return {
    ...RAISED[due](version),
    prerelease: prerelease.length === 0 ? [] : restarted(prerelease),
  }
}

const RAISED: Readonly<Record<Step, (version: Semver) => Omit<Semver, 'prerelease'>>> = {
  major: ({ major }) => ({ major: major + 1, minor: 0, patch: 0 }),
  minor: ({ major, minor }) => ({ major, minor: minor + 1, patch: 0 }),
  patch: ({ major, minor, patch }) => ({ major, minor, patch: patch + 1 }),
}

/** Whether a prerelease is already one of a version that such a step leads to: 2.0.0-beta.1 of one that breaks. */
const isRaised = ({ minor, patch }: Semver, step: Step): boolean =>
  step === 'patch' || (patch === 0 && (step === 'minor' || minor === 0))

const counted = (prerelease: Semver['prerelease']): Semver['prerelease'] => {
  const at = prerelease.findLastIndex((one) => typeof one === 'number')
  if (at < 0) return [...prerelease, 1]
  return prerelease.map((one, index) => (index === at ? Number(one) + 1 : one))
}

const restarted = (prerelease: Semver['prerelease']): Semver['prerelease'] => {
  const at = prerelease.findLastIndex((one) => typeof one === 'number')
  return at < 0 ? [...prerelease, 1] : prerelease.map((one, index) => (index === at ? 1 : one))
}

/** A release comes after its prereleases; numbers come before texts, and fewer identifiers before more. */
const comparePrereleases = (one: Semver['prerelease'], other: Semver['prerelease']): number => {
  if (one.length === 0 || other.length === 0) return other.length - one.length
  for (const [index, mine] of one.entries()) {
    const theirs = other[index]
    if (theirs === undefined) return 1
    if (mine === theirs) continue
    if (typeof mine === typeof theirs) return mine < theirs ? -1 : 1
    return typeof mine === 'number' ? -1 : 1
  }
  return one.length - other.length
}

const IDENTIFIER = String.raw`(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)`
const NUMBER = String.raw`(0|[1-9]\d*)`
const WRITTEN = new RegExp(
  String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}(?:-(${IDENTIFIER}(?:\.${IDENTIFIER})*))?(?:\+[0-9A-Za-z.-]+)?$`,
)
