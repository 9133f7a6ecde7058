import { CallError } from '../errors.js'
import type { RpcOperation } from '../operation.js'
import { isObject } from '../shared/json.js'
import { type PageItem, pageItems, pageTurner } from '../shared/pages.js'
import type { Method, MethodType } from './caller.js'

/** A method with `x-pagination`. The options of a call are those of the client: `client.with({ signal }).method.items(…)`. */
export type PagedMethod<M extends MethodType, Path extends readonly string[]> = Method<M> & {
  /** The result of each page, from the page of these params on. */
  readonly pages: (...params: Parameters<Method<M>>) => AsyncIterable<M['result']>
  /** Each item of all pages. */
  readonly items: (...params: Parameters<Method<M>>) => AsyncIterable<PageItem<M['result'], Path>>
}

type Call = (...args: readonly unknown[]) => Promise<unknown>

/** Adds `pages` and `items` to the methods with pages. Generated clients with such methods pass it to `createRpc`. */
export const addPages = (
  methods: Readonly<Record<string, Call>>,
  operations: Readonly<Record<string, RpcOperation>>,
): void => {
  for (const [id, operation] of Object.entries(operations)) {
    const call = methods[id]
    const { method, pages } = operation
    if (call === undefined || pages === undefined) continue
    const fail = (text: string) =>
      new CallError({
        reason: 'invalid-answer',
        operation: method,
        message: `${method}: ${text}`,
      })
    const read = async function* (...args: readonly unknown[]) {
      const turn = pageTurner(pages, fail)
      let params = args
      for (;;) {
        const page = { body: await call(...params) }
        yield page
        const next = turn(page, (name) => paramOf(operation, params, name))
        if (next === undefined) return
        params = withParams(operation, params, next)
      }
    }
    Object.assign(call, {
      pages: async function* (...args: readonly unknown[]) {
        for await (const { body } of read(...args)) yield body
      },
      items: async function* (...args: readonly unknown[]) {
        for await (const page of read(...args)) yield* pageItems(pages, page)
      },
    })
  }
}

export const paramOf = (
  operation: RpcOperation,
  args: readonly unknown[],
  name: string,
): unknown => {
  const { params } = operation
  if (operation.paramStructure !== 'by-name')
    return args[params.findIndex((one) => one.name === name)]
  const [named] = args
  return isObject(named) ? named[name] : undefined
}

export const withParams = (
  operation: RpcOperation,
  args: readonly unknown[],
  next: Readonly<Record<string, unknown>>,
): readonly unknown[] => {
  const { params } = operation
  if (operation.paramStructure === 'by-name') return [{ ...Object(args[0]), ...next }]
  return params.map(({ name }, index) => (Object.hasOwn(next, name) ? next[name] : args[index]))
}
