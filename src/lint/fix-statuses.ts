import { isDeepStrictEqual } from 'node:util'
import type { Api } from '../model/api.js'
import type { Location } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { type MemberEdit, readEditable, type Tree } from './edit-document.js'
import { type MissingStatuses, missingStatuses, type ServerStatus } from './server-statuses.js'

/**
 * Declares the missing statuses of generated servers in the files of an OpenAPI document. Text is only
 * inserted: comments, order and layout stay. A file that cannot be changed is returned with a reason and
 * without a text. `isIncluded` excludes operations.
 */
export const declareStatuses = (
  api: Api,
  read: (file: string) => string | undefined,
  isIncluded: (place: Location) => boolean = () => true,
): readonly FixedFile[] => {
  const missing = distinct(missingStatuses(api).filter(({ location }) => isIncluded(location)))
  const entry = api.http?.source.locate().file
  return [...new Set(missing.map(({ location }) => location.file))].map((file) => {
    const own = missing.filter(({ location }) => location.file === file)
    const text = read(file)
    return text === undefined
      ? { file, missing: own, problem: 'it is no file that can be read' }
      : fixFile(file, text, own, file === entry)
  })
}

export type FixedFile = {
  readonly file: string
  readonly missing: readonly MissingStatuses[]
} & ({ readonly text: string } | { readonly problem: string })

/** Two paths may refer to one path item. */
const distinct = (missing: readonly MissingStatuses[]): readonly MissingStatuses[] => [
  ...new Map(missing.map((one) => [JSON.stringify(one.location), one])).values(),
]

const fixFile = (
  file: string,
  text: string,
  missing: readonly MissingStatuses[],
  isEntry: boolean,
): FixedFile => {
  const unchanged = (problem: string): FixedFile => ({ file, missing, problem })
  const document = readEditable(text)
  if (!document) return unchanged('its text cannot be edited')
  const { before } = document
  if (before.swagger !== undefined) return unchanged('it is a document of Swagger 2.0')
  const wanted = [...new Set(missing.flatMap(({ statuses }) => statuses))]
  const { refs, additions } = isEntry ? shared(before, wanted) : { refs: new Map(), additions: [] }
  const all: readonly MemberEdit[] = [
    ...missing.flatMap(({ statuses, location }) =>
      statuses.map((status): MemberEdit => {
        const ref = refs.get(status)
        const value = ref === undefined ? responseOf(status, ERROR) : { $ref: ref }
        return { path: segmentsOf(location.pointer), key: status, value }
      }),
    ),
    ...additions,
  ]
  const changed = document.change(all)
  return typeof changed === 'string'
    ? { file, missing, text: changed }
    : unchanged(
        changed.problem === 'place'
          ? 'responses of it have no map of their own'
          : 'its layout leaves no place for them',
      )
}

/** The component for each status: the one that most operations use, or a new one. */
const shared = (
  document: Tree,
  statuses: readonly ServerStatus[],
): { readonly refs: ReadonlyMap<string, string>; readonly additions: readonly MemberEdit[] } => {
  const components = isObject(document.components) ? document.components : {}
  const namesIn = (section: string) =>
    isObject(components[section]) ? components[section] : ({} as Tree)
  const refs = new Map<string, string>()
  const responses: Record<string, unknown> = {}
  const own = ownError(document)
  const schema = own ?? freeName('ErrorMessage', namesIn('schemas'))
  for (const status of statuses) {
    const used = usedFor(document, status)
    const name = freeName(RESPONSES[status].name, namesIn('responses'))
    refs.set(status, used ?? `#/components/responses/${name}`)
    if (used === undefined)
      responses[name] = responseOf(status, { $ref: `#/components/schemas/${schema}` })
  }
  if (Object.keys(responses).length === 0) return { refs, additions: [] }
  const sections: readonly (readonly [string, Tree])[] = [
    ['responses', responses],
    ...(own === undefined ? [['schemas', { [schema]: ERROR }] as const] : []),
  ]
  if (!isObject(document.components))
    return {
      refs,
      additions: [{ path: [], key: 'components', value: Object.fromEntries(sections) }],
    }
  const additions = sections.flatMap(([section, members]): readonly MemberEdit[] =>
    isObject(components[section])
      ? Object.entries(members).map(([key, value]) => ({
          path: ['components', section],
          key,
          value: value as object,
        }))
      : [{ path: ['components'], key: section, value: members }],
  )
  // At the same position, the deeper one comes first: a schema, then the map of responses after all schemas.
  return { refs, additions: additions.toSorted((a, b) => b.path.length - a.path.length) }
}

const freeName = (name: string, namesIn: object): string => {
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name}${count}`
    if (!Object.hasOwn(namesIn, tried)) return tried
  }
}

/** The component that most operations of the document refer to for a status. */
const usedFor = (document: Tree, status: string): string | undefined =>
  mostCommon(
    responsesOf(document).flatMap(([key, response]) => (key === status ? refOf(response) : [])),
  )

/** The name of the schema that most errors of the document have, if it is an object with a text `error`. */
const ownError = (document: Tree): string | undefined => {
  const components = memberOf(document, 'components')
  const schemas = memberOf(components, 'schemas')
  const names = responsesOf(document).flatMap(([key, response]) => {
    if (!/^([45]|default)/.test(key)) return []
    const [shared] = refOf(response).map((ref) => ref.replace('#/components/responses/', ''))
    const whole = shared === undefined ? response : memberOf(components, 'responses', shared)
    const schema = memberOf(whole, 'content', 'application/json', 'schema')
    return refOf(schema).map((ref) => ref.replace('#/components/schemas/', ''))
  })
  const fits = (name: string): boolean => {
    const { type, required = [], properties } = memberOf(schemas, name)
    const { type: text, ...rest } = memberOf(properties, 'error')
    const isPlain = Object.keys(rest).every((key) => /^(description|examples?)$/.test(key))
    return (
      type === 'object' && text === 'string' && isPlain && isDeepStrictEqual(required, ['error'])
    )
  }
  return mostCommon(names.filter(fits))
}

const responsesOf = (document: Tree): readonly (readonly [status: string, response: unknown])[] =>
  Object.values(memberOf(document, 'paths'))
    .flatMap((item) => (isObject(item) ? Object.values(item) : []))
    .flatMap((operation) => Object.entries(memberOf(operation, 'responses')))

/** The object at the path of keys, empty if there is none. */
const memberOf = (from: unknown, ...keys: readonly string[]): Tree => {
  const found = keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), from)
  return isObject(found) ? found : {}
}

const refOf = (value: unknown): readonly string[] =>
  isObject(value) && typeof value.$ref === 'string' ? [value.$ref] : []

const mostCommon = (texts: readonly string[]): string | undefined => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}

const RESPONSES: Readonly<
  Record<ServerStatus, { readonly name: string; readonly description: string }>
> = {
  '400': { name: 'InvalidRequest', description: 'The request is invalid.' },
  '401': { name: 'Unauthorized', description: 'The credentials are missing or wrong.' },
  '413': { name: 'PayloadTooLarge', description: 'The body is too large.' },
  '415': { name: 'UnsupportedMediaType', description: 'The body has another media type.' },
}

const ERROR = {
  description: 'Why a request was rejected.',
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' } },
}

const responseOf = (status: ServerStatus, schema: object): object => {
  const { description } = RESPONSES[status]
  const example = { error: description.replace(/\.$/, '') }
  return { description, content: { 'application/json': { schema, example } } }
}
