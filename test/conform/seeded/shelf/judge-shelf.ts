import { type ConformOptions, conform, type Verdict } from '../../../../src/conform/conform.js'
import { parseDocument } from '../../../../src/read/document.js'
import { loadApi } from '../../../../src/read/load.js'
import { SHELF } from './shelf-document.js'
import { startShelf } from './shelf-server.js'

const api = await loadApi({ openapi: parseDocument(SHELF, 'shelf.yaml') })

/** What a run finds of a shelf with one fault. Whatever waits for a state waits by a clock of its own. */
export const judgeShelf = async (
  fault?: string,
  options: ConformOptions = {},
): Promise<Verdict> => {
  const shelf = await startShelf(fault)
  let slept = 0
  try {
    return await conform(api, {
      ...{ url: shelf.url, rate: null, maxExamples: 5, milliseconds: 5_000 },
      now: () => performance.now() + slept,
      sleep: async (milliseconds) => {
        slept += milliseconds
      },
      ...options,
    })
  } finally {
    await shelf.stop()
  }
}
