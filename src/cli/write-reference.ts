import { parentPort, workerData } from 'node:worker_threads'
import { writeDocs } from '../docs/docs.js'
import { POLICY } from '../docs/layout.js'
import { parseDocument } from '../model/document.js'
import { loadApi } from '../model/load.js'
import type { Order, Site } from './reference.js'

/** Runs in a thread, which `createReference` starts: writes the site of the documents that it is given, and ends. */
const { openapi, openrpc } = workerData as Order
const api = await loadApi({
  openapi: parseDocument(openapi, 'http.openapi.json'),
  openrpc: parseDocument(openrpc, 'rpc.openrpc.json'),
})
const site: Site = { files: writeDocs(api, { server: 'origin' }), policy: POLICY }
parentPort?.postMessage(site)
