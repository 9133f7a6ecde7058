import { expect, it } from 'vitest'
import { findingsOf, http } from './lint-documents.js'

const VARIANT = { request: { $ref: '#/components/schemas/Text' }, responses: [] }
const withVariants = (key: string) =>
  http({ [key]: { text: VARIANT } }, { schemas: { Text: { type: 'string' } } }, 'post')

it('extension-name-outdated', async () => {
  expect(
    await findingsOf('extension-name-outdated', withVariants('x-forms')),
  ).toMatchInlineSnapshot(`
    [
      "note /paths/~1a/post/x-forms x-forms is now called x-variants",
    ]
  `)
  expect(await findingsOf('extension-name-outdated', withVariants('x-variants'))).toEqual([])
})
