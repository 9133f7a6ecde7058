import type { Worker, WorkerOptions } from 'node:worker_threads'

/**
 * The reference of both documents for whoever serves it at `/docs/`. A thread writes it each time that `read` is called, which
 * takes seconds and a compiler's memory, so that the caller goes on answering meanwhile; `close` ends what is still at it.
 */
export const createReference = (documents: Documents, startThread: StartThread): Reference => {
  const threads = new Set<Worker>()
  return {
    read: () =>
      new Promise((resolve, reject) => {
        const workerData = {
          openapi: JSON.stringify(documents.openapi),
          openrpc: JSON.stringify(documents.openrpc),
        }
        const thread = startThread(new URL('./write-reference.js', import.meta.url), { workerData })
        threads.add(thread)
        thread.once('message', resolve)
        thread.once('error', reject)
        thread.once('exit', (code) => {
          threads.delete(thread)
          reject(new Error(`the thread that writes the reference ended with ${code}`))
        })
      }),
    close: async () => {
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }
}

export type Reference = {
  readonly read: () => Promise<Site>
  readonly close: () => Promise<void>
}

/** Path below the folder -> text, and the Content-Security-Policy of every page. */
export type Site = {
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly policy: string
}

/** Whole documents, with all that they refer to. */
export type Documents = { readonly openapi: object; readonly openrpc: object }

/** What a thread that writes it is given: the documents' texts. */
export type Order = { readonly openapi: string; readonly openrpc: string }

/** Runs one of our files, which is named as it is in the built package, in a thread. */
type StartThread = (file: URL, options: WorkerOptions) => Worker
