import type { Api, HttpOperation } from '../../model/api.js'
import { httpOperations } from '../../model/operations.js'
import { cached } from '../../runtime/shared/cached.js'
import { withoutNames } from '../../runtime/shared/template.js'
import { createRoutes, withoutQuery } from '../../runtime/wire/routes.js'
import { grouped } from '../../schema/grouped.js'
import { dereference } from '../../schema/schema.js'
import { baseFor } from '../../traffic/route.js'
import type { Plan } from '../case.js'
import { completed, shownRequests, whyNot } from '../cases/input.js'
import { parentPath, propertiesFor } from '../values/identifiers.js'
import { collectShown } from '../values/shown-values.js'
import { writeHttp } from '../wire/write-request.js'
import type { Creator, ResourceType, ResourceTypes } from './resources.js'

/** The resources that path parameters identify, and their addresses in documented requests. */
export const resourceTypesOf = (plan: Pick<Plan, 'api' | 'target' | 'checker'>): ResourceTypes =>
  cached(
    cached(found, plan.target, () => new WeakMap<Api, ResourceTypes>()),
    plan.api,
    () => findResourceTypes(plan),
  )

/** A run needs them for its cases and for its requests. */
const found = new WeakMap<Plan['target'], WeakMap<Api, ResourceTypes>>()

const findResourceTypes = (plan: Pick<Plan, 'api' | 'target' | 'checker'>): ResourceTypes => {
  const { api, target } = plan
  const http = httpOperations(api)
  const known = new Map<string, ResourceType>()
  const documented = new Map<string, ResourceType>()
  const making = collectShown(api, plan.checker)
  const index = indexOf(http, plan)
  for (const operation of http) {
    const base = baseFor(target, operation)
    if (base === undefined) continue
    const places = identifiersIn(api, operation)
    const resourceTypes = places.map(({ path, parameter }) => {
      const key = `${base}${withoutNames(path)}`
      return cached(known, key, () => resourceTypeOf(api, index, { base, path, parameter }))
    })
    if (resourceTypes.length === 0) continue
    for (const { parameters } of shownRequests(operation)) {
      const values = completed(parameters, operation, making)
      const url = writeHttp(operation, { parameters: values }, target)?.url
      if (url?.startsWith(base) !== true) continue
      const segments = withoutQuery(url).slice(base.length).split('/')
      for (const [at, { depth }] of places.entries()) {
        const address = `${base}${segments.slice(0, depth).join('/')}`
        const resourceType = resourceTypes[at]
        if (resourceType?.isAddress(address)) documented.set(address, resourceType)
      }
    }
  }
  const all = [...known.values()]
  return { all, documented, isAddress: isAddressOf(all) }
}

/** Whether an address is one of resources, by the router of servers. */
const isAddressOf = (
  resources: readonly Pick<ResourceType, 'base' | 'path'>[],
): ((address: string) => boolean) => {
  const find = createRoutes(
    resources.map(({ base, path }) => ({ method: '', path: `/${base}${path}`, target: path })),
  )
  return (address) => find('', `/${address}`).kind === 'found'
}

/** Operations by what a resource needs of them, each list in the order of the documents. */
const indexOf = (http: readonly HttpOperation[], plan: Pick<Plan, 'target'>) => {
  const here = http.flatMap((operation) => {
    const base = baseFor(plan.target, operation)
    return base === undefined ? [] : [{ operation, base }]
  })
  const usable = here.filter(({ operation }) => whyNot(operation, plan) === undefined)
  const links = usable.flatMap((one) =>
    one.operation.links.map((link) => ({ ...one, id: link.operation })),
  )
  const operations = <Row extends { readonly operation: HttpOperation }>(
    rows: readonly Row[],
    keyOf: (row: Row) => string,
  ): ReadonlyMap<string, readonly HttpOperation[]> =>
    new Map([...grouped(rows, keyOf)].map(([key, own]) => [key, own.map((row) => row.operation)]))
  return {
    usable: new Set(usable.map(({ operation }) => operation)),
    /** By the base and the path without names of parameters. */
    byShape: operations(here, ({ operation, base }) => `${base}${withoutNames(operation.path)}`),
    /** The usable ones by the base and the path. */
    byPath: operations(usable, ({ operation, base }) => `${base}${operation.path}`),
    /** The usable ones by the base and the operation that they link to (OpenAPI, Link Object). */
    byLink: operations(links, ({ base, id }) => `${base} ${id}`),
  }
}

/** The parameters of a path that identify a resource, each with the path that ends with it. */
const identifiersIn = (api: Api, { path, parameters }: HttpOperation) => {
  const segments = path.split('/')
  return segments.flatMap((segment, at) => {
    const [, name] = /\{([^{}]+)\}/.exec(segment) ?? []
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    if (parameter === undefined || parameter.secret === true) return []
    const real = dereference(parameter.schema, api.schemas)
    // One of a few listed values is a choice.
    if (typeof real === 'object' && (real.enum !== undefined || 'const' in real)) return []
    return [{ path: segments.slice(0, at + 1).join('/'), depth: at + 1, parameter }]
  })
}

const resourceTypeOf = (
  api: Api,
  { usable, byShape, byPath, byLink }: ReturnType<typeof indexOf>,
  { base, path, parameter }: Pick<ResourceType, 'base' | 'path' | 'parameter'>,
): ResourceType => {
  const exact = byShape.get(`${base}${withoutNames(path)}`) ?? []
  const parent = parentPath({ path }, parameter)
  const atParent = byPath.get(`${base}${parent}`) ?? []
  const leading = exact.flatMap(({ id }) => byLink.get(`${base} ${id}`) ?? [])
  // A link to the resource shows best what an operation creates.
  const creators = [...new Set([...leading, ...atParent])]
    .filter(({ method }) => method === 'POST')
    .map((operation): Creator => {
      const properties = propertiesFor(api, operation, parameter, parent)
      return { kind: 'returns', operation, properties }
    })
  const put = exact.find((one) => one.method === 'PUT' && usable.has(one))
  const list = atParent
    .filter(({ method }) => method === 'GET')
    .map((operation) => ({
      operation,
      properties: propertiesFor(api, operation, parameter, parent),
    }))
    .find(({ properties }) => properties.length > 0)
  return {
    ...{ path, base, parameter, list },
    isAddress: isAddressOf([{ base, path }]),
    operations: new Map(exact.map((one) => [one.method, one])),
    creators: [
      ...creators,
      ...(put === undefined ? [] : [{ kind: 'at the address', operation: put } as const]),
    ],
  }
}
