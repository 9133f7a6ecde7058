import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { FolderInUse } from '../store/folder-lock.js'
import { openStore } from '../store/open-store.js'
import { StoreError } from '../store/store.js'
import { type KeysAdmin, keysThroughSocket } from './control-socket.js'
import { createKeys } from './keys.js'

/**
 * Does `work` on the keys of a service, whether it runs or not: in its database or, where it keeps a store in a folder, through the
 * running service's door or in the folder itself, where `isNew` makes a store that a service finds when it first starts. Rejects
 * with a StoreError where there is no such store, and with StoreUnavailable where it does not answer.
 */
export async function withKeys<T>(
  place: KeysPlace,
  work: (keys: KeysAdmin) => Promise<T>,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<T> {
  if ('folder' in place) {
    const through = await keysThroughSocket(place.folder)
    if (through) return work(through)
    if (!isNew && !existsSync(join(place.folder, 'store'))) {
      throw new StoreError(
        `there is no store in ${place.folder}: a service that was started with --data ${place.folder} makes one, and so does \`twinspec keys create --new\``,
      )
    }
  }
  const store = await openStore({ ...place, log: pino({ level: 'silent' }) }).catch(tell)
  try {
    return await work(createKeys(store))
  } finally {
    await store.close()
  }
}

export type KeysPlace = { readonly databaseUrl: string } | { readonly folder: string }

function tell(error: unknown): never {
  if (!(error instanceof FolderInUse)) throw error
  throw new StoreError(
    `${error.folder} is in use by ${error.who}, which does not answer: try again`,
    { cause: error },
  )
}
