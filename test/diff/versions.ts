import { diff } from '../../src/diff/diff.js'
import type { Finding } from '../../src/model/finding.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'

export const TODAY = new Date('2026-06-15T12:00:00Z')

/** What changed between two texts of OpenAPI documents, of OpenRPC documents, or both. */
export const changesOf = async (before: Texts, after: Texts): Promise<readonly Finding[]> =>
  diff(await apiOf(before, 'old'), await apiOf(after, 'new'), { today: TODAY })

/** The same, as people read it. */
export const findingsOf = async (before: Texts, after: Texts): Promise<string> =>
  written(await changesOf(before, after))

export const written = (findings: readonly Finding[]): string =>
  findings
    .map(({ rule, level, location, before: was, message, advice, witness }) => {
      const places = `${placeOf(location)}${was ? ` (${placeOf(was)})` : ''}`
      const shown = witness ? `\n  shown by: ${JSON.stringify(witness.value)}` : ''
      const instead = advice ? `\n  instead: ${advice}` : ''
      return `${level} ${rule}\n  ${message}\n  at ${places}${shown}${instead}`
    })
    .join('\n')

export type Texts = { readonly http?: string; readonly rpc?: string }

const placeOf = ({ file, line }: Finding['location']) => `${file}:${line}`

const apiOf = ({ http, rpc }: Texts, version: string) =>
  loadApi({
    openapi: http === undefined ? undefined : parseDocument(http, `${version}.openapi.yaml`),
    openrpc: rpc === undefined ? undefined : parseDocument(rpc, `${version}.openrpc.yaml`),
  })

/** An OpenAPI document with one operation, `GET /orders/{id}`; each line of `operation` is a member of it. */
export const orders = (operation: string, rest = '', path = '/orders/{id}'): Texts => ({
  http: `openapi: 3.1.0
info: { title: Orders, version: '1' }
${rest}
paths:
  ${path}:
    get:
${lines(operation, 6)}
${operation.includes('responses:') ? '' : "      responses: { '200': { description: ok } }"}
`,
})

/** An OpenRPC document with one method, `order_get`. */
export const method = (members: string, rest = ''): Texts => ({
  rpc: `openrpc: 1.3.2
info: { title: Orders, version: '1' }
${rest}
methods:
  - name: order_get
${lines(members, 4)}
${members.includes('params:') ? '' : '    params: []'}
${members.includes('result:') || members.includes('no-result') ? '' : '    result: { name: order, schema: {} }'}
`,
})

const lines = (text: string, indent: number): string =>
  text
    .split('\n')
    .map((line) => `${' '.repeat(indent)}${line.trim()}`)
    .join('\n')
