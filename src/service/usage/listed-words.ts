/** The words that documents publish about requests and responses: the names of properties, and the listed values. */
export type ListedWords = {
  /** Whether a property or parameter has this name somewhere in the documents. */
  readonly isName: (name: string) => boolean
  /** The declarations of all properties and parameters with this name. */
  readonly of: (name: string) => DeclaredWords
  /** The declarations of a documented JSON-RPC method. */
  readonly method: (name: string) => Method | undefined
}

export type DeclaredWords = {
  /** The listed texts, numbers and booleans. */
  readonly values: ReadonlySet<unknown>
  readonly patterns: readonly string[]
}

type Method = {
  /** In order. */
  readonly params: readonly DeclaredWords[]
  readonly result: DeclaredWords
}

/** Reads `enum`, `const`, `x-extensible-enum`, discriminators and patterns of complete documents with local references. */
export const listWords = (documents: readonly unknown[]): ListedWords => {
  const words = new Map<string, DeclaredWords>()
  const methods = new Map<string, Method>()
  const add = (name: string, { values, patterns }: DeclaredWords): void => {
    const known = words.get(name) ?? NOTHING
    words.set(name, {
      values: new Set([...known.values, ...values]),
      patterns: [...known.patterns, ...patterns],
    })
  }
  for (const document of documents) {
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) for (const item of value) visit(item)
      if (!isRecord(value)) return
      const { properties, discriminator, name, schema } = value
      if (isRecord(properties)) {
        for (const [own, declared] of Object.entries(properties)) {
          add(own, declaredIn(document, declared))
        }
      }
      if (isRecord(discriminator) && typeof discriminator.propertyName === 'string') {
        const { mapping } = discriminator
        const values = new Set(isRecord(mapping) ? Object.keys(mapping) : [])
        add(discriminator.propertyName, { values, patterns: [] })
      }
      // A parameter of either document.
      if (typeof name === 'string' && schema !== undefined) add(name, declaredIn(document, schema))
      for (const [own, member] of Object.entries(value)) {
        if (!/^examples?$/.test(own)) visit(member)
      }
    }
    visit(document)
    for (const method of membersOf(document, 'methods')) {
      if (!isRecord(method)) continue
      const schemaOf = (descriptor: unknown): DeclaredWords => {
        const found = resolved(document, descriptor)
        return isRecord(found) ? declaredIn(document, found.schema) : NOTHING
      }
      methods.set(String(method.name), {
        params: membersOf(method, 'params').map(schemaOf),
        result: schemaOf(method.result),
      })
    }
  }
  return {
    isName: (name) => words.has(name),
    of: (name) => words.get(name) ?? NOTHING,
    method: (name) => methods.get(name),
  }
}

export const NOTHING: DeclaredWords = { values: new Set(), patterns: [] }

/** The declarations of a schema, its items and the values of its map, for all alternatives. */
const declaredIn = (document: unknown, schema: unknown): DeclaredWords => {
  const schemas = partsOf(document, schema, new Set())
  const values = schemas.flatMap((one) => [
    ...membersOf(one, 'enum'),
    ...membersOf(one, 'x-extensible-enum'),
    ...('const' in one ? [one.const] : []),
  ])
  return {
    values: new Set(values.filter((value) => typeof value !== 'object')),
    patterns: schemas.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : [])),
  }
}

const partsOf = (
  document: unknown,
  schema: unknown,
  passed: ReadonlySet<unknown>,
): readonly Readonly<Record<string, unknown>>[] => {
  const found = resolved(document, schema)
  if (!isRecord(found) || passed.has(found)) return []
  const below = new Set([...passed, found])
  const parts = [
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((name) => membersOf(found, name)),
    ...['items', 'additionalProperties', 'if', 'then', 'else'].map((name) => found[name]),
  ]
  return [found, ...parts.flatMap((part) => partsOf(document, part, below))]
}

/** The target of a local reference; the length of a chain is limited. */
const resolved = (document: unknown, value: unknown, steps = 0): unknown => {
  if (!isRecord(value) || typeof value.$ref !== 'string' || steps > LONGEST_CHAIN) return value
  const segments = value.$ref.replace(/^#\/?/, '').split('/')
  const target = segments.reduce<unknown>((holder, segment) => {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    return Array.isArray(holder) || isRecord(holder)
      ? Object.getOwnPropertyDescriptor(holder, name)?.value
      : undefined
  }, document)
  return resolved(document, target, steps + 1)
}

const LONGEST_CHAIN = 50

const membersOf = (holder: unknown, name: string): readonly unknown[] => {
  const value = isRecord(holder) ? holder[name] : undefined
  return Array.isArray(value) ? value : []
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
