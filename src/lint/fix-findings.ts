import type { Finding } from '../model/finding.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { type MemberEdit, readEditable } from './edit-document.js'

/**
 * Fixes findings that have exactly one correct fix, and returns the changed files. Only these places change: comments, order
 * and layout stay. A file in which this is impossible is returned with a reason and without a text.
 */
export const fixFindings = (
  findings: readonly Finding[],
  read: (file: string) => string | undefined,
): readonly FixedFindings[] => {
  const fixes = findings.flatMap((finding) => {
    const fix = FIXES.get(finding.rule)
    return fix ? [{ finding, change: fix(segmentsOf(finding.location.pointer)) }] : []
  })
  const files = [...new Set(fixes.map(({ finding }) => finding.location.file))]
  return files.map((file): FixedFindings => {
    const own = distinct(fixes.filter(({ finding }) => finding.location.file === file))
    const fixed = own.map(({ finding: { location, rule }, change }) => ({
      location,
      rule,
      words: `${change.key}: ${change.value}`,
    }))
    const text = read(file)
    if (text === undefined) return { file, fixed, problem: 'it is no file that can be read' }
    const editable = readEditable(text)
    if (editable === undefined) return { file, fixed, problem: 'it cannot be parsed' }
    const changed = editable.change(own.map(({ change }) => change))
    return typeof changed === 'string'
      ? { file, fixed, text: changed }
      : { file, fixed, problem: 'its layout does not let single places be changed' }
  })
}

export type FixedFindings = {
  readonly file: string
  /** Each fixed place with a description of the fix. */
  readonly fixed: readonly (Pick<Finding, 'location' | 'rule'> & { readonly words: string })[]
} & ({ readonly text: string } | { readonly problem: string })

type Fix = (pointer: readonly string[]) => MemberEdit

/** For a finding at a member of the map. */
const setBeside =
  (key: string, value: unknown): Fix =>
  (pointer) => ({ path: pointer.slice(0, -1), key, value })

/** Rule -> fix. A rule with two possible fixes is missing, such as a duplicate value that may be a typo. */
const FIXES: ReadonlyMap<string, Fix> = new Map<string, Fix>([
  [
    'path-parameter-is-not-required',
    (pointer) => {
      const isAtKeyword = pointer.at(-1) === 'required'
      return { path: isAtKeyword ? pointer.slice(0, -1) : pointer, key: 'required', value: true }
    },
  ],
  ['sunset-has-no-deprecation', setBeside('deprecated', true)],
])

export const FIXED_RULES: readonly string[] = [...FIXES.keys()]

/** Several operations may use one parameter. */
const distinct = <T extends { readonly change: MemberEdit }>(fixes: readonly T[]): readonly T[] => [
  ...new Map(fixes.map((fix) => [JSON.stringify(fix.change), fix])).values(),
]
