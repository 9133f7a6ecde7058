import type { HttpOperation, Pages } from '../operation.js'
import { itemsOf, nextPage, type PageRead } from '../shared/pages.js'
import type { CallOptions } from './call.js'
import type { AnyInput } from './request.js'

/** What a call of an operation with pages has beside the call itself: `pages` and `items`. */
export const createPages = (
  { parameters }: HttpOperation,
  pages: Pages,
  send: (input: AnyInput, options?: CallOptions) => Promise<PageRead>,
) => {
  async function* read(given: AnyInput = {}, options?: CallOptions) {
    let input = given
    for (;;) {
      const page = await send(input, options)
      yield page
      const next = nextPage(pages, page, (name) => input[placeOf(name)]?.[name])
      if (next === undefined) return
      for (const [name, value] of Object.entries(next)) {
        const place = placeOf(name)
        input = { ...input, [place]: { ...input[place], [name]: value } }
      }
    }
  }
  const placeOf = (name: string) => parameters.find((one) => one.name === name)?.in ?? 'query'
  return {
    pages: async function* (input?: AnyInput, options?: CallOptions) {
      for await (const { body } of read(input, options)) yield body
    },
    items: async function* (input?: AnyInput, options?: CallOptions) {
      for await (const page of read(input, options)) yield* itemsOf(pages, page)
    },
  }
}
