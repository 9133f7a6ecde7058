import { isUndecided } from '../diff/gather.js'
import type { Finding } from '../model/finding.js'
import { shortValue } from './short-value.js'

/** What is known of a finding beside its sentence, each in one line. */
export const details = ({
  before,
  witness,
  advice,
  consequences = [],
  details: others = [],
}: Known): readonly Detail[] => [
  ...(before
    ? [{ label: 'before:', words: `${before.file}:${before.line}:${before.column}` }]
    : []),
  ...(witness ? [{ label: 'shown by:', words: shortened(shortValue(witness.value)) }] : []),
  ...(advice !== undefined ? [{ label: 'instead:', words: advice }] : []),
  ...others,
  ...followed(consequences),
]

/** What follows from the same cause: the first few, and how many there are besides. */
const followed = (consequences: readonly Finding[]): readonly Detail[] => {
  const shown = consequences.slice(0, MOST_FOLLOWED)
  const more = consequences.length - shown.length
  return [
    ...shown.map(({ message }) => ({ label: 'follows:', words: message })),
    ...(more > 0 ? [{ label: 'follows:', words: `… and ${more} more (json has all)` }] : []),
  ]
}

const MOST_FOLLOWED = 3

/** The operations of a finding, where neither its message nor its details name them all. */
export const operationsOf = ({
  rule,
  operations = [],
}: Pick<Finding, 'rule' | 'operations'>): readonly Detail[] =>
  operations.length < 2 || isUndecided({ rule })
    ? []
    : [{ label: 'met by:', words: operations.join(', ') }]

export type Detail = { readonly label: string; readonly words: string }

type Known = {
  readonly [key in 'before' | 'witness' | 'advice' | 'details' | 'consequences']?:
    | Finding[key]
    | undefined
}

/** What is long even so is cut; it stands whole in `json`. */
const shortened = (words: string): string =>
  words.length <= LONGEST ? words : `${words.slice(0, LONGEST)}…`

const LONGEST = 400
