import { pino } from 'pino'
import { keysThroughSocket } from '../../src/service/access/control-socket.js'
import { createKeys, type Keys } from '../../src/service/access/keys.js'
import { openStore } from '../../src/service/store/open-store.js'

/** Makes API keys as `npm run keys -- create` does: in the database, or through the control socket of the service that holds the folder. */
export const createKeysIn = async (
  place: { readonly databaseUrl: string } | { readonly folder: string },
  count: number,
): Promise<readonly string[]> => {
  if ('folder' in place) {
    const keys = await keysThroughSocket(place.folder)
    if (keys === undefined) throw new Error(`no service holds ${place.folder}`)
    return make(keys, count)
  }
  const store = await openStore({ ...place, log: pino({ level: 'silent' }) })
  try {
    return await make(createKeys(store), count)
  } finally {
    await store.close()
  }
}

const make = async (keys: Pick<Keys, 'create'>, count: number): Promise<readonly string[]> => {
  const made: string[] = []
  for (let index = 0; index < count; index += 1)
    made.push((await keys.create({ name: `trial ${index}`, kind: 'private' })).key)
  return made
}
