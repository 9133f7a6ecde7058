import type { Verdict } from '../conform/conform.js'
import { terminalLine } from '../model/escape.js'

/** How much of the documents was covered, which choices the server makes, and what was not tested. */
export const gapLines = (
  verdict: Verdict,
  { verbose, title }: { readonly verbose: boolean; readonly title: (words: string) => string },
): readonly string[] => {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['covered', coverageLines(verdict, verbose)],
    ['never covered', neverCovered(verdict)],
    ['not offered by the server', verdict.notOffered],
    ['values taken from responses', inferredLines(verdict)],
    ['choices of the server where a clause leaves one', choiceLines(verdict, verbose)],
    ['not tested', skippedLines(verdict, verbose)],
  ]
  return sections.flatMap(([words, lines]) =>
    lines.length === 0 ? [] : [title(words), ...lines.map((line) => terminalLine(`  ${line}`)), ''],
  )
}

const coverageLines = ({ coverage }: Verdict, verbose: boolean): readonly string[] =>
  coverage.flatMap(({ kind, declared, met }) => {
    const part = met.length / declared.length
    const full =
      met.length === declared.length ? WIDTH : Math.min(WIDTH - 1, Math.ceil(part * WIDTH))
    const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
    const count = `${String(met.length).padStart(5)} of ${String(declared.length).padEnd(5)}`
    const missed = declared.filter((name) => !met.includes(name))
    return [
      `${plural(kind).padEnd(12)} ${bar} ${count} ${percent(part)}`,
      ...(verbose && missed.length > 0 && kind !== 'operation'
        ? [`  not covered: ${missed.join(', ')}`]
        : []),
    ]
  })

/** Operations without one documented success, by name. Those that the server does not offer are listed apart. */
const neverCovered = ({ coverage, notOffered }: Verdict): readonly string[] =>
  coverage
    .filter(({ kind }) => kind === 'operation')
    .flatMap(({ declared, met }) => declared.filter((name) => !met.includes(name)))
    .filter((name) => !notOffered.includes(name))

const inferredLines = ({ inferred }: Verdict): readonly string[] =>
  inferred.map(({ operation, parameter, from }) => `${operation}: ${parameter} from ${from}`)

/** `statuses`. */
export const plural = (kind: string): string => (kind.endsWith('s') ? `${kind}es` : `${kind}s`)

const WIDTH = 20

/** All of it is said of all of it alone. */
export const percent = (part: number): string => `${Math.floor(part * 100)} %`.padStart(5)

const choiceLines = ({ choices }: Verdict, verbose: boolean): readonly string[] => {
  const rows = Object.entries(choices)
  if (rows.length === 0) return []
  if (!verbose) return [`${rows.length} choices were seen (--verbose lists them)`]
  const width = Math.max(...rows.map(([choice]) => choice.length))
  return rows.map(([choice, way]) => `${choice.padEnd(width)}  ${way}`)
}

const skippedLines = ({ notTested, notOffered }: Verdict, verbose: boolean): readonly string[] => {
  // What is listed apart is not listed again.
  const others = notTested.flatMap(({ what, ...rest }) => {
    const names = what.filter((name) => !notOffered.includes(name))
    return names.length === 0 ? [] : [{ ...rest, what: names }]
  })
  const sorted = others.toSorted(
    (a, b) =>
      Number(b.isPart ?? false) - Number(a.isPart ?? false) || b.what.length - a.what.length,
  )
  if (verbose)
    return sorted.flatMap(({ what, why }) => [`${why}:`, ...what.map((name) => `  ${name}`)])
  const shown = sorted.slice(0, MOST)
  const rest = sorted.slice(MOST)
  const more = rest.reduce((sum, { what }) => sum + what.length, 0)
  return [
    ...shown.map(({ what, why }) => {
      const [first = ''] = what
      return what.length === 1 ? `${first}: ${why}` : `${first} and ${what.length - 1} more: ${why}`
    }),
    ...(rest.length > 0
      ? [
          `… and ${more} more for ${rest.length === 1 ? 'another reason' : `${rest.length} other reasons`} (--verbose lists them)`,
        ]
      : []),
  ]
}

const MOST = 8
