import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Cell } from '../../src/compatibility/cell.js'
import { clientFiles } from '../../src/compatibility/client-files.js'
import {
  type CompatibilityOptions,
  compareVersions,
  type OldVersion,
} from '../../src/compatibility/compatibility.js'
import {
  type CreateClient,
  createClientFolder,
  loadClient,
} from '../../src/compatibility/load-client.js'
import type { Api } from '../../src/model/api.js'
import { type Document, parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { disagreements } from './agreement.js'

/** The cells of one version and the next, with where they contradict diff. The client is generated, written and loaded. */
export const tryPair = async (
  old: Api,
  now: Api,
  server?: string,
  more: Pick<CompatibilityOptions, 'readOnly' | 'signal'> = {},
): Promise<Tried> => {
  const createClient = await clientOf(old)
  const version: OldVersion = { name: 'old', before: old, after: now, createClient }
  const matrix = await compareVersions([version], { today: TODAY, server, ...more })
  const contradictions = disagreements(matrix, { isMock: server === undefined })
  return {
    cells: matrix.cells,
    contradictions: contradictions.map(({ operation, why }) => `${operation}: ${why}`),
  }
}

/** In one folder, so that all clients share one runtime. */
const folder = createClientFolder()
afterAll(folder.remove)

let count = 0
const clients = new WeakMap<Api, Promise<CreateClient>>()

const clientOf = (api: Api): Promise<CreateClient> => {
  const made = clients.get(api)
  if (made) return made
  count += 1
  const name = `client-${count}`
  const client = loadClient(join(folder.write(clientFiles(api, name)), name, 'client.js'))
  clients.set(api, client)
  return client
}

export type Tried = { readonly cells: readonly Cell[]; readonly contradictions: readonly string[] }

export const TODAY = new Date('2030-01-31')

/** An Api of one text: OpenAPI, OpenRPC, or both apart by `---`. */
export const apiOf = (text: string): Promise<Api> => {
  const documents: Record<string, Document> = {}
  for (const part of text.split(/^---$/m)) {
    const kind = part.includes('openrpc:')
      ? 'openrpc'
      : part.includes('arazzo:')
        ? 'arazzo'
        : 'openapi'
    documents[kind] = parseDocument(part, `${kind}.yaml`)
  }
  return loadApi(documents)
}
