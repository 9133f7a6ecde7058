import { join } from 'node:path'
import { getResponse, type RequestHandler } from 'msw'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'

const document = `openapi: 3.2.0
info: { title: Words, version: '1' }
servers: [{ url: 'http://api.example' }]
paths:
  /words:
    get:
      operationId: readWords
      responses:
        '200':
          description: Words.
          content:
            text/event-stream:
              itemSchema: { type: object, required: [word], properties: { word: { type: string } } }
              example: [{ word: one }, { word: two }]
`

type Mock = {
  readonly createHandlers: (options: { readonly overrides: object }) => readonly RequestHandler[]
}

it('an MSW override of a stream is a list of its items, which are validated', async () => {
  const folder = await folderOf({ 'api.yaml': document })
  const out = join(folder, 'out')
  const flags = ['--openapi', join(folder, 'api.yaml'), '--out', out, '--with', 'msw']
  expect((await twinspec('generate', ...flags)).code).toBe(0)
  const { createHandlers } = await importFile<Mock>(out, 'msw.ts')
  const read = async (overrides: object) => {
    const handlers = [...createHandlers({ overrides })]
    const request = () => new Request('http://api.example/words')
    const texts = []
    for (let count = 0; count < 2; count++)
      texts.push(await (await getResponse(handlers, request()))?.text())
    return texts
  }
  const stream = (...words: readonly string[]) =>
    words.map((word) => `data: {"word":"${word}"}\n\n`).join('')
  const other = { status: 200, body: [{ word: 'one' }, { word: 'other' }] }
  const whole = stream('one', 'other')
  expect(await read({ readWords: other })).toEqual([whole, whole])
  let count = 0
  const first = () => (count++ === 0 ? other : undefined)
  expect(await read({ readWords: first })).toEqual([whole, stream('one', 'two')])
  const wrong = { status: 200, body: [{ word: 'one' }, {}] }
  await expect(read({ readWords: wrong })).rejects.toThrow('item 2 of the override')
})
