import { readFileSync } from 'node:fs'
import { inOneLine } from '../text/escape.js'

/**
 * The text of LICENSE for the `license` in package.json. Short licences are complete; for others, the file has
 * the id and the address of the text.
 */
export const writeLicence = ({ id, holder, year }: LicenceInput): string => {
  const notice = `Copyright (c) ${year} ${inOneLine(holder)}`
  if (WITH_TEXT.includes(id)) {
    const text = readFileSync(new URL(`licences/${id}.txt`, import.meta.url), 'utf8')
    return text.replace('{{notice}}', () => notice)
  }
  return `${notice}\n\nSPDX-License-Identifier: ${id}\n\n${referred(id)}\n`
}

/** SPDX's texts of all licences are 10 MB; `licences/` contains these. */
const WITH_TEXT = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'UNLICENSED']

export type LicenceInput = {
  /** An SPDX id or expression, or UNLICENSED: the result of `licenceId`. */
  readonly id: string
  /** The copyright holder: the name in `info.contact`, or the authors of the package. */
  readonly holder: string
  readonly year: number
}

/**
 * The `license` of package.json, from `info.license` or `--license`: an SPDX id or expression in its official spelling, or
 * UNLICENSED without one. Any other text becomes npm's form for it. `identifier` (OpenAPI 3.1) takes precedence.
 */
export const licenceId = (
  field: { readonly name?: unknown; readonly identifier?: unknown } | string | undefined,
): string => {
  const words =
    typeof field === 'string' ? field : (text(field?.identifier) ?? text(field?.name) ?? '')
  const plain = words.trim()
  if (plain === '') return 'UNLICENSED'
  const usual = USUAL_NAMES.find(([pattern]) => pattern.test(plain))
  if (usual) return usual[1]
  const isExpression = plain.length <= LONGEST && plain.split(OPERATOR).every(isId)
  return isExpression ? plain : 'SEE LICENSE IN LICENSE'
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Usual spellings in documents, where `name` is free text. */
const USUAL_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:the )?mit(?: licen[cs]e)?$/i, 'MIT'],
  [/^(?:the )?isc(?: licen[cs]e)?$/i, 'ISC'],
  [
    /^(?:the )?apache(?: licen[cs]e)?[ ,-]*(?:v(?:ersion)? ?)?2(?:\.0)?(?: licen[cs]e)?$/i,
    'Apache-2.0',
  ],
  [/^(?:the )?(?:bsd[ -]?3(?:[ -]clause)?|3-clause bsd|new bsd)(?: licen[cs]e)?$/i, 'BSD-3-Clause'],
  [
    /^(?:the )?(?:bsd[ -]?2(?:[ -]clause)?|2-clause bsd|simplified bsd)(?: licen[cs]e)?$/i,
    'BSD-2-Clause',
  ],
  // Like npm.
  [/^(?:the )?bsd(?: licen[cs]e)?$/i, 'BSD-2-Clause'],
  [/^(?:unlicensed|proprietary|all rights reserved|none)$/i, 'UNLICENSED'],
]

/** Most ids end in a version: GPL-3.0-or-later, MPL-2.0, CC-BY-4.0. The others do not. */
const ID =
  /^\(?(?:[A-Za-z][A-Za-z0-9.+]*(?:-[A-Za-z.+][A-Za-z0-9.+]*)*-\d[A-Za-z0-9.+-]*|MIT(?:-0)?|ISC|0BSD|Zlib|Unlicense|BlueOak-1\.0\.0|WTFPL|X11)\)?$/

/** LLVM-exception */
const EXCEPTION = /^\(?[A-Za-z]+-[a-z][a-z0-9.-]*\)?$/

const isId = (text: string): boolean =>
  ID.test(text) || (EXCEPTION.test(text) && text.includes('exception'))

const OPERATOR = / (?:AND|OR|WITH) /

/** The characters of the longest licence that a package.json should have. */
const LONGEST = 1000

const referred = (id: string): string => {
  if (id === 'SEE LICENSE IN LICENSE')
    return 'The documents of the service name a licence without an SPDX identifier.'
  const ids = id.split(/ (?:AND|OR|WITH) |[()]/).filter((one) => one !== '')
  return `This package is licensed under ${id}. The text is kept at\n${ids.map(addressOf).join('\n')}`
}

const addressOf = (id: string): string =>
  id === 'Apache-2.0'
    ? 'https://www.apache.org/licenses/LICENSE-2.0'
    : `https://spdx.org/licenses/${encodeURIComponent(id)}.html`
