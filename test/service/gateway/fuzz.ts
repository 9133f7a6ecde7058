import fc from 'fast-check'

/** One HTTP request as bytes, mostly almost right. */
export type Attempt = {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  /** How long the body is said to be, or in chunks. */
  readonly framing: 'length' | 'chunks'
}

/** Random and mutated requests for one endpoint, whose path has `{key}` where a key may stand. */
export const attempts = (
  paths: readonly string[],
  samples: readonly string[],
): fc.Arbitrary<Attempt> =>
  fc.record({
    method: fc.oneof(
      { weight: 8, arbitrary: fc.constant('POST') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'GET',
          'PUT',
          'DELETE',
          'OPTIONS',
          'HEAD',
          'PATCH',
          'TRACE',
          'PROPFIND',
          'M-SEARCH',
        ),
      },
    ),
    path: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...paths) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...paths), fc.webPath(), fc.webQueryParameters())
          .map(([path, more, query]) => `${path}${encodeURI(more)}?${query}`.slice(0, 4_000)),
      },
    ),
    headers: fc.array(
      fc.oneof(
        fc.constantFrom<readonly [string, string]>(
          ['content-encoding', 'gzip'],
          ['content-type', 'text/html'],
          ['content-type', 'application/json; charset=utf-16'],
          ['accept', 'x'],
          ['expect', '100-continue'],
          ['x-forwarded-for', '1.1.1.1, ,,x'],
          ['origin', 'null'],
          ['access-control-request-method', 'POST'],
          ['upgrade', 'websocket'],
          ['cookie', '%%%;=;='],
          ['accept-version', '1.x'],
          ['__proto__', 'x'],
        ),
        fc
          .tuple(fc.stringMatching(/^[a-z]{1,12}$/), fc.stringMatching(/^[ -~]{0,40}$/))
          .map(([name, value]): readonly [string, string] => [`x-${name}`, value]),
      ),
      { maxLength: 3 },
    ),
    body: fc.oneof(
      { weight: 6, arbitrary: mutated(samples) },
      { weight: 2, arbitrary: fc.json({ maxDepth: 4 }).map(bytes) },
      { weight: 2, arbitrary: shuffled(samples) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom(
            '['.repeat(20_000),
            '{"a":'.repeat(5_000),
            '',
            '[[[[]]]]',
            '"\\ud800"',
            '-0',
            '1e999',
            '{"__proto__":1}',
          )
          .map(bytes),
      },
    ),
    framing: fc.constantFrom('length', 'length', 'chunks'),
  })

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A sample with some of its bytes cut, doubled or replaced. */
const mutated = (samples: readonly string[]): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(
        fc.tuple(
          fc.nat(10_000),
          fc.constantFrom('cut', 'double', 'replace', 'insert'),
          fc.nat(255),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([sample, changes]) => {
      let now = [...bytes(sample)]
      for (const [where, how, byte] of changes) {
        const at = where % (now.length + 1)
        if (how === 'cut') now = now.slice(0, at)
        else if (how === 'double') now = [...now.slice(0, at), ...now]
        else now.splice(at, how === 'replace' ? 1 : 0, byte)
      }
      return Uint8Array.from(now)
    })

/** The right fields with wrong values, and some that are of another form. */
const shuffled = (samples: readonly string[]): fc.Arbitrary<Uint8Array> => {
  const fields = [...new Set(samples.flatMap((sample) => Object.keys(JSON.parse(sample))))]
  return fc
    .uniqueArray(fc.constantFrom(...fields), { maxLength: 5 })
    .chain((names) =>
      fc.record(
        Object.fromEntries(
          names.map((name) => [
            name,
            fc.oneof(
              fc.jsonValue(),
              fc.constantFrom(...samples.map((sample) => JSON.parse(sample)[name])),
            ),
          ]),
        ),
      ),
    )
    .map((value) => bytes(JSON.stringify(value)))
}

export const written = ({ method, path, headers, body, framing }: Attempt): Uint8Array => {
  const own = headers.some(([name]) => name === 'content-type')
    ? []
    : [['content-type', 'application/json'] as const]
  const frame =
    framing === 'length'
      ? (['content-length', String(body.byteLength)] as const)
      : (['transfer-encoding', 'chunked'] as const)
  const lines = [
    ...headers,
    ...own,
    frame,
    ['host', 'x'] as const,
    ['connection', 'close'] as const,
  ].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
  if (framing === 'length') return Buffer.concat([Buffer.from(head), body])
  const chunk = body.byteLength === 0 ? '' : `${body.byteLength.toString(16)}\r\n`
  return Buffer.concat([
    Buffer.from(head + chunk),
    body,
    Buffer.from(`${body.byteLength === 0 ? '' : '\r\n'}0\r\n\r\n`),
  ])
}
