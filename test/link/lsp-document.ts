/**
 * The meta model of the Language Server Protocol as an OpenRPC document. Params are by name, and senders may add others, as LSP
 * demands of receivers to ignore what they do not know.
 */
export const lspDocument = (model: MetaModel): object => {
  const structures = new Map(model.structures.map((one) => [one.name, one]))
  const propertiesOf = (type: Type | undefined): readonly Property[] => {
    if (type?.kind === 'and') return type.items.flatMap(propertiesOf)
    const found = type?.kind === 'reference' ? structures.get(type.name) : undefined
    const inherited = [...(found?.extends ?? []), ...(found?.mixins ?? [])].flatMap(propertiesOf)
    const own = found?.properties ?? []
    return [...inherited.filter(({ name }) => own.every((one) => one.name !== name)), ...own]
  }
  const method = ({ method: name, params, result, messageDirection, ...about }: Message) => ({
    name,
    ...descriptionOf(about),
    paramStructure: 'by-name',
    'x-additional-params': true,
    'x-direction': DIRECTIONS[messageDirection],
    params: propertiesOf(params).map((property) => ({
      name: property.name,
      required: !property.optional,
      ...descriptionOf(property),
      schema: schemaOf(property.type),
    })),
    ...(result && { result: { name: 'result', schema: schemaOf(result) } }),
  })
  return {
    openrpc: '1.4.1',
    info: { title: 'Language Server Protocol', version: model.metaData.version },
    'x-cancel': { notification: '$/cancelRequest', id: '/id' },
    'x-progress': { ...PROGRESS, request: '/workDoneToken' },
    methods: [...model.requests, ...model.notifications].map(method),
    components: {
      schemas: Object.fromEntries([
        ...model.structures.map((one) => [one.name, structureSchema(one)]),
        ...model.enumerations.map((one) => [one.name, enumerationSchema(one)]),
        ...model.typeAliases.map((one) => [
          one.name,
          { ...descriptionOf(one), ...schemaOf(one.type) },
        ]),
      ]),
    },
  }
}

const PROGRESS = { notification: '$/progress', token: '/token', value: '/value' }
const DIRECTIONS = { clientToServer: 'client', serverToClient: 'server', both: 'both' } as const

const structureSchema = (structure: Structure): object => {
  const own = objectSchema(structure.properties)
  const above = [...(structure.extends ?? []), ...(structure.mixins ?? [])].map(schemaOf)
  const schema = above.length === 0 ? own : { allOf: [...above, own] }
  return { ...descriptionOf(structure), ...schema }
}

const enumerationSchema = (enumeration: Enumeration): object => {
  const known = { enum: enumeration.values.map(({ value }) => value) }
  const any = schemaOf(enumeration.type)
  return {
    ...descriptionOf(enumeration),
    ...(enumeration.supportsCustomValues ? { anyOf: [known, any] } : { ...any, ...known }),
  }
}

const objectSchema = (properties: readonly Property[]): object => ({
  type: 'object',
  properties: Object.fromEntries(
    // JSON Schema draft-07 ignores what stands beside a reference.
    properties.map((one) => [one.name, { ...descriptionOf(one), allOf: [schemaOf(one.type)] }]),
  ),
  required: properties.filter(({ optional }) => !optional).map(({ name }) => name),
})

const schemaOf = (type: Type): object => {
  switch (type.kind) {
    case 'base':
      return type.name === 'uinteger' ? UINTEGER : { type: BASES.get(type.name) ?? type.name }
    case 'reference':
      return { $ref: `#/components/schemas/${type.name}` }
    case 'array':
      return { type: 'array', items: schemaOf(type.element) }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(type.value) }
    case 'or':
      return { anyOf: type.items.map(schemaOf) }
    case 'and':
      return { allOf: type.items.map(schemaOf) }
    case 'tuple': {
      const { length } = type.items
      return { type: 'array', items: type.items.map(schemaOf), minItems: length, maxItems: length }
    }
    case 'stringLiteral':
      return { type: 'string', enum: [type.value] }
    case 'literal':
      return objectSchema(type.value.properties)
  }
}

const UINTEGER = { type: 'integer', minimum: 0 }
const BASES = new Map(Object.entries({ URI: 'string', DocumentUri: 'string', decimal: 'number' }))

const descriptionOf = ({ documentation, deprecated }: About): object => ({
  ...(documentation !== undefined && { description: documentation }),
  ...(deprecated !== undefined && { deprecated: true }),
})

type About = { readonly documentation?: string; readonly deprecated?: string }

type Type =
  | { readonly kind: 'base' | 'reference'; readonly name: string }
  | { readonly kind: 'array'; readonly element: Type }
  | { readonly kind: 'map'; readonly value: Type }
  | { readonly kind: 'or' | 'and' | 'tuple'; readonly items: readonly Type[] }
  | { readonly kind: 'stringLiteral'; readonly value: string }
  | { readonly kind: 'literal'; readonly value: { readonly properties: readonly Property[] } }

type Property = About & { readonly name: string; readonly type: Type; readonly optional?: boolean }

type Structure = About & {
  readonly name: string
  readonly properties: readonly Property[]
  readonly extends?: readonly Type[]
  readonly mixins?: readonly Type[]
}

type Enumeration = About & {
  readonly name: string
  readonly type: Type
  readonly values: readonly { readonly value: string | number }[]
  readonly supportsCustomValues?: boolean
}

type Message = About & {
  readonly method: string
  readonly params?: Type
  readonly result?: Type
  readonly messageDirection: keyof typeof DIRECTIONS
}

export type MetaModel = {
  readonly metaData: { readonly version: string }
  readonly requests: readonly Message[]
  readonly notifications: readonly Message[]
  readonly structures: readonly Structure[]
  readonly enumerations: readonly Enumeration[]
  readonly typeAliases: readonly (About & { readonly name: string; readonly type: Type })[]
}
