/**
 * The text of LICENSE, for what package.json says under `license`. Short texts stand whole; of other licences the file names
 * the id and where its text is kept.
 */
export const writeLicence = ({ id, holder, year }: LicenceInput): string => {
  const notice = `Copyright (c) ${year} ${holder}`
  const text = TEXTS.get(id)
  if (text !== undefined) return `${text.replace('NOTICE', () => notice).trim()}\n`
  return `${notice}\n\nSPDX-License-Identifier: ${id}\n\n${referred(id)}\n`
}

export type LicenceInput = {
  /** An SPDX id or expression, or UNLICENSED: what `licenceId` gives. */
  readonly id: string
  /** Who holds the copyright: whom `info.contact` names, or the authors of the package. */
  readonly holder: string
  readonly year: number
}

/**
 * What package.json says under `license`, of `info.license` or of `--license`: an SPDX id or expression in its own spelling,
 * UNLICENSED where none is named, and the words that npm has for any other text. `identifier` (OpenAPI 3.1) wins.
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

/** The BSD licences are one text, with or without a third condition. */
const bsd = (title: string, third = ''): string => `${title}

NOTICE
All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted
provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions
   and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of
   conditions and the following disclaimer in the documentation and/or other materials provided
   with the distribution.
${third}
THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR
IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR
CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER
IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT
OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`

/** Licences by their SPDX ids, word for word; NOTICE is where the line about the copyright goes. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  [
    'MIT',
    `MIT License

NOTICE

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`,
  ],
  [
    'ISC',
    `ISC License

NOTICE

Permission to use, copy, modify, and/or distribute this software
for any purpose with or without fee is hereby granted, provided
that the above copyright notice and this permission notice
appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES
OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE
LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES
OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
  ],
  ['BSD-2-Clause', bsd('BSD 2-Clause License')],
  [
    'BSD-3-Clause',
    bsd(
      'BSD 3-Clause License',
      `
3. Neither the name of the copyright holder nor the names of its contributors may be used to
   endorse or promote products derived from this software without specific prior written
   permission.
`,
    ),
  ],
  [
    'Apache-2.0',
    `NOTICE

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.`,
  ],
  [
    'UNLICENSED',
    `NOTICE
All rights reserved.

Nobody is given leave to use, copy, change or pass on this package, but by an agreement in writing
with the copyright holder.`,
  ],
])
