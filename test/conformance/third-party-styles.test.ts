import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toFetchHandler } from '../../src/runtime/server.js'
import { createProject, type Generated, installed } from './foreign-documents.js'

const project = createProject()
afterAll(() => project.remove())

/** A `fetch` that notes what was sent, for both clients. */
const recorder = (answer: () => Response) => {
  const sent: Request[] = []
  const fetch = async (target: string | Request, init?: RequestInit) => {
    sent.push(new Request(target, init))
    return answer()
  }
  return { sent, fetch }
}

describe('the parameters of a document that shows every style', () => {
  const values = {
    primitive: 'blue',
    array: ['blue', 'black', 'brown'],
    object: { name: 'sky', description: 'wide' },
  }
  /** Whatever a URL, a list or a pair could be split at. */
  const hostile = {
    primitive: 'a/b?c&d=e#f;g,h i%20+|☃',
    array: ['x,y', 'p|q r', '=&;', '%2C'],
    object: { name: 'k=v&w;x', description: 'a,b c|d' },
  }
  /** The styles that are named after what they split at have no way to write it inside a value. */
  const hostileFor = (id: string): typeof hostile => {
    const text = JSON.stringify(hostile)
    if (id.includes('spaceDelimited')) return JSON.parse(text.replaceAll(' ', ''))
    return id.includes('pipeDelimited') ? JSON.parse(text.replaceAll('|', '')) : hostile
  }
  let api: Generated['api']
  let load: Generated['load']
  beforeAll(async () => {
    const openapi = installed('@readme/oas-examples/3.0/json/parameters-style.json')
    const generated = await project.generate('styles', { openapi })
    api = generated.api
    load = generated.load
  })

  // OpenAPI 3.0.4, Parameter Object, "Style Examples"; in its words color, R=100 and so on.
  const path = '/anything/path'
  const query = '/anything/query'
  const rows: readonly (readonly [
    id: string,
    where: 'path' | 'query' | 'header' | 'cookie',
    want: string,
  ])[] = [
    ['paths_standard', 'path', `${path}/blue/blue,black,brown/name,sky,description,wide`],
    [
      'paths_simple_nonExploded',
      'path',
      `${path}/simple/blue/blue,black,brown/name,sky,description,wide`,
    ],
    [
      'paths_simple_exploded',
      'path',
      `${path}/simple/blue/blue,black,brown/name=sky,description=wide`,
    ],
    [
      'paths_label_nonExploded',
      'path',
      `${path}/label/.blue/.blue,black,brown/.name,sky,description,wide`,
    ],
    [
      'paths_label_exploded',
      'path',
      `${path}/label/.blue/.blue.black.brown/.name=sky.description=wide`,
    ],
    [
      'paths_matrix_nonExploded',
      'path',
      `${path}/matrix/;primitive=blue/;array=blue,black,brown/;object=name,sky,description,wide`,
    ],
    [
      'paths_matrix_exploded',
      'path',
      `${path}/matrix/;primitive=blue/;array=blue;array=black;array=brown/;name=sky;description=wide`,
    ],
    [
      'query_standard',
      'query',
      `${query}?primitive=blue&array=blue&array=black&array=brown&name=sky&description=wide`,
    ],
    [
      'query_form_exploded',
      'query',
      `${query}/form?primitive=blue&array=blue&array=black&array=brown&name=sky&description=wide`,
    ],
    [
      'query_form_nonExploded',
      'query',
      `${query}/form?primitive=blue&array=blue,black,brown&object=name,sky,description,wide`,
    ],
    [
      'query_spaceDelimited_nonExploded',
      'query',
      `${query}/spaceDelimited?array=blue%20black%20brown&object=name%20sky%20description%20wide`,
    ],
    [
      'query_pipeDelimited_nonExploded',
      'query',
      `${query}/pipeDelimited?array=blue%7Cblack%7Cbrown&object=name%7Csky%7Cdescription%7Cwide`,
    ],
    [
      'query_deepObject_nonExploded',
      'query',
      `${query}/deepObject?object%5Bname%5D=sky&object%5Bdescription%5D=wide`,
    ],
    [
      'headers_standard',
      'header',
      'primitive: blue\narray: blue,black,brown\nobject: name,sky,description,wide',
    ],
    [
      'headers_simple_nonExploded',
      'header',
      'primitive: blue\narray: blue,black,brown\nobject: name,sky,description,wide',
    ],
    [
      'headers_simple_exploded',
      'header',
      'primitive: blue\narray: blue,black,brown\nobject: name=sky,description=wide',
    ],
    [
      'cookies_standard',
      'cookie',
      'primitive=blue; array=blue; array=black; array=brown; name=sky; description=wide',
    ],
    [
      'cookies_form_exploded',
      'cookie',
      'primitive=blue; array=blue; array=black; array=brown; name=sky; description=wide',
    ],
    [
      'cookies_form_nonExploded',
      'cookie',
      'primitive=blue; array=blue,black,brown; object=name,sky,description,wide',
    ],
  ]

  const parametersOf = (id: string): readonly string[] =>
    api.operations.flatMap((one) =>
      one.kind === 'http' && one.id === id ? one.parameters.map(({ name }) => name) : [],
    )
  const inputOf = (id: string, where: string, from: object = values) => {
    const names = parametersOf(id)
    const given = Object.entries(from).filter(([name]) => names.includes(name))
    return { [where]: Object.fromEntries(given) }
  }

  it.each(rows)('%s', async (id, where, want) => {
    const { createHttpClient } = await load('http.client.ts')
    const { sent, fetch } = recorder(() => new Response())
    await createHttpClient?.({ fetch })[id](inputOf(id, where))
    const [request] = sent
    if (!request) throw new Error('nothing was sent')
    const { origin, pathname, search } = new URL(request.url)
    expect(origin).toBe('https://httpbin.org')
    const seen = {
      path: pathname + search,
      query: pathname + search,
      header: Object.keys(values)
        .map((name) => `${name}: ${request.headers.get(name)}`)
        .join('\n'),
      cookie: request.headers.get('cookie'),
    }
    expect(seen[where]).toBe(want)
  })

  it('are all of them in the table', () => {
    const all = api.operations.filter(({ id }) => parametersOf(id).length > 0)
    expect(rows.map(([id]) => id).sort()).toEqual(all.map(({ id }) => id).sort())
  })

  it('arrive at the generated server as they were sent', async () => {
    const received: Record<string, unknown> = {}
    const handlers = api.operations.map(({ id }) => [
      id,
      (input: Readonly<Record<string, unknown>>) => {
        received[id] = input
        return { status: 200 }
      },
    ])
    const { createServer } = await load('server.ts')
    const { createHttpClient } = await load('http.client.ts')
    const handler = toFetchHandler(createServer?.(Object.fromEntries(handlers)))
    const client = createHttpClient?.({
      server: 'http://127.0.0.1',
      fetch: (url: string, init: RequestInit) => handler(new Request(url, init)),
    })
    for (const [id, where] of rows) {
      // A fragment is never sent, so their paths are the one of cookies_standard.
      if (id.startsWith('cookies_form')) continue
      for (const given of where === 'header' ? [values] : [values, hostileFor(id)]) {
        // The members of an object among cookies cannot be distinguished from other people's cookies.
        const { object: _, ...rest } = given
        const input = inputOf(id, where, where === 'cookie' ? rest : given)
        await client[id](input)
        expect(received[id], id).toMatchObject(input)
      }
    }
  })
})
