import { Ajv2020 } from 'ajv/dist/2020.js'
import { Compile } from 'typebox/schema'
import { namesIn } from '../../../../src/emit/order.js'
import { compilePattern } from '../../../../src/runtime/validate.js'
import type { Schema } from '../../../../src/schema/schema.js'

/** Verdicts on values of JSON; undefined where the library gives up on the schema or the value. */
export type Peer = (schema: Schema) => (value: unknown) => boolean | undefined

export function ajvOf(schemas: ReadonlyMap<string, Schema>): Peer {
  const regExp = Object.assign((source: string) => compilePattern(source), {
    code: 'compilePattern',
  })
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
    logger: false,
    code: { regExp },
  })
  ajv.addSchema({ $id: 'document', components: { schemas: Object.fromEntries(schemas) } })
  return (schema) => guarded(() => ajv.compile(absolute(schema) as object))
}

export function typeboxOf(schemas: ReadonlyMap<string, Schema>): Peer {
  return (schema) =>
    guarded(() => {
      const compiled = Compile(wholeDocument(schema, schemas))
      return (value) => compiled.Check(value)
    })
}

/** A schema with all that it leads to, and no more: TypeBox looks through whatever it is given. */
export function wholeDocument(schema: Schema, schemas: ReadonlyMap<string, Schema>): object {
  const reached = new Map<string, Schema>()
  const waiting: Schema[] = [schema]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    for (const name of namesIn(one)) {
      const target = schemas.get(name)
      if (target === undefined || reached.has(name)) continue
      reached.set(name, target)
      waiting.push(target)
    }
  }
  const components = { schemas: Object.fromEntries(reached) }
  return { $id: 'document', components, ...(schema as object) }
}

function guarded(make: () => (value: unknown) => unknown): ReturnType<Peer> {
  let check: ((value: unknown) => unknown) | undefined
  return (value) => {
    try {
      check ??= make()
      return check(value) === true
    } catch {
      return undefined
    }
  }
}

/** References that lead from anywhere into the one document. */
function absolute(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(absolute)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `document${value}` : absolute(value),
    ]),
  )
}
