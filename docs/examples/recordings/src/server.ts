import { createServer as listen } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer, toNodeListener } from '../generated/server.js'
import { createRecordings } from './recordings.js'

const members = new Map([['ada', { password: 'lovelace', token: 'token-of-ada' }]])
const names = new Map([...members].map(([name, { token }]) => [token, name]))

const recordings = createRecordings()
const silence = new Uint8Array(44)
for (const title of ['Ubi caritas', 'Dona nobis pacem', 'Locus iste']) {
  recordings.add('ada', { title }, silence)
}

const unknown = (id: string) =>
  ({ status: 404, body: { error: `there is no recording ${id}` } }) as const

async function* wordsOf(title: string, signal: AbortSignal) {
  for (const [index, word] of title.split(' ').entries()) {
    await wait(1, undefined, { signal })
    yield { at: index / 2, word }
  }
}

const server = createServer(
  {
    logIn: ({ body: { name, password } }) => {
      const member = members.get(name)
      return member?.password === password
        ? { status: 200, body: { token: member.token } }
        : { status: 401, body: { error: 'the name or the password is wrong' } }
    },
    listRecordings: ({ query: { cursor, limit = 2 } }) => ({
      status: 200,
      body: recordings.page(limit, cursor),
    }),
    uploadRecording: async ({ body: { about, sound } }, { identity }) => ({
      status: 201,
      body: recordings.add(identity.token, about, await sound.bytes()),
    }),
    getRecording: ({ path: { id } }) => {
      const found = recordings.get(id)
      return found ? { status: 200, body: found.recording } : unknown(id)
    },
    downloadRecording: ({ path: { id } }) => {
      const found = recordings.get(id)
      return found ? { status: 200, body: found.sound } : unknown(id)
    },
    transcribeRecording: ({ path: { id } }, { signal }) => {
      const found = recordings.get(id)
      return found ? { status: 200, body: wordsOf(found.recording.title, signal) } : unknown(id)
    },
    watchRecordings: (_, { signal }) => ({ status: 200, body: recordings.watch(signal) }),
    recordingsList: ([cursor = 0]) => {
      const { recordings: all } = recordings.page(recordings.size())
      const titles = all.slice(cursor, cursor + 2).map(({ title }) => title)
      return { titles, ...(cursor + 2 < all.length && { next: cursor + 2 }) }
    },
    recordingsCount: () => recordings.size(),
  },
  { authenticate: { token: (token: string) => names.get(token) } },
)

const { PORT = '8080' } = process.env
const node = listen(toNodeListener(server))
node.listen(Number(PORT), '127.0.0.1', () => {
  const address = node.address()
  console.log(typeof address === 'string' ? address : `http://127.0.0.1:${address?.port}`)
})
