import type { HttpOperation } from '../model/api.js'
import type { FindingDetails } from '../model/finding.js'
import type { HttpBody } from '../model/http-content.js'
import { isObject } from '../model/json.js'
import { nameOf } from '../model/operation-name.js'
import { withoutNames } from '../runtime/shared/template.js'
import { ANNOTATIONS } from '../schema/keywords.js'
import { type LintRule, operationIdOf, type Survey } from './survey.js'

/** Rules for paths, their requests and their responses, and for the tags of operations. */
export const PATH_RULES: readonly LintRule[] = [
  {
    id: 'paths-are-identical',
    level: 'error',
    purpose:
      'For a server, two paths that differ only in the names of their parameters are the same path.',
    find: identical,
  },
  {
    id: 'path-parameter-is-repeated',
    level: 'warning',
    purpose:
      'OpenAPI 3.2, 4.8.2: a path must not contain the same parameter twice. Clients write one value in both places.',
    find: repeated,
  },
  {
    id: 'operation-id-is-duplicate',
    level: 'error',
    purpose:
      'OpenAPI 3.1, 4.8.10: an operationId must be unique, because links and tools find an operation by it.',
    find: sameIds,
  },
  {
    id: 'path-holds-a-query',
    level: 'error',
    purpose:
      'A request path cannot contain a question mark or a fragment; parameters declare the query.',
    find: withQuery,
  },
  {
    id: 'request-body-cannot-be-sent',
    level: 'error',
    purpose:
      'The body of a GET, HEAD or TRACE request has no meaning in HTTP, and fetch rejects it.',
    find: unsendable,
  },
  {
    id: 'request-body-is-empty',
    level: 'warning',
    purpose:
      'An optional body without properties on a GET request has no content, and clients omit it.',
    find: emptyBodies,
  },
  {
    id: 'response-cannot-have-a-body',
    level: 'warning',
    purpose:
      'A response with status 1xx, 204, 205 or 304 has no body, even if the document declares one.',
    find: bodiless,
  },
  {
    id: 'link-names-no-operation',
    level: 'warning',
    purpose: 'A link names the operation to call next, which must exist in one of the documents.',
    find: lostLinks,
  },
  {
    id: 'tag-parent-is-invalid',
    level: 'warning',
    purpose:
      'OpenAPI 3.2, Tag Object: the parent of a tag must be another declared tag. The reference ignores any other parent.',
    find: invalidParents,
  },
]

function* repeated({ api }: Survey): Generator<FindingDetails> {
  if (!api.http) return
  const { bundled, sourceOf } = api.http
  const paths = (bundled.paths ?? {}) as Readonly<Record<string, unknown>>
  for (const path of Object.keys(paths)) {
    const names = [...path.matchAll(/{([^{}]+)}/g)].map(([, name]) => name)
    const again = names.find((name, index) => names.indexOf(name) < index)
    if (again === undefined) continue
    yield {
      location: sourceOf(paths).locate(path),
      message: `the path ${path} contains {${again}} twice, and both get the same value: give each a name of its own`,
    }
  }
}

function* identical({ api }: Survey): Generator<FindingDetails> {
  if (!api.http) return
  const { bundled, sourceOf } = api.http
  const paths = (bundled.paths ?? {}) as Readonly<Record<string, unknown>>
  const seen = new Map<string, string>()
  for (const path of Object.keys(paths)) {
    const shape = withoutNames(path)
    const first = seen.get(shape)
    if (first === undefined) seen.set(shape, path)
    else {
      yield {
        location: sourceOf(paths).locate(path),
        message: `${path} is the same path as ${first}: put the operations of both under one of them`,
      }
    }
  }
}

function* sameIds({ api, http }: Survey): Generator<FindingDetails> {
  const seen = new Map<string, HttpOperation>()
  for (const operation of http) {
    const id = operationIdOf(operation, api)
    if (id === undefined) continue
    const first = seen.get(id)
    if (first === undefined) seen.set(id, operation)
    else {
      const { file, line } = first.source.locate('operationId')
      yield {
        location: operation.source.locate('operationId'),
        message: `the operationId ${id} is already used by ${first.method} ${first.path} (${file}:${line}): give each operation an operationId of its own`,
      }
    }
  }
}

function* withQuery({ http }: Survey): Generator<FindingDetails> {
  for (const { path, source } of http) {
    const [mark] = /[?#]/.exec(path.replace(/{[^{}]*}/g, '')) ?? []
    if (mark === undefined) continue
    yield {
      location: source.locate(),
      message:
        mark === '?'
          ? `the path ${path} ends where its question mark begins: declare the rest as query parameters`
          : `the path ${path} ends where its fragment begins, which clients do not send: remove the fragment, and describe operations with the same path and method as one`,
    }
  }
}

function* unsendable({ http }: Survey): Generator<FindingDetails> {
  for (const operation of http) {
    const { method, body, source } = operation
    if (!body || !BODILESS.has(method) || isEmpty(body)) continue
    yield {
      location: source.locate('requestBody'),
      message: `${nameOf(operation)} declares a body, which ${method} does not have: use POST or parameters`,
    }
  }
}

function* emptyBodies({ http }: Survey): Generator<FindingDetails> {
  for (const operation of http) {
    const { method, body, source } = operation
    if (!body || !BODILESS.has(method) || !isEmpty(body)) continue
    yield {
      location: source.locate('requestBody'),
      message: `${nameOf(operation)} declares an optional body without properties, which ${method} does not have: remove the body from the document`,
    }
  }
}

const BODILESS = new Set(['GET', 'HEAD', 'TRACE'])

/** Whether a body is optional and is an object without properties. */
const isEmpty = ({ required, content }: HttpBody): boolean =>
  !required &&
  content.every(({ schema }) => {
    if (typeof schema === 'boolean') return false
    const { type, properties = {}, additionalProperties = false, ...others } = schema
    if (type !== 'object' || Object.keys(properties).length > 0) return false
    const isPlain = Object.keys(others).every((key) => key.startsWith('x-') || ANNOTATIONS.has(key))
    return isPlain && additionalProperties === false
  })

function* bodiless({ http }: Survey): Generator<FindingDetails> {
  for (const { responses } of http) {
    for (const { status, content, source } of responses) {
      if (content.length === 0 || !/^(1..|204|205|304)$/.test(status)) continue
      yield {
        location: source.locate('content'),
        message: `a response with status ${status} has no body: remove its content, or declare another status`,
      }
    }
  }
}

function* lostLinks({ api, http }: Survey): Generator<FindingDetails> {
  const ids = new Set(api.operations.map(({ id }) => id))
  for (const { links, responses } of http) {
    for (const { name, status, operation } of links) {
      const response = responses.find((one) => one.status === status)
      if (ids.has(operation) || !response) continue
      const fault =
        operation === '' ? 'has no target' : `leads to ${operation}, which neither document has`
      yield {
        location: response.source.locate('links', name),
        message: `the link ${name} ${fault}: name an operationId, or a method by x-rpc-method`,
      }
    }
  }
}

function* invalidParents({ documents }: Survey): Generator<FindingDetails> {
  const [document] = documents.filter(({ kind }) => kind === 'http')
  const { tags } = document?.bundled ?? {}
  if (!document || !Array.isArray(tags)) return
  const declared = tags.filter(isObject)
  const parents = new Map(declared.map(({ name, parent }) => [name, parent]))
  const circular = circlesIn(parents)
  for (const tag of declared) {
    const { name, parent } = tag
    if (typeof parent !== 'string') continue
    const fault = !parents.has(parent)
      ? `has the parent ${parent}, which is not declared: declare that tag, or remove the parent`
      : circular.has(name)
        ? `is within itself, by its parent ${parent}: name another parent, or remove it`
        : undefined
    if (fault === undefined) continue
    yield {
      location: document.sourceOf(tag).locate('parent'),
      message: `the tag ${name} ${fault}`,
    }
  }
}

/** The names that are their own ancestors. Each name is passed once. */
function circlesIn(parents: ReadonlyMap<unknown, unknown>): ReadonlySet<unknown> {
  const circular = new Set<unknown>()
  const passed = new Set<unknown>()
  for (let name of parents.keys()) {
    const path: unknown[] = []
    for (; parents.has(name) && !passed.has(name); name = parents.get(name)) {
      passed.add(name)
      path.push(name)
    }
    const start = path.indexOf(name)
    if (start !== -1) for (const one of path.slice(start)) circular.add(one)
  }
  return circular
}
