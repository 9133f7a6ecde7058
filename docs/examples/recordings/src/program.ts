import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createClient } from '../generated/client.js'

const [server = 'http://127.0.0.1:8080', source = 'salve.wav', copy = 'copy.wav'] =
  process.argv.slice(2)

const visitor = createClient({ server })
const { token } = await visitor.http.logIn({ body: { name: 'ada', password: 'lovelace' } })
const { http, rpc } = createClient({ server, auth: { token } })

const sound = await openAsBlob(source)
const { id } = await http.uploadRecording({ body: { about: { title: 'Salve Regina' }, sound } })
console.log('uploaded', id)

const file = await http.downloadRecording({ path: { id } })
await writeFile(copy, file.stream())
console.log('downloaded', file.size, 'bytes', ...(file instanceof File ? [file.name] : []))
const start = await http.downloadRecording({ path: { id }, header: { Range: 'bytes=0-3' } })
console.log('begins with', await start.text())

for await (const { at, word } of await http.transcribeRecording({ path: { id } })) {
  console.log(at, word)
}
for await (const { title } of await http.watchRecordings()) {
  console.log('latest', title)
  break
}
for await (const { title } of http.listRecordings.items()) console.log('listed', title)
for await (const title of rpc.recordingsList.items()) console.log('over JSON-RPC', title)
