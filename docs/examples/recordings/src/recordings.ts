import { EventEmitter, on } from 'node:events'
import type { About, Recording } from '../generated/http.types.js'

/** Recordings in memory, with their sounds. A service of its own would have a database and a disk. */
export const createRecordings = () => {
  const kept: { readonly recording: Recording; readonly sound: File }[] = []
  const changes = new EventEmitter()
  const at = (id: string) => kept.findIndex(({ recording }) => recording.id === id)

  const add = (by: string, about: About, bytes: Uint8Array<ArrayBuffer>): Recording => {
    const id = `r-${kept.length + 1}`
    const recording = { ...about, id, by, bytes: bytes.length }
    kept.push({ recording, sound: new File([bytes], `${about.title}.wav`, { type: 'audio/wav' }) })
    changes.emit('added', recording)
    return recording
  }

  /** At most `limit` recordings from the one that a page before has named. */
  const page = (limit: number, cursor?: string) => {
    const start = cursor === undefined ? 0 : at(cursor)
    const recordings = start === -1 ? [] : kept.slice(start, start + limit)
    const next = start === -1 ? undefined : kept[start + limit]?.recording.id
    return {
      recordings: recordings.map(({ recording }) => recording),
      ...(next !== undefined && { next }),
    }
  }

  /** The last recording, and each that is added from now on, until `signal` aborts. */
  async function* watch(signal: AbortSignal): AsyncGenerator<Recording> {
    const last = kept.at(-1)
    if (last) yield last.recording
    for await (const [recording] of on(changes, 'added', { signal })) yield recording
  }

  return { add, page, watch, get: (id: string) => kept[at(id)], size: () => kept.length }
}
