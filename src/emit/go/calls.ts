import type { Operation } from '../../model/api.js'
import { isStreamed } from '../../model/streams.js'
import { goString } from '../../text/escape.js'
import type { CallValues } from '../languages/call-values.js'
import { goLiteral, type LiteralContext, qualified } from './literals.js'
import type { GoMethod } from './methods.js'
import type { GoPackage } from './package.js'

/** Writes calls of the clients of a module. */
export type GoCalls = {
  readonly module: string
  /** The name of the package. */
  readonly name: string
  /** `GetOrder(ctx, "17")`; undefined if a value that the method requires is not known, or has no literal. */
  readonly callOf: (operation: Operation, values: CallValues) => GoCall | undefined
  /** A client with placeholders for credentials: `orders.NewHTTPClient("", orders.WithAPIKey("YOUR_API_KEY"))`. */
  readonly clientOf: (
    kind: Operation['kind'],
    options: { readonly server: string | undefined; readonly secrets: readonly string[] },
  ) => string
}

/** A call of a client. */
export type GoCall = { readonly text: string; readonly returns: GoMethod['returns'] }

export const createGoCalls = ({ module, name, types, methods, options }: GoPackage): GoCalls => {
  const context = { name, shapes: types.shapes }
  return {
    module,
    name,
    callOf: (operation, values) => {
      const all = methods.get(operation.id) ?? []
      const isStream = operation.kind === 'http' && isStreamed(operation, values.get('body'))
      const fitting = all.filter(
        ({ returns }) => (returns === 'stream') === isStream || all.length === 1,
      )
      for (const method of fitting) {
        const call = callText(method, values, context)
        if (call !== undefined) return { text: call, returns: method.returns }
      }
      return undefined
    },
    clientOf: (kind, { server, secrets }) => {
      const constant = server === undefined ? undefined : options.servers.get(server)
      const own = options.credentials.filter((one) => secrets.includes(one.name))
      const args = [
        constant === undefined ? goString(server ?? '') : `${name}.${constant}`,
        ...own.map(({ option, isBasic }) => {
          const what = option.replace(/^With/, '').replace(/(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})/gu, '_')
          const given = isBasic ? ['YOU', 'YOUR_PASSWORD'] : [`YOUR_${what.toUpperCase()}`]
          return `${name}.${option}(${given.map(goString).join(', ')})`
        }),
      ]
      return `${name}.New${kind === 'http' ? 'HTTP' : 'RPC'}Client(${args.join(', ')})`
    },
  }
}

const callText = (
  { name, args, contentType }: GoMethod,
  values: CallValues,
  context: LiteralContext,
): string | undefined => {
  const wanted = values.get('contentType')
  const isRange = contentType?.includes('*') === true
  if (wanted !== undefined && !isRange && wanted !== contentType) return undefined
  if (wanted === undefined && values.has('body') && args.every(({ slot }) => slot !== 'body'))
    return undefined
  const texts = args.map(({ type, slot }) => {
    if (slot === 'params') return paramsText(type, values, context)
    const value = values.get(slot)
    return value === undefined ? absent(type, context) : goLiteral(value, type, context)
  })
  if (texts.includes(undefined)) return undefined
  const more =
    isRange && wanted !== undefined
      ? [`${context.name}.WithContentType(${goString(String(wanted))})`]
      : []
  return `${name}(${['ctx', ...texts, ...more].join(', ')})`
}

/** An argument that is omitted; undefined if its type has no such value. */
const absent = (type: string, context: LiteralContext): string | undefined => {
  if (type.startsWith('Null[')) return `${qualified(type, context)}{}`
  if (/^(\*|\[\]|map\[|any$|io\.Reader$)/.test(type)) return 'nil'
  const shape = context.shapes.get(type)
  if (shape?.kind === 'union') return 'nil'
  return shape?.kind === 'named' ? absent(shape.of, context) : undefined
}

const paramsText = (
  type: string,
  values: CallValues,
  context: LiteralContext,
): string | undefined => {
  const shape = context.shapes.get(type)
  if (shape?.kind !== 'struct') return undefined
  const fields = [...shape.fields].flatMap(([slot]) =>
    values.has(slot) ? [[slot, values.get(slot)] as const] : [],
  )
  const isWhole = [...shape.fields].every(([slot, one]) => !one.isRequired || values.has(slot))
  return isWhole ? goLiteral(Object.fromEntries(fields), type, context) : undefined
}
