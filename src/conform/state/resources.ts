import type { HttpOperation } from '../../model/api.js'
import type { HttpParameter } from '../../model/http-content.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import type { Property } from '../values/identifiers.js'

/**
 * What a run knows about the resources behind path parameters, and the ones that it creates as test fixtures: a request to
 * a documented resource that was not found, or was deleted, is sent to such a fixture.
 */
export type Fixtures = {
  readonly resourceTypes: ResourceTypes
  /** The request with the address of the resource that replaces the documented one. */
  readonly redirected: (sent: Sent) => Sent
  /** Records what a response shows: the resource was created, exists, was deleted or does not exist. */
  readonly note: (exchange: Exchange) => void
  /** Whether the resource of this request is known to be gone. */
  readonly isGone: (sent: Sent) => boolean
  /** Whether the resource of this request is gone and none can be created in its place. */
  readonly isUnavailable: (sent: Sent) => boolean
  /** What is known of the resource of this request, if it was not found and the run has none in its place. */
  readonly whyMissing: (sent: Sent) => string | undefined
  /** Whether a response may mean that the resource is gone or in a state that allows no such request. */
  readonly isOfState: (exchange: Exchange) => boolean
  /** Creates a resource for a documented request whose own is gone; undefined if it exists, or none can be created. */
  readonly recreate: (documented: Sent, last?: Exchange) => Promise<Sent | undefined>
  /** Records whether a request succeeded after `recreate`. */
  readonly noteRecreated: (documented: Sent, exchange: Exchange) => void
  /** Creates a resource; the text is why none could be created. */
  readonly create: (resourceType: ResourceType) => Promise<Created | string>
  /** The address of the resource that a response of its creator names. */
  readonly identify: (exchange: Exchange) => string | undefined
}

export type Created = {
  readonly address: string
  readonly creator: HttpOperation
  readonly exchange: Exchange
  /** The body that was sent. */
  readonly value: unknown
}

/** A path that identifies one resource: `/users/{userId}/posts/{postId}`. Its last parameter is the identifier. */
export type ResourceType = {
  readonly path: string
  /** The URL before the path. */
  readonly base: string
  readonly parameter: HttpParameter
  /** Whether a URL without its query is that of such a resource. */
  readonly isAddress: (address: string) => boolean
  /** The operations of exactly this path, by method. */
  readonly operations: ReadonlyMap<string, HttpOperation>
  /** The operations that may create such a resource, the surest first. */
  readonly creators: readonly Creator[]
  /** The operation that lists such resources. */
  readonly list: Listing | undefined
}

export type Creator =
  /** Its response has the identifier: in a link, in these properties, or in Location. */
  | {
      readonly kind: 'returns'
      readonly operation: HttpOperation
      readonly properties: readonly Property[]
    }
  /** PUT to the address itself. */
  | { readonly kind: 'at the address'; readonly operation: HttpOperation }

export type Listing = {
  readonly operation: HttpOperation
  readonly properties: readonly Property[]
}

export type ResourceTypes = {
  readonly all: readonly ResourceType[]
  /** Whether a URL without its query is that of a resource. */
  readonly isAddress: (address: string) => boolean
  /** The addresses in requests of the documents and with made-up values, each with its resourceType. */
  readonly documented: ReadonlyMap<string, ResourceType>
}
