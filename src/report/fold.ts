import type { Finding } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'

/** Findings of one level and cause, the one to show first. */
export type FindingKind = { readonly first: Finding; readonly findings: readonly Finding[] }

/** Groups findings by their cause, in the order of their first occurrence. A finding without one is a group of its own. */
export const foldFindings = (findings: readonly Finding[]): readonly FindingKind[] => {
  const kinds = grouped(findings, (one) =>
    one.cause === undefined ? one : `${one.level} ${one.cause}`,
  )
  return [...kinds.values()].flatMap((all) => {
    const [first] = all
    return first ? [{ first, findings: all }] : []
  })
}

/** One finding for each cause, which names the other places. */
export const foldedFindings = (findings: readonly Finding[]): readonly Finding[] =>
  foldFindings(findings).map(({ first, findings: [, ...others] }) =>
    others.length === 0
      ? first
      : {
          ...first,
          details: [...(first.details ?? []), { label: 'also in:', words: placesOf(others) }],
        },
  )

/** `12 places: eth_call, eth_getLogs, … and 8 other operations`. */
const placesOf = (findings: readonly Finding[]): string => {
  const names = [...new Set(findings.flatMap(({ operations = ['the protocol'] }) => operations))]
  const places = `${findings.length} ${findings.length === 1 ? 'place' : 'places'}`
  const others = names.length > FEW ? [`${names.length - FEW} other operations`] : []
  return `${places}: ${[...names.slice(0, FEW), ...others].join(', ')}`
}

const FEW = 6
