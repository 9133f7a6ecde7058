import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORPORA } from '../conformance/corpora.js'
import { apiOf } from '../read/api-of.js'
import { lspDocument } from './lsp-document.js'

const FILE = join(CORPORA, 'protocols/lsp-metaModel.json')

/** Why tests of LSP are skipped; undefined if its meta model is there. */
export const whyNoModel = existsSync(FILE) ? undefined : `skipped: there is no ${FILE}`

/** The whole Language Server Protocol. */
export const readLsp = async () =>
  await apiOf({ openrpc: lspDocument(JSON.parse(readFileSync(FILE, 'utf8'))) })
