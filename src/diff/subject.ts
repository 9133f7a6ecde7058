import type { Api } from '../model/api.js'
import type { Location } from '../model/finding.js'
import { cached } from '../runtime/shared/cached.js'
import { type Constraint, type Gap, type Path, pathText, saying } from '../schema/contain/gap.js'
import { type CompareSchemas, createSchemaComparison } from '../schema/contain.js'
import type { Node } from '../schema/node.js'
import type { SchemaObject } from '../schema/schema.js'
import { type Source, sourceOf } from '../schema/source.js'
import type { Direction } from './schema-rules.js'

/** Both versions, and the data that their comparisons share. */
export type DiffContext = {
  readonly before: Api
  readonly after: Api
  readonly compare: CompareSchemas
  /** The day by which a removal is evaluated: whether an x-sunset is over. */
  readonly today: string
}

export const createDiffContext = (before: Api, after: Api, today: string): DiffContext => ({
  before,
  after,
  today,
  compare: createSchemaComparison(before, after),
})

/** What a pair of schemas describes. */
export type Subject = {
  readonly direction: Direction
  /** ``the param `address` of eth_getBalance``, `the request body of POST /orders`. */
  readonly what: string
  /** The effect of a breaking change, if the other side is neither a caller nor a reader of responses. */
  readonly consequence?: string
  readonly before: Source
  readonly after: Source
  /** A parameter, a header or a form: all its scalars are texts on the wire. */
  readonly isText?: boolean
  /** Set if some texts cannot be sent. */
  readonly carrier?: Carrier | undefined
  /** The default of the whole value is reported elsewhere, as that of a parameter. */
  readonly isDefaultReported?: true
}

/** The name of a place in messages: `` `items[].id` in the 200 response of GET /orders``. */
export function nameOfPlace(what: string, path: Path): string {
  const [only, ...others] = path
  if (!only) return what
  if (others.length === 0 && only.kind === 'any-item') return `an item of ${what}`
  if (others.length === 0 && only.kind === 'any-property') return `a property of ${what}`
  return `\`${pathText(path)}\` in ${what}`
}

/** The location of a keyword; a schema that is in no document is reported where it is used. */
export function locateConstraint(
  { node, keyword = '' }: Omit<Constraint, 'says'>,
  user: Source,
): Location {
  const source = node && sourceOf(node.schema)
  if (!source) return user.locate()
  // Cached, because every operation with the change requests the location.
  const places = cached(located, node, () => new Map<string, Location>())
  return cached(places, keyword, () => source.locate(...(keyword === '' ? [] : [keyword])))
}

const located = new WeakMap<Node, Map<string, Location>>()

/** The effect of a breaking change on the other side. */
export const consequenceOf = ({ direction, consequence }: Subject): string =>
  consequence ?? (direction === 'request' ? 'callers may be rejected' : 'clients do not expect it')

/** A part of a request or a response that cannot contain every text. */
export type Carrier = 'path' | 'header'

/** The gap without the limits of what can be sent, which documents do not declare. */
export const asDocumented = (gap: Gap): Gap => {
  const { node } = gap.inner
  const isWritten =
    node === undefined || !Object.values(SENDABLE).some((one) => one === node.schema)
  return isWritten ? gap : { ...gap, inner: saying(undefined) }
}

/** The values that can be sent; other values never cause a finding. */
export const SENDABLE: Readonly<Record<Carrier, SchemaObject>> = {
  // A path template does not match an empty segment (OpenAPI, Path Templating).
  path: { minLength: 1, minItems: 1, minProperties: 1 },
  // RFC 9110, 5.5: a field value has no control characters but tabs, and no space at its ends.
  header: {
    pattern:
      '^(?:[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?)?$',
  },
}
