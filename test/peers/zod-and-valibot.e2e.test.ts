import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, snippetsOf, whySkipped } from './project.js'

describe.each(['oldest', 'newest'] as const)('docs/zod-and-valibot.md, with the %s', (packages) => {
  const skipped = whySkipped(packages)
  if (skipped) console.warn(`test/peers/zod-and-valibot.e2e.test.ts: ${skipped}`)

  describe.skipIf(skipped)('versions of the libraries', () => {
    let project: Awaited<ReturnType<typeof createProject>>
    let files: ReadonlyMap<string, string>
    beforeAll(async () => {
      project = await createProject({ plugins: 'zod,valibot', packages })
      files = new Map(
        snippetsOf('zod-and-valibot.md').map(({ title, text }) => [
          title,
          project.write(`${title}.ts`, text),
        ]),
      )
    })
    afterAll(() => project?.remove())

    it('every snippet compiles under all strict flags', () => {
      expect(project.errorsOf([...files.values()])).toEqual([])
    })

    it('every snippet runs', async () => {
      const printed = [...files].map(async ([title, file]) => [title, await project.run(file)])
      const wanted = ['Ada', 'customer: must have at least 3 characters, has 1', 'false 7']
      expect(Object.fromEntries(await Promise.all(printed))).toEqual({
        Zod: wanted,
        Valibot: wanted,
      })
    })
  })
})
