import type { Finding } from '../model/finding.js'

/** What is known of a finding beside its sentence, each in one line. */
export const details = ({ before, witness, advice }: Known): readonly Detail[] => [
  ...(before
    ? [{ label: 'before:', words: `${before.file}:${before.line}:${before.column}` }]
    : []),
  ...(witness ? [{ label: 'shown by:', words: shortened(JSON.stringify(witness.value)) }] : []),
  ...(advice !== undefined ? [{ label: 'instead:', words: advice }] : []),
]

export type Detail = { readonly label: string; readonly words: string }

type Known = { readonly [key in 'before' | 'witness' | 'advice']?: Finding[key] | undefined }

/** A witness is small; one that cannot be is cut, and stands whole in `json`. */
const shortened = (json: string): string =>
  json.length <= LONGEST ? json : `${json.slice(0, LONGEST)}…`

const LONGEST = 400
