import type { HttpOperation, Pages } from '../operation.js'
import { type PageRead, pageItems, pageTurner } from '../shared/pages.js'
import type { CallOptions } from './call.js'
import type { Failures } from './failure.js'
import type { AnyInput } from './request.js'

/** The additional members of an operation with pages: `pages` and `items`. */
export const createPages = (
  operation: HttpOperation,
  pages: Pages,
  send: SendPage,
  { call: fail }: Failures,
) => {
  async function* read(start: AnyInput = {}, options?: CallOptions) {
    const turn = pageTurner(pages, (text) => fail('invalid-answer', text))
    let input = start
    for (;;) {
      const page = await send(input, options)
      yield page
      const next = turn(page, (name) => parameterOf(operation, input, name))
      if (next === undefined) return
      input = withParameters(operation, input, next)
    }
  }
  return {
    pages: async function* (input?: AnyInput, options?: CallOptions) {
      for await (const { body } of read(input, options)) yield body
    },
    items: async function* (input?: AnyInput, options?: CallOptions) {
      for await (const page of read(input, options)) yield* pageItems(pages, page)
    },
  }
}

export type SendPage = (input: AnyInput, options?: CallOptions) => Promise<PageRead>

export const parameterOf = (operation: HttpOperation, input: AnyInput, name: string): unknown =>
  input[placeOf(operation, name)]?.[name]

export const withParameters = (
  operation: HttpOperation,
  start: AnyInput,
  next: Readonly<Record<string, unknown>>,
): AnyInput => {
  let input = start
  for (const [name, value] of Object.entries(next)) {
    const place = placeOf(operation, name)
    input = { ...input, [place]: { ...input[place], [name]: value } }
  }
  return input
}

const placeOf = ({ parameters }: HttpOperation, name: string) =>
  parameters.find((one) => one.name === name)?.in ?? 'query'
