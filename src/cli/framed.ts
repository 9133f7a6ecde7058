import type { Finding } from '../model/finding.js'
import { codeFrame, createLines } from './code-frame.js'
import { findingLine } from './report.js'

/** Findings with the lines that they are about; of each rule no more than `perRule`, and how many there are besides. */
export const framed = (
  findings: readonly Finding[],
  { coloured, perRule = Number.POSITIVE_INFINITY, hint = '' }: FramedOptions,
): readonly string[] => {
  const lines = createLines()
  const counts = new Map<string, number>()
  const said = findings.flatMap((finding) => {
    const count = (counts.get(finding.rule) ?? 0) + 1
    counts.set(finding.rule, count)
    if (count > perRule) return []
    const frame = codeFrame(finding.location, { coloured, lines })
    return [findingLine(finding, coloured), ...(frame === '' ? [] : [frame])]
  })
  const rest = [...counts].flatMap(([rule, count]) =>
    count > perRule ? [`… and ${count - perRule} more ${rule}${hint}`] : [],
  )
  return [...said, ...rest]
}

export type FramedOptions = {
  readonly coloured: boolean
  readonly perRule?: number
  /** How to see the rest. */
  readonly hint?: string
}

/** Of each rule, unless more is asked for. */
export const PER_RULE = 10
