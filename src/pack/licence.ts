import { readFileSync } from 'node:fs'

/**
 * The text of LICENSE, for what package.json says under `license`. Short texts stand whole; of other licences the file names
 * the id and where its text is kept.
 */
export const writeLicence = ({ id, holder, year }: LicenceInput): string => {
  const notice = `Copyright (c) ${year} ${holder}`
  if (WITH_TEXT.includes(id)) {
    const text = readFileSync(new URL(`licences/${id}.txt`, import.meta.url), 'utf8')
    return text.replace('{{notice}}', () => notice)
  }
  return `${notice}\n\nSPDX-License-Identifier: ${id}\n\n${referred(id)}\n`
}

/** SPDX's own texts of all licences are 10 MB; these are the ones in `licences/`. */
const WITH_TEXT = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'UNLICENSED']

export type LicenceInput = {
  /** An SPDX id or expression, or UNLICENSED: what `licenceId` gives. */
  readonly id: string
  /** Who holds the copyright: whom `info.contact` names, or the authors of the package. */
  readonly holder: string
  readonly year: number
}

/**
 * The `license` of package.json, from `info.license` or `--license`: an SPDX id or expression in its official
 * spelling, or UNLICENSED if none is named. Any other text becomes npm's form for it. `identifier` (OpenAPI 3.1)
 * wins.
 */
export const licenceId = (
  given: { readonly name?: unknown; readonly identifier?: unknown } | string | undefined,
): string => {
  const words =
    typeof given === 'string' ? given : (text(given?.identifier) ?? text(given?.name) ?? '')
  const plain = words.trim()
  if (plain === '') return 'UNLICENSED'
  const usual = USUAL_NAMES.find(([pattern]) => pattern.test(plain))
  if (usual) return usual[1]
  return EXPRESSION.test(plain) ? plain : 'SEE LICENSE IN LICENSE'
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** As documents write them, where `name` is words for people. */
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
  // As npm reads it.
  [/^(?:the )?bsd(?: licen[cs]e)?$/i, 'BSD-2-Clause'],
  [/^(?:unlicensed|proprietary|all rights reserved|none)$/i, 'UNLICENSED'],
]

/** Most ids end in a version: GPL-3.0-or-later, MPL-2.0, CC-BY-4.0. These do not. */
const ID = String.raw`\(?(?:[A-Za-z][A-Za-z0-9.+]*(?:-[A-Za-z0-9.+]+)*-\d[A-Za-z0-9.+-]*|MIT(?:-0)?|ISC|0BSD|Zlib|Unlicense|BlueOak-1\.0\.0|WTFPL|X11|[A-Za-z]+-[a-z-]*exception[a-z0-9.-]*)\)?`

const EXPRESSION = new RegExp(`^${ID}(?: (?:AND|OR|WITH) ${ID})*$`)

const referred = (id: string): string => {
  if (id === 'SEE LICENSE IN LICENSE')
    return 'The documents of the service name a licence that has no identifier of SPDX.'
  const ids = id.split(/ (?:AND|OR|WITH) |[()]/).filter((one) => one !== '')
  return `This package is licensed under ${id}. The text is kept at\n${ids.map(addressOf).join('\n')}`
}

const addressOf = (id: string): string =>
  id === 'Apache-2.0'
    ? 'https://www.apache.org/licenses/LICENSE-2.0'
    : `https://spdx.org/licenses/${encodeURIComponent(id)}.html`
