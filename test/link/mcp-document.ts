import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORPORA } from '../conformance/corpora.js'

/** The revisions of the Model Context Protocol whose schemas are read. */
export type Revision = '2025-11-25' | '2026-07-28'

/** An OpenRPC document of the JSON Schema that a revision of the Model Context Protocol publishes. */
export const documentOf = ({ $defs = {} }: Schema, revision: Revision) => {
  const define = (name: string): Schema => {
    const found = $defs[name]
    if (found === undefined) throw new Error(`the schema has no ${name}`)
    return found
  }
  /** Follows references. */
  const resolve = (one: Schema): Schema => (one.$ref ? resolve(define(nameOf(one))) : one)
  const membersOf = (union: string): readonly string[] => {
    const one = $defs[union]
    if (one === undefined) return []
    return one.anyOf ? one.anyOf.map(nameOf) : [namedBy(one)]
  }
  /** A union of one member repeats the member. */
  const namedBy = (one: Schema): string => {
    const method = one.properties?.method?.const
    const found = Object.entries($defs).find(
      ([name, { properties }]) =>
        properties?.method?.const === method && !/Client|Server/.test(name),
    )
    if (!found) throw new Error(`no member has the method ${method}`)
    return found[0]
  }

  /** The params of all branches: those that each requires are required. */
  const paramsOf = (params: Schema | undefined) => {
    const whole = params ? resolve(params) : {}
    const branches = whole.anyOf ? whole.anyOf.map(resolve) : [whole]
    const names = new Set(branches.flatMap(({ properties = {} }) => Object.keys(properties)))
    return [...names].map((name) => {
      const schemas = branches.flatMap(({ properties = {} }) => properties[name] ?? [])
      const texts = [...new Set(schemas.map((one) => JSON.stringify(one)))]
      return {
        name,
        required: branches.every(({ required = [] }) => required.includes(name)),
        schema: texts.length > 1 ? { anyOf: texts.map((text) => JSON.parse(text)) } : schemas[0],
      }
    })
  }

  const resultOf = (request: string): Schema => {
    const response = $defs[request.replace(/Request$/, 'ResultResponse')]?.properties?.result
    if (response) return response
    const result = request.replace(/Request$/, 'Result')
    const whole = { $ref: `#/$defs/${result in $defs ? result : 'EmptyResult'}` }
    // A call may become a task.
    const isTask = 'task' in (resolve(define(request).properties?.params ?? {}).properties ?? {})
    return isTask ? { anyOf: [whole, { $ref: '#/$defs/CreateTaskResult' }] } : whole
  }

  const methodOf = (name: string, isRequest: boolean) => {
    const { properties = {}, description } = define(name)
    const sides = (['Client', 'Server'] as const).filter((side) =>
      membersOf(`${side}${isRequest ? 'Request' : 'Notification'}`).includes(name),
    )
    return {
      name: properties.method?.const,
      description,
      paramStructure: 'by-name',
      'x-additional-params': true,
      params: paramsOf(properties.params),
      ...(isRequest && { result: { name: 'result', schema: resultOf(name) } }),
      'x-direction': sides.length === 2 ? 'both' : sides[0]?.toLowerCase(),
    }
  }
  const all = (kind: string): readonly string[] => [
    ...new Set(['Client', 'Server'].flatMap((side) => membersOf(`${side}${kind}`))),
  ]
  const document = {
    openrpc: '1.4.1',
    info: { title: 'Model Context Protocol', version: revision },
    'x-cancel': { notification: 'notifications/cancelled', id: '/requestId' },
    'x-progress': {
      notification: 'notifications/progress',
      token: '/progressToken',
      value: '',
      request: '/_meta/progressToken',
    },
    servers: [{ name: 'mcp', url: 'http://127.0.0.1/mcp' }],
    methods: [
      ...all('Request').map((name) => methodOf(name, true)),
      ...all('Notification').map((name) => methodOf(name, false)),
    ],
    components: { schemas: $defs },
  }
  return JSON.parse(JSON.stringify(document).replaceAll('#/$defs/', '#/components/schemas/'))
}

/** The schema of a revision among the corpora; undefined where there are none. */
export const readSchema = (revision: Revision): Schema | undefined => {
  const file = join(CORPORA, `protocols/mcp-${revision}.schema.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

type Schema = {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly const?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const nameOf = ({ $ref = '' }: Partial<Schema>): string => $ref.slice($ref.lastIndexOf('/') + 1)
