import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isObject } from '../../../../src/runtime/validate/json-value.js'

/** A server of the shelf, which keeps its document unless a switch makes it do one thing wrongly. */
export const startShelf = async (fault?: string): Promise<Shelf> => {
  const handle = createShelf(fault)
  const count = { requests: 0 }
  const server = createServer(async (request, response) => {
    count.requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const given = handle(request, Buffer.concat(chunks))
    send(request, response, given, fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => count.requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

export type Shelf = {
  readonly url: string
  readonly requests: () => number
  readonly stop: () => Promise<unknown>
}

type Fields = Readonly<Record<string, unknown>>

type Given = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Book = Fields & { readonly id: string }

type Stored = { readonly book: Book; readonly version: number }

const send = (
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, body, headers = {} }: Given,
  fault: string | undefined,
): void => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const bytes = Buffer.from(text, fault === 'answers-in-latin-1' ? 'latin1' : 'utf8')
  const isBare = status === 204 || status === 304
  const length = method === 'HEAD' && fault === 'head-has-length-zero' ? 0 : bytes.length
  response.writeHead(status, {
    ...(isBare ? {} : { 'content-type': 'application/json', 'content-length': length }),
    ...(status === 204 && fault === 'no-content-has-a-length' && { 'content-length': 0 }),
    ...headers,
  })
  response.end(isBare || method === 'HEAD' ? undefined : bytes)
}

const rejected = (status: number, error: string, headers = {}): Given => ({
  ...{ status, headers },
  body: { error },
})

const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most

const isCount = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

const isTag = (value: unknown): boolean => typeof value === 'string' && /^[a-z]{1,8}$/.test(value)

const isOnly = (value: Fields, names: string): boolean =>
  Object.keys(value).every((name) => names.split(' ').includes(name))

const isBook = (value: unknown): value is Fields =>
  isObject(value) &&
  isOnly(value, 'id title pages language tags pin') &&
  isText(value.title, 1, 40) &&
  isCount(value.pages, 1, 5000) &&
  (value.language === 'en' || value.language === 'fr') &&
  Array.isArray(value.tags) &&
  value.tags.length <= 3 &&
  value.tags.every(isTag) &&
  (value.pin === undefined || isText(value.pin, 4, 8))

const isPatch = (value: unknown): value is Fields =>
  isObject(value) &&
  isOnly(value, 'title pages') &&
  Object.keys(value).length > 0 &&
  (value.title === undefined || isText(value.title, 1, 40)) &&
  (value.pages === undefined || isCount(value.pages, 1, 5000))

const isReview = (value: unknown): value is Fields =>
  isObject(value) &&
  isOnly(value, 'reviewId stars text') &&
  isCount(value.stars, 1, 5) &&
  isText(value.text, 0, 60)

const isLabel = (value: unknown): value is Fields =>
  isObject(value) &&
  isOnly(value, 'color weight') &&
  ['red', 'green', 'blue'].includes(String(value.color)) &&
  typeof value.color === 'string' &&
  isCount(value.weight, 0, 9)

const FIRST: readonly Fields[] = [
  { title: 'Emma', pages: 400, language: 'en', tags: [] },
  { title: 'Candide', pages: 120, language: 'fr', tags: ['novel'] },
  { title: 'Ulysses', pages: 700, language: 'en', tags: [] },
  { title: 'Dracula', pages: 420, language: 'en', tags: ['horror'] },
  { title: 'Nana', pages: 450, language: 'fr', tags: [] },
]

const createShelf = (fault: string | undefined) => {
  const is = (name: string) => fault === name
  const books = new Map<string, Stored>()
  const reviews = new Map<string, Fields>()
  const labels = new Map<string, unknown>()
  const keys = new Map<string, Given>()
  /** What a cache still has. */
  const cached = new Map<string, Stored>()
  let count = 0
  let asked = 0
  /** Reads until a change is visible. */
  const late = new Map<string, { left: number; readonly former: Stored | undefined }>()
  const delay = (id: string, former: Stored | undefined) => late.set(id, { left: 2, former })
  const put = (book: Book, version: number) => {
    const stored = { book, version }
    if (is('changes-are-late')) delay(book.id, books.get(book.id))
    books.set(book.id, stored)
    if (!is('read-is-cached') || !cached.has(book.id)) cached.set(book.id, stored)
  }
  const add = (value: Fields): Book => {
    count += 1
    const id = is('created-books-share-an-id') && count > FIRST.length ? 'b6' : `b${count}`
    const { pin: _, ...rest } = value
    const book = { ...rest, id, tags: value.tags }
    put(book, 1)
    return book
  }
  for (const one of FIRST) add(one)

  const tagOf = ({ book: { id }, version }: Stored): string => {
    if (is('etag-without-quotes')) return `v${version}-${id}`
    if (is('etag-with-small-w')) return `w/"v${version}-${id}"`
    if (is('weak-etag-stays')) return `W/"${id}"`
    if (is('etag-changes-each-time')) return `"${++asked}"`
    return is('etag-stays-after-a-change') ? `"${id}"` : `"v${version}-${id}"`
  }

  const matches = (header: string, tag: string): boolean => {
    const plain = (one: string) => one.trim().replace(/^W\//, '')
    if (header.trim() === '*') return !is('star-matches-nothing')
    if (is('only-one-tag-is-compared')) return plain(header) === plain(tag)
    if (is('weak-tags-match-nothing')) return header.split(',').some((one) => one.trim() === tag)
    return header.split(',').some((one) => plain(one) === plain(tag))
  }

  const readBook = ({ headers }: IncomingMessage, id: string): Given => {
    const waiting = late.get(id)
    if (waiting !== undefined && waiting.left > 0) waiting.left -= 1
    const found =
      waiting !== undefined && waiting.left > 0
        ? waiting.former
        : is('read-is-cached') || is('deleted-is-cached')
          ? cached.get(id)
          : books.get(id)
    if (found !== undefined && is('reads-are-counted'))
      books.set(id, {
        book: { ...found.book, pages: (Number(found.book.pages) % 4_999) + 1 },
        version: found.version + 1,
      })
    if (found === undefined) {
      if (is('deleted-fails') && /^b\d+$/.test(id) && Number(id.slice(1)) <= count)
        return rejected(500, 'x')
      return is('unknown-book-is-empty') ? { status: 200, body: {} } : rejected(404, 'no such book')
    }
    const tag = tagOf(found)
    const condition = headers['if-none-match']
    const isAny = is('each-condition-is-met') && condition !== undefined
    const isMet =
      condition !== undefined && !is('conditions-are-ignored') && matches(condition, tag)
    if (isAny || isMet)
      return { status: 304, headers: is('not-modified-has-no-tag') ? {} : { etag: tag } }
    const body = is('read-shortens-the-title')
      ? { ...found.book, title: [...String(found.book.title)].slice(0, 3).join('') }
      : is('read-is-of-another')
        ? { ...found.book, id: 'b1' }
        : found.book
    const modified = is('last-modified-is-iso')
      ? '2026-11-22T10:00:00Z'
      : 'Sun, 22 Nov 2026 10:00:00 GMT'
    return { status: 200, headers: { etag: tag, 'last-modified': modified }, body }
  }

  const changeBook = (request: IncomingMessage, id: string, body: Buffer): Given => {
    const { method = '', headers } = request
    const found = books.get(id)
    if (found === undefined) {
      if (is('change-of-a-deleted-book-fails')) return rejected(500, 'x')
      return rejected(404, 'no such book')
    }
    const isIgnored = is(`condition-of-${method.toLowerCase()}-is-ignored`)
    const match = headers['if-match']
    if (match !== undefined && !isIgnored && !matches(match, tagOf(found)))
      return rejected(412, 'another version')
    if (method === 'DELETE') {
      if (!is('delete-does-nothing') && !is('deleted-is-cached')) cached.delete(id)
      if (is('changes-are-late')) delay(id, found)
      if (is('delete-only-marks')) put({ ...found.book, title: 'deleted' }, found.version + 1)
      else if (!is('delete-does-nothing')) books.delete(id)
      return { status: 204 }
    }
    const value = readJson(
      request,
      body,
      method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    )
    if ('status' in value) return value
    const isChecked = !is(`${method.toLowerCase()}-is-not-validated`)
    const isRight = method === 'PUT' ? isBook(value.json) : isPatch(value.json)
    if (isChecked && !isRight) return rejected(400, 'invalid')
    const given: Fields = isRight ? (value.json as Fields) : {}
    const { pin: _, id: _own, ...rest } = given
    const plain: Book = { ...found.book, ...rest, id }
    const changed: Book = is('titles-are-normalised')
      ? { ...plain, title: String(plain.title).toLowerCase() }
      : plain
    const { title, pages } = found.book
    const isLost = is('put-is-not-stored') && method === 'PUT'
    const stored: Book =
      isLost || (is('patch-is-not-stored') && method === 'PATCH')
        ? found.book
        : is('put-forgets-pages') && method === 'PUT'
          ? { ...changed, pages }
          : is('put-forgets-title') && method === 'PUT'
            ? { ...changed, title }
            : changed
    put(stored, found.version + 1)
    return {
      status: 200,
      body: is('pin-comes-back') ? { ...changed, pin: given.pin ?? '1234' } : changed,
    }
  }

  const addBook = (request: IncomingMessage, body: Buffer): Given => {
    const value = readJson(request, body, 'application/json')
    if ('status' in value) return value
    const key = request.headers['idempotency-key']
    if (key !== undefined && (String(key).length < 1 || String(key).length > 64))
      return rejected(400, 'key')
    if (!isBook(value.json)) return rejected(400, 'no book')
    const known = typeof key === 'string' && !is('key-is-ignored') ? keys.get(key) : undefined
    if (known !== undefined && is('repeated-key-is-rejected'))
      return rejected(400, 'the key was used')
    if (known !== undefined) return is('repeated-key-fails') ? rejected(500, 'x') : known
    if (is('client-sets-no-id') && 'id' in value.json)
      return rejected(400, 'the server sets the id')
    const book = add(value.json)
    if (is('created-is-not-stored')) books.delete(book.id)
    const path = is('location-leads-nowhere') ? `/books/b9${book.id.slice(1)}` : `/books/${book.id}`
    const host = is('location-is-absolute') ? `http://${request.headers.host}` : ''
    const location = is('location-has-a-blank') ? `${path}?of=a shelf` : `${host}${path}`
    const given = {
      status: 201,
      headers: { location },
      body: is('created-names-another') ? { ...book, id: 'b1' } : book,
    }
    if (typeof key === 'string') keys.set(key, given)
    return given
  }

  const list = (query: Query): Given => {
    const [limit] = query.get('limit') ?? ['50']
    const [language] = query.get('language') ?? []
    const [cursor = '0'] = query.get('cursor') ?? []
    const tags = query.get('tag') ?? []
    const isOnce = ['limit', 'language', 'cursor'].every(
      (name) => (query.get(name) ?? []).length < 2,
    )
    const isRight =
      isOnce &&
      /^\d{1,3}$/.test(limit ?? '') &&
      isCount(Number(limit), 1, 50) &&
      (language === undefined || language === 'en' || language === 'fr') &&
      /^\d{1,6}$/.test(cursor) &&
      tags.length <= 3 &&
      tags.every(isTag)
    if (!isRight && !(is('tags-are-not-validated') && !tags.every(isTag)))
      return rejected(400, 'query')
    const all = [...books.values()]
      .map(({ book }) => book)
      .filter(
        (one) => language === undefined || is('filter-is-ignored') || one.language === language,
      )
      .filter(
        ({ tags: own }) =>
          is('tag-filter-is-ignored') ||
          tags.every((tag) => (own as readonly string[]).includes(tag)),
      )
    const from = is('pages-repeat') ? 0 : Number(cursor)
    const size = is('limit-is-ignored') ? 50 : is('pages-are-small') ? 1 : Number(limit)
    const items = all.slice(from, from + size)
    const next = is('pages-repeat') ? '2' : from + size < all.length ? String(from + size) : null
    return {
      status: 200,
      body: { items, next: is('next-page-is-a-number') && next !== null ? Number(next) : next },
    }
  }

  const reviewsOf = (
    request: IncomingMessage,
    id: string,
    reviewId: string | undefined,
    body: Buffer,
  ): Given => {
    const { method = '' } = request
    const isThere = books.has(id) || (is('reviews-outlive-their-book') && reviewId !== undefined)
    if (!isThere) return rejected(404, 'no such book')
    if (reviewId === undefined) {
      const value = readJson(request, body, 'application/json')
      if ('status' in value) return value
      if (!isReview(value.json) && !is('review-is-not-validated')) return rejected(400, 'no review')
      const number = reviews.size + 1
      const given: Fields = isReview(value.json) ? value.json : { stars: 1, text: '' }
      const review = { stars: given.stars, text: given.text, reviewId: number }
      reviews.set(
        `${id}/${number}`,
        is('review-loses-its-stars') ? { ...review, stars: 3 } : review,
      )
      return { status: 201, headers: { location: `/books/${id}/reviews/${number}` }, body: review }
    }
    const key = `${id}/${reviewId}`
    const found = reviews.get(key)
    if (found === undefined) return rejected(404, 'no such review')
    if (method !== 'DELETE') return { status: 200, body: found }
    if (!is('review-stays')) reviews.delete(key)
    return { status: 204 }
  }

  const labelOf = (request: IncomingMessage, segment: string, body: Buffer): Given => {
    const { method = '' } = request
    const name = decoded(segment)
    if (name === undefined && is('broken-escape-fails')) return rejected(500, 'x')
    if (name === undefined || [...name].length > 20) {
      return is('long-name-fails') && segment.length > 500
        ? rejected(500, 'x')
        : rejected(400, 'name')
    }
    if (is('encoded-slash-is-refused') && name.includes('/')) return rejected(404, 'nothing here')
    if (is('encoded-slash-fails') && name.includes('/')) return rejected(500, 'x')
    if (is('null-byte-fails') && name.includes('\0')) return rejected(500, 'x')
    if (is('other-letters-fail') && /[^\0-\x7f]/.test(name)) return rejected(500, 'x')
    if (is('member-of-objects-fails') && name in {}) return rejected(500, 'x')
    const found = labels.get(name)
    if (method === 'PUT') {
      const value = readJson(request, body, 'application/json')
      if ('status' in value) return value
      if (!isLabel(value.json) && !is('label-is-not-validated')) return rejected(400, 'no label')
      const kept = isLabel(value.json) ? value.json : { color: 'red', weight: 1 }
      if (found === undefined || !is('label-is-stored-once')) labels.set(name, kept)
      return { status: 204 }
    }
    if (method === 'DELETE') {
      if (found === undefined)
        return is('second-delete-fails') ? rejected(500, 'x') : rejected(404, 'no such label')
      if (!is('label-stays')) labels.delete(name)
      return { status: 204 }
    }
    return found === undefined ? rejected(404, 'no such label') : { status: 200, body: found }
  }

  const search = (query: Query): Given => {
    const one = (name: string) => {
      const all = query.get(name)
      return is('last-parameter-wins') ? all?.slice(-1) : all
    }
    const [q, ...more] = one('q') ?? []
    const [page, ...others] = one('page') ?? ['1']
    if (others.length > 0 && is('repeated-parameter-fails')) return rejected(500, 'x')
    if (page === '' && is('empty-parameter-fails')) return rejected(500, 'x')
    const isRight =
      more.length === 0 &&
      others.length === 0 &&
      q !== undefined &&
      isText(q, 1, 20) &&
      /^\d{1,3}$/.test(page ?? '') &&
      isCount(Number(page), 1, 100)
    if (!isRight && !(is('page-is-not-validated') && isText(q, 1, 20)))
      return rejected(400, 'query')
    return { status: 200, body: { q, hits: is('answers-in-latin-1') ? ['é'] : [] } }
  }

  return (request: IncomingMessage, body: Buffer): Given => {
    const { method = '', url = '' } = request
    const [path = '', text = ''] = url.split('?')
    const query = queryOf(text)
    if (query === undefined)
      return is('broken-query-fails') ? rejected(500, 'x') : rejected(400, 'query')
    const allowed = (methods: string) =>
      methods.split(', ').includes(method) ? undefined : rejected(405, 'method', { allow: methods })
    const [, root, id, part, inner, ...rest] = path.split('/')
    if (rest.length > 0 || path.endsWith('/')) return rejected(404, 'nothing here')
    if (root === 'search' && id === undefined) return allowed('GET, HEAD') ?? search(query)
    if (root === 'labels' && id !== undefined && part === undefined)
      return allowed('GET, HEAD, PUT, DELETE') ?? labelOf(request, id, body)
    if (root !== 'books') return rejected(404, 'nothing here')
    if (id === undefined)
      return (
        allowed('GET, HEAD, POST') ?? (method === 'POST' ? addBook(request, body) : list(query))
      )
    if (part === undefined) {
      const isRead = method === 'GET' || method === 'HEAD'
      return (
        allowed('GET, HEAD, PUT, PATCH, DELETE') ??
        (isRead ? readBook(request, id) : changeBook(request, id, body))
      )
    }
    if (part !== 'reviews') return rejected(404, 'nothing here')
    return (
      allowed(inner === undefined ? 'POST' : 'GET, HEAD, DELETE') ??
      reviewsOf(request, id, inner, body)
    )
  }
}

type Query = ReadonlyMap<string, readonly string[]>

/** Undefined if it cannot be decoded. */
const queryOf = (text: string): Query | undefined => {
  const query = new Map<string, readonly string[]>()
  for (const field of text.split('&').filter((one) => one !== '')) {
    const [name, value] = field.split('=', 2).map((one) => decoded(one.replaceAll('+', '%20')))
    if (name === undefined || (value === undefined && field.includes('='))) return undefined
    query.set(name, [...(query.get(name) ?? []), value ?? ''])
  }
  return query
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const readJson = (
  { headers }: IncomingMessage,
  body: Buffer,
  type: string,
): { readonly json: unknown } | Given => {
  const [own = '', parameters = ''] = (headers['content-type'] ?? '').toLowerCase().split(/;(.*)/s)
  const isUtf8 = parameters.trim() === '' || /^\s*charset="?utf-8"?\s*$/.test(parameters)
  if (own.trim() !== type || !isUtf8 || headers['content-encoding'] !== undefined)
    return rejected(415, `${type} is expected`)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return { json: JSON.parse(text) }
  } catch {
    return rejected(400, 'no JSON')
  }
}
