import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/report/formats.js'
import { folderOf, twinspec } from './command-line.js'

/** What a terminal obeys, but for tabs and line feeds. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Ends its line, begins one with good news, and clears a screen. */
const NAME =
  'pay\nno changes: safe to release\n::error::x\n# forged\n\u001b[2J\u009b31m\u2028\u001b[2J'

const FORGED = /^\s*(?:no changes: safe to release|::error::x|# forged)/m

/** Two back references are the same for nobody: a change between them cannot be decided. */
const version = (pattern: string, params: readonly object[] = []) =>
  JSON.stringify({
    openrpc: '1.3.2',
    info: { title: 'Payments', version: '1' },
    methods: ['first', 'second'].map((name) => ({
      name: `${name}${NAME}`,
      params: [{ name: NAME, schema: { $ref: '#/components/schemas/Code' } }, ...params],
      result: { name: 'done', schema: { type: 'boolean' } },
    })),
    components: { schemas: { Code: { type: 'string', pattern } } },
  })

/** HTML has no lines; hostile.e2e.test.ts reads its tags. */
const LINE_FORMATS = Object.keys(FORMATS).filter((name) => name !== 'html')

const plain = (...printed: readonly string[]) => {
  for (const text of printed) {
    expect(CONTROLS.exec(text)).toBeNull()
    expect(text).not.toMatch(FORGED)
  }
}

describe('a method whose name has line feeds and escape sequences begins no line', () => {
  it.each(LINE_FORMATS)('of diff as %s', async (format) => {
    const folder = await folderOf({
      'old.json': version('^(.+)\\1$'),
      'new.json': version('^(.+)\\1x$', [
        { name: `second${NAME}`, required: true, schema: { type: 'string' } },
      ]),
    })
    const { stdout, stderr } = await twinspec(
      ...['diff', '--openrpc', join(folder, 'new.json'), '--against', join(folder, 'old.json')],
      ...['--format', format, '--verbose'],
    )
    expect(stdout).toContain('undecided')
    plain(stdout, stderr)
  })

  it.each(LINE_FORMATS)('of lint as %s', async (format) => {
    const folder = await folderOf({ 'one.json': version('^a$') })
    const { stdout, stderr } = await twinspec(
      ...['lint', '--openrpc', join(folder, 'one.json'), '--format', format, '--verbose'],
    )
    expect(stdout).toContain('method-has-no-example')
    plain(stdout, stderr)
  })
})
