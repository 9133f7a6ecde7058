import { randomUUID } from 'node:crypto'
import type { Api, HttpOperation } from '../../model/api.js'
import { SAFE_METHODS } from '../../model/path-item.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { headerOf } from '../../runtime/wire/headers.js'
import { withoutQuery } from '../../runtime/wire/routes.js'
import { serializeParameter } from '../../runtime/wire/serialize.js'
import { isSuccessOf } from '../../runtime/wire/status.js'
import type { Checker } from '../../schema/check.js'
import { type Making, samplesOf } from '../../schema/random.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import { NotTested } from '../case.js'
import { requestValues } from '../cases/input.js'
import { isAccepted, isOfMissing } from '../outcome.js'
import { operationCalled, valueIn } from '../responses/read.js'
import type { Target } from '../target.js'
import { DEPTH, findValue } from '../values/identifiers.js'
import { collectShown } from '../values/shown-values.js'
import { type HttpValues, writeHttp } from '../wire/write-request.js'
import { leadsOf } from './links.js'
import { resourceTypesOf } from './resource-types.js'
import type { Created, Creator, Fixtures, ResourceType, ResourceTypes } from './resources.js'

type Parts = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  /** Sends one request, without creating a resource. */
  readonly send: (sent: Sent) => Promise<Exchange>
}

export const createFixtures = ({ api, target, checker, send }: Parts): Fixtures => {
  const making = collectShown(api, checker)
  let resourceTypes: ResourceTypes | undefined
  const known = (): ResourceTypes => {
    resourceTypes ??= resourceTypesOf({ api, target, checker })
    return resourceTypes
  }
  const states = new Map<string, 'exists' | 'gone'>()
  /** Documented address -> that of the resource in its place. Of a list, only to be read. */
  const places = new Map<string, string>()
  const listed = new Map<string, string>()
  const counts = new Map<ResourceType, { created: number; failed: number }>()
  const countOf = (resourceType: ResourceType) => {
    const count = counts.get(resourceType) ?? { created: 0, failed: 0 }
    counts.set(resourceType, count)
    return count
  }

  /** The documented address in a URL, the longest first. */
  const documentedIn = (url: string): readonly string[] => {
    const found: string[] = []
    for (let address = withoutQuery(url); address.includes('/'); address = parentOf(address))
      if (known().documented.has(address)) found.push(address)
    return found
  }
  const redirectedUrl = (url: string, isSafe: boolean): string => {
    for (const address of documentedIn(url)) {
      const place = places.get(address) ?? (isSafe ? listed.get(address) : undefined)
      if (place !== undefined) return place + url.slice(address.length)
    }
    return url
  }
  const redirected = (sent: Sent): Sent => {
    const url = redirectedUrl(sent.url, SAFE_METHODS.has(sent.method))
    return url === sent.url ? sent : { ...sent, url }
  }

  const isDoneBy = (exchange: Exchange, operation: HttpOperation): boolean =>
    isAccepted(exchange, operation, { checker })

  const note = (exchange: Exchange): void => {
    const { sent, answer } = exchange
    const address = withoutQuery(sent.url)
    if (!answer || !known().isAddress(address)) return
    const { status } = answer
    const operation = operationCalled(api, target, exchange)
    const isDone =
      operation?.kind === 'http' ? isDoneBy(exchange, operation) : isSuccessOf([], status)
    if (isOfMissing(status) || (isDone && sent.method === 'DELETE')) states.set(address, 'gone')
    else if (isDone || status === 304) states.set(address, 'exists')
  }

  /** The address of a URL's innermost documented resource as it is sent now. */
  const addressIn = (documented: Sent): string | undefined => {
    const [address] = documentedIn(documented.url)
    if (address === undefined) return undefined
    const url = redirectedUrl(documented.url, SAFE_METHODS.has(documented.method))
    const rest = documented.url.length - address.length
    return url.slice(0, url.length - rest)
  }

  /** Asks for the resource itself, if an operation reads it. */
  const exists = async (
    resourceType: ResourceType,
    address: string,
  ): Promise<boolean | undefined> => {
    const read = resourceType.operations.get('GET')
    const written = read && writeHttp(read, requestValues(read, making), target)
    if (read === undefined || written === undefined) return undefined
    const query = written.url.slice(withoutQuery(written.url).length)
    const exchange = await send({ ...written, url: address + query })
    note(exchange)
    const { status = 0 } = exchange.answer ?? {}
    if (isOfMissing(status)) return false
    return isDoneBy(exchange, read) ? true : undefined
  }

  const createdBy = async (
    resourceType: ResourceType,
    creator: Creator,
    address: string | undefined,
    depth: number,
  ): Promise<Created | undefined> => {
    const { operation } = creator
    for (const values of bodiesOf(operation, making)) {
      const written = writeHttp(operation, withFreshKey(values, operation, checker), target)
      if (written === undefined) return undefined
      const isAt = creator.kind === 'at the address'
      if (isAt && address === undefined && documentedIn(written.url).length === 0) return undefined
      const url = isAt && address !== undefined ? address : written.url
      let exchange = await send(isAt ? { ...written, url } : redirected(written))
      const { status = 0 } = exchange.answer ?? {}
      // What contains it may be gone.
      if (isOfMissing(status) && !isAt && depth < DEEPEST) {
        const again = await recreated(written, exchange, depth + 1)
        if (again !== undefined) exchange = await send(again)
      }
      note(exchange)
      if (!isDoneBy(exchange, operation)) continue
      const made = isAt
        ? withoutQuery(exchange.sent.url)
        : addressOf(resourceType, creator, exchange, values)
      if (made === undefined) return undefined
      states.set(made, 'exists')
      return { address: made, creator: operation, exchange, value: values.body?.value }
    }
    return undefined
  }

  /** The address of a created resource: by a link, by Location, by a property, or as the client named it. */
  const addressOf = (
    resourceType: ResourceType,
    creator: Extract<Creator, { kind: 'returns' }>,
    exchange: Exchange,
    { body }: HttpValues,
  ): string | undefined => {
    const { parameter } = resourceType
    const operations = [...resourceType.operations.values()]
    for (const { target: to, values } of leadsOf(api, creator.operation, exchange)) {
      const id = values[`path.${parameter.name}`] ?? values[parameter.name]
      const own = operations.find((one) => one === to)
      if (own === undefined || id === undefined) continue
      const parameters = Object.fromEntries(
        own.parameters.flatMap(({ name, in: place }) => {
          const value = values[`${place}.${name}`] ?? values[name]
          return value === undefined ? [] : [[`${place}.${name}`, value] as const]
        }),
      )
      const written = writeHttp(own, { parameters }, target)
      if (written !== undefined) return withoutQuery(written.url)
    }
    const { answer } = exchange
    const location = answer && headerOf(answer.headers, 'location')
    if (location !== undefined && URL.canParse(location, exchange.sent.url)) {
      const url = withoutQuery(new URL(location, exchange.sent.url).href)
      if (resourceType.isAddress(url)) return url
    }
    const names = creator.properties.map(({ name }) => name)
    const id =
      findValue(valueIn(answer), names, DEPTH) ??
      findValue(isObject(body?.value) ? body.value : undefined, [parameter.name], 0)
    return id === undefined
      ? undefined
      : withIdentifier(resourceType, withoutQuery(exchange.sent.url), id)
  }

  const create = async (
    resourceType: ResourceType,
    address?: string,
    depth = 0,
  ): Promise<Created | string> => {
    if (resourceType.creators.length === 0) return notCreated(resourceType)
    const count = countOf(resourceType)
    if (count.created >= MOST) return `${MOST} resources of ${resourceType.path} were created`
    count.created += 1
    for (const creator of resourceType.creators) {
      try {
        const made = await createdBy(resourceType, creator, address, depth)
        if (made !== undefined) return made
      } catch (error) {
        if (!(error instanceof NotTested)) throw error
      }
    }
    return notCreated(resourceType)
  }

  const recreated = async (
    documented: Sent,
    last: Exchange | undefined,
    depth: number,
  ): Promise<Sent | undefined> => {
    const [address] = documentedIn(documented.url)
    const resourceType = address === undefined ? undefined : known().documented.get(address)
    const here = addressIn(documented)
    if (address === undefined || resourceType === undefined || here === undefined) return undefined
    const count = countOf(resourceType)
    if (count.failed >= MOST_FAILED) return undefined
    const isSafe = SAFE_METHODS.has(documented.method)
    const isConflict = last?.answer?.status === 409
    const isRead =
      last !== undefined && last.sent.method === 'GET' && withoutQuery(last.sent.url) === here
    // A 404 to another request need not mean that the resource is gone.
    if (
      last !== undefined &&
      !isConflict &&
      !isRead &&
      (await exists(resourceType, here)) === true
    ) {
      return undefined
    }
    const made = await create(resourceType, here, depth)
    if (typeof made !== 'string') {
      places.set(address, made.address)
      return redirected(documented)
    }
    const found =
      isSafe && resourceType.list !== undefined ? await firstOf(resourceType, depth) : undefined
    if (found !== undefined && found !== here) {
      listed.set(address, found)
      return redirected(documented)
    }
    count.failed += 1
    return undefined
  }

  /** The address of the first resource in a list. */
  const firstOf = async (
    resourceType: ResourceType,
    depth: number,
  ): Promise<string | undefined> => {
    const { operation, properties } = resourceType.list ?? {}
    const written = operation && writeHttp(operation, requestValues(operation, making), target)
    if (operation === undefined || written === undefined || properties === undefined)
      return undefined
    let exchange = await send(redirected(written))
    if (exchange.answer?.status === 404 && depth < DEEPEST) {
      const again = await recreated(written, exchange, depth + 1)
      if (again !== undefined) exchange = await send(again)
    }
    if (!isDoneBy(exchange, operation)) return undefined
    const names = properties.map(({ name }) => name)
    const id = findValue(valueIn(exchange.answer), names, DEPTH)
    return id === undefined
      ? undefined
      : withIdentifier(resourceType, withoutQuery(exchange.sent.url), id)
  }

  /** Of a request whose resource is gone. */
  const missing = (documented: Sent): ResourceType | undefined => {
    const [address] = documentedIn(documented.url)
    const here = addressIn(documented)
    const isGone = here !== undefined && states.get(here) === 'gone'
    return isGone && address !== undefined ? known().documented.get(address) : undefined
  }

  return {
    get resourceTypes() {
      return known()
    },
    ...{ redirected, note },
    create: (resourceType) => create(resourceType),
    identify: (exchange) => {
      for (const resourceType of known().all)
        for (const creator of resourceType.creators) {
          if (creator.kind !== 'returns') continue
          const own = operationCalled(api, target, exchange)
          if (own !== creator.operation || !isDoneBy(exchange, creator.operation)) continue
          const found = addressOf(resourceType, creator, exchange, {})
          if (found !== undefined) return found
        }
      return undefined
    },
    isGone: (documented) => {
      const here = addressIn(documented)
      return here !== undefined && states.get(here) === 'gone'
    },
    isUnavailable: (documented) => {
      const resourceType = missing(documented)
      return resourceType !== undefined && countOf(resourceType).failed >= MOST_FAILED
    },
    whyMissing: (documented) => {
      const resourceType = missing(documented)
      const isTried = resourceType !== undefined && countOf(resourceType).failed > 0
      return isTried ? whyNone(resourceType, SAFE_METHODS.has(documented.method)) : undefined
    },
    isOfState: ({ answer, sent }) =>
      answer !== undefined &&
      (isOfMissing(answer.status) || (answer.status === 409 && !SAFE_METHODS.has(sent.method))),
    recreate: (documented, last) => recreated(documented, last, 0),
    noteRecreated: (documented, { answer }) => {
      const [address] = documentedIn(documented.url)
      const resourceType = address === undefined ? undefined : known().documented.get(address)
      if (resourceType === undefined || answer === undefined) return
      const count = countOf(resourceType)
      const isFailed = isOfMissing(answer.status) || answer.status === 409
      count.failed = isFailed ? count.failed + 1 : 0
    },
  }
}

/** For a server that keeps no state. */
export const NO_FIXTURES: Fixtures = {
  resourceTypes: { all: [], isAddress: () => false, documented: new Map() },
  redirected: (sent) => sent,
  note: () => undefined,
  isGone: () => false,
  isUnavailable: () => false,
  whyMissing: () => undefined,
  isOfState: () => false,
  recreate: async () => undefined,
  noteRecreated: () => undefined,
  create: async () => 'the server keeps no state',
  identify: () => undefined,
}

/** A run creates at most this many resources of a kind, and stops where creating some did not help. */
const MOST = 200
const MOST_FAILED = 2
const DEEPEST = 4

const parentOf = (address: string): string => address.slice(0, address.lastIndexOf('/'))

const notCreated = ({ path, creators }: ResourceType): string => {
  const names = creators.map(({ operation }) => operation.id)
  return names.length === 0
    ? `no operation creates what ${path} identifies`
    : `${names.join(' and ')} did not create what ${path} identifies`
}

/** A list shows resources, but they are not those of the run: it only reads them. */
const whyNone = (resourceType: ResourceType, isSafe: boolean): string => {
  const { id } = resourceType.list?.operation ?? {}
  const listed = isSafe
    ? `the response of ${id} gave no other one`
    : `those in the response of ${id} are not changed, because the run did not create them`
  return `the server found no resource with the identifier of the request, ${notCreated(resourceType)}${id === undefined ? '' : `, and ${listed}`}`
}

/** The address of the resource with an identifier, from that of its parent. */
const withIdentifier = (
  { path, parameter }: ResourceType,
  parent: string,
  id: string | number,
): string | undefined => {
  const segment = path.slice(path.lastIndexOf('/') + 1)
  const text = serializeParameter(parameter, id)
  return text === undefined ? undefined : `${parent}/${segment.replace(/\{[^{}]*\}/, () => text)}`
}

/** The header that makes a repeated request the same one (draft-ietf-httpapi-idempotency-key-header). */
export const idempotencyKeyOf = ({ parameters }: HttpOperation) =>
  parameters.find((one) => one.in === 'header' && /^idempotency-key$/i.test(one.name))

/** With another key, because a server returns the first response again for a key that it knows. */
const withFreshKey = (
  values: HttpValues,
  operation: HttpOperation,
  checker: Checker,
): HttpValues => {
  const parameter = idempotencyKeyOf(operation)
  const key = randomUUID()
  const id = `header.${parameter?.name}`
  if (parameter === undefined || values.parameters?.[id] === undefined) return values
  if (!checker.schema(parameter.schema).check(key)) return values
  return { ...values, parameters: { ...values.parameters, [id]: key } }
}

/** Requests that may create a resource: the documented ones, then some with a generated body, because a name may be taken. */
function* bodiesOf(operation: HttpOperation, making: Making): Generator<HttpValues> {
  const first = requestValues(operation, making)
  yield first
  const { body } = first
  const media = operation.body?.content.find(({ type }) => type === body?.type)
  if (media === undefined || body === undefined) return
  for (const { value } of media.examples.slice(1, 3))
    yield { ...first, body: { type: media.type, value } }
  if (typeof body.value !== 'object' || body.value instanceof Uint8Array) return
  for (const value of samplesOf(media.schema, making).slice(-2))
    yield { ...first, body: { type: media.type, value } }
}
