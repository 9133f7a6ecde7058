/** Reads a stream of events and prints how long it kept the processor busy: `stream-client.ts URL ours|hand BYTES`. */
import { createHttp, type ItemStream } from '../../src/runtime/http.js'
import { openStream } from '../../src/runtime/streams.js'
import { declaredResponses } from '../runtime/declared.js'

const [url = '', by, bytes = '0'] = process.argv.slice(2)

type Item = { readonly id: number }

/** What a program without a library would write: one separator, no validation. */
async function* byHand(): AsyncGenerator<Item> {
  const response = await fetch(`${url}/watch?bytes=${bytes}`)
  const decoder = new TextDecoder()
  let rest = ''
  const reader = response.body?.getReader()
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    rest += decoder.decode(step.value, { stream: true })
    const events = rest.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6))
  }
}

const check = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && typeof (item as Item).id === 'number'

const client = createHttp<{ watch: (input: object) => Promise<ItemStream<Item>> }>(
  {
    servers: [{ name: 'one', url, variables: {} }],
    limits: {},
    operations: {
      watch: {
        kind: 'http',
        id: 'watch',
        method: 'GET',
        path: '/watch',
        servers: [],
        parameters: [{ name: 'bytes', in: 'query', required: true, style: 'form', explode: true }],
        responses: declaredResponses(
          { 200: ['text/event-stream'] },
          { 200: { 'text/event-stream': { item: 'data', data: 'json' } } },
        ),
        security: [],
        schemes: {},
      },
    },
  },
  { watch: { responses: {}, items: { 200: { check } } } },
  { timeout: 600_000 },
  async () => ({}),
  { openStream },
)

const began = process.cpuUsage()
let items = 0
let largest = 0
const stream = by === 'ours' ? await client.watch({ query: { bytes: Number(bytes) } }) : byHand()
for await (const { id } of stream) {
  items += id > 0 ? 1 : 0
  if (items % 100_000 === 0) largest = Math.max(largest, process.memoryUsage().rss)
}
const { user, system } = process.cpuUsage(began)
// Of the processor: other programs of the machine do not count.
const seconds = (user + system) / 1e6
console.log(JSON.stringify({ items, seconds, largest: Math.round(largest / 1e6) }))
