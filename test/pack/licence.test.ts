import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { licenceId, writeLicence } from '../../src/pack/licence.js'
import { cpuClock } from '../cpu-time.js'

it.each([
  [{ name: 'MIT' }, 'MIT'],
  [{ name: 'MIT License' }, 'MIT'],
  [{ name: 'Apache 2.0' }, 'Apache-2.0'],
  [{ name: 'Apache License, Version 2.0' }, 'Apache-2.0'],
  [{ name: 'Ours', identifier: 'MPL-2.0' }, 'MPL-2.0'],
  [{ name: 'BSD' }, 'BSD-2-Clause'],
  [{ name: 'BSD 3-Clause License' }, 'BSD-3-Clause'],
  [{ name: 'Proprietary' }, 'UNLICENSED'],
  [{ name: 'See our terms of use' }, 'SEE LICENSE IN LICENSE'],
  [{ name: 'Internal' }, 'SEE LICENSE IN LICENSE'],
  [undefined, 'UNLICENSED'],
  [{}, 'UNLICENSED'],
  [{ name: 7 }, 'UNLICENSED'],
  ['GPL-3.0-or-later', 'GPL-3.0-or-later'],
  ['MIT OR Apache-2.0', 'MIT OR Apache-2.0'],
  ['(MIT OR Apache-2.0)', '(MIT OR Apache-2.0)'],
  ['GPL-2.0-only WITH Classpath-exception-2.0', 'GPL-2.0-only WITH Classpath-exception-2.0'],
  ['', 'UNLICENSED'],
])('reads %j as %s', (given, want) => {
  expect(licenceId(given)).toBe(want)
})

it('reads a licence of any length fast', () => {
  const used = cpuClock()
  expect(licenceId(`a${'-1'.repeat(100_000)}!`)).toBe('SEE LICENSE IN LICENSE')
  expect(licenceId(`${'a-0-0 AND '.repeat(90)}!`)).toBe('SEE LICENSE IN LICENSE')
  expect(used()).toBeLessThan(2_000)
})

const textOf = (id: string) => writeLicence({ id, holder: 'Acme $& Sons', year: 2026 })

it('writes MIT word for word', () => {
  const ours = readFileSync(join(import.meta.dirname, '../../LICENSE'), 'utf8')
  expect(textOf('MIT')).toBe(ours.replace(/Copyright .*/, () => 'Copyright (c) 2026 Acme $& Sons'))
})

it.each([
  ['ISC', /^ISC License\n\nCopyright \(c\) 2026 Acme \$& Sons\n\nPermission to use, copy/],
  ['BSD-2-Clause', /Redistributions in binary form(?![\s\S]*endorse)/],
  ['BSD-3-Clause', /Redistributions in binary form[\s\S]*endorse/],
  [
    'Apache-2.0',
    /^Copyright \(c\) 2026 Acme \$& Sons\n\nLicensed under the Apache License, Version 2\.0/,
  ],
  ['UNLICENSED', /^Copyright \(c\) 2026 Acme \$& Sons\nAll rights reserved\./],
  [
    'MPL-2.0',
    /SPDX-License-Identifier: MPL-2\.0\n\n.*\nhttps:\/\/spdx\.org\/licenses\/MPL-2\.0\.html\n$/,
  ],
  [
    'MIT OR Apache-2.0',
    /\nhttps:\/\/spdx\.org\/licenses\/MIT\.html\nhttps:\/\/www\.apache\.org\/licenses\/LICENSE-2\.0\n$/,
  ],
  ['SEE LICENSE IN LICENSE', /name a licence without an SPDX identifier\.\n$/],
])('writes a text for %s', (id, want) => {
  expect(textOf(id)).toMatch(want)
  expect(textOf(id)).not.toContain('NOTICE')
})

it('adds no line from the name of the holder', () => {
  const text = writeLicence({ id: 'ISC', holder: 'Acme\n\nAll rights reserved.', year: 2026 })
  expect(text).toContain('Copyright (c) 2026 Acme All rights reserved.\n')
})
