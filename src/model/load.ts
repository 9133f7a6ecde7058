import { dirname, join, resolve } from 'node:path'
import { joinPointer } from '../runtime/shared/pointer.js'
import { type Checker, createChecker } from '../schema/check.js'
import type { Schema } from '../schema/schema.js'
import type { Api, NamedSchema, Operation, RpcOperation } from './api.js'
import { readWorkflows } from './arazzo.js'
import { bundle } from './bundle.js'
import { checkExamples } from './check-examples.js'
import { splitDirections } from './direction.js'
import { withDiscriminatorValues } from './discriminator-values.js'
import { type Document, locate, parseDocument, pathOf, readDocument } from './document.js'
import { httpDocument, rpcDialect, rpcDocument } from './document-info.js'
import { disk, type FileTree } from './file-tree.js'
import { createFaults, type Finding } from './finding.js'
import { groupFindings } from './groups.js'
import { isObject } from './json.js'
import { importRpcPaths } from './json-rpc-paths.js'
import { importRpcSchema } from './json-rpc-schema.js'
import { nameOperations, nameSchemas, paramFindings } from './naming.js'
import { readHttpOperations, readOutgoingRequests } from './openapi.js'
import { readRpcOperations } from './openrpc.js'
import { withMeantParts } from './openrpc-meant.js'
import { createReading, type Reading, text } from './reading.js'
import { endlessIn, withoutCircles, withoutOwnAlternatives } from './recursion.js'
import { serverFindings } from './server-findings.js'
import { readStreams, withItems } from './streams.js'
import { checkStructure } from './structure.js'
import { convertSwagger } from './swagger.js'
import { unusedComponentsOf } from './unused-components.js'
import { validateOpenRpc } from './validate-openrpc.js'
import { assertVersion } from './version.js'

/**
 * Reads an OpenAPI document, an OpenRPC document or both into one Api. An error in a part of a document is a finding of the
 * Api: a schema there accepts every value, any other part is left out. Throws one DocumentError for all errors that leave nothing
 * to read, with file, line and column. A caller that reads the same files again and again may cache the results of `parse`.
 */
export async function loadApi(
  files: ApiFiles,
  tree: FileTree = disk,
  parse = parseDocument,
): Promise<Api> {
  const { findings, report, attempt, keep, settle } = createFaults()
  const documents = new Map<string, Document>()
  const read = (file: string) => {
    const known = documents.get(resolve(file))
    const document = known ?? readDocument(file, tree, parse)
    documents.set(resolve(file), document)
    if (!known) document.faults.forEach(report)
    return document
  }

  // No code is generated from webhooks and callbacks, so an error in one of them is only a warning.
  const reportOutgoing = (finding: Finding) =>
    report(finding.level === 'error' ? { ...finding, level: 'warning' } : finding)

  const given = (file: string | Document | undefined) => {
    if (typeof file === 'string') return attempt(() => read(file))
    file?.faults.forEach(report)
    return file
  }
  const written = given(files.openapi)
  const converted = written && (await convertSwagger(written, report).catch(keep))
  const namedRpc = given(files.openrpc)
  const rpcPaths = namedRpc ?? converted
  const imported =
    rpcPaths && (importRpcPaths(rpcPaths, report) ?? importRpcSchema(rpcPaths, report))
  const openapi = imported && !namedRpc ? undefined : converted
  const openrpc = imported ?? (namedRpc && withMeantParts(namedRpc, report))
  for (const one of [openapi, openrpc]) if (one) documents.set(resolve(pathOf(one)), one)
  const flowDocument = given(files.arazzo)
  const dialect = openapi && attempt(() => assertVersion(openapi, 'openapi', report))
  if (openapi && dialect) await fetchReferences(openapi, read, tree).catch(keep)
  const http = openapi && dialect && bundle(openapi, read, tree, { attempt, report })
  if (http) for (const finding of checkStructure(http)) report(finding)
  const isRead = openrpc && attempt(() => assertVersion(openrpc, 'openrpc', report)) !== undefined
  if (openrpc && isRead) await fetchReferences(openrpc, read, tree).catch(keep)
  const rpc = openrpc && isRead ? bundle(openrpc, read, tree, { attempt, report }) : undefined
  if (rpc) for (const finding of validateOpenRpc(rpc)) report(finding)
  settle()

  const names = nameSchemas(rpc, http, report)
  const httpReading = http && createReading(http, dialect ?? '2020-12', names.http, report)
  const rpcReading = rpc && createReading(rpc, rpcDialect(rpc), names.rpc, report)
  const components = readSchemas(rpcReading, names.rpc, httpReading, names.http)
  const finite = withoutCircles(withoutOwnAlternatives(components, report), report)
  const declared = http ? withDiscriminatorValues(finite, http.value, names.http) : finite

  const rpcMethods = rpcReading && readRpcOperations(rpcReading)
  const unnamed: readonly Operation[] = [
    ...(httpReading ? readHttpOperations(httpReading) : []),
    ...withoutDuplicates(rpcMethods?.operations ?? [], report),
  ]
  const unnamedServerMethods = withoutDuplicates(rpcMethods?.serverMethods ?? [], report)
  const outgoing = http
    ? readOutgoingRequests(createReading(http, dialect ?? '2020-12', names.http, reportOutgoing))
    : []
  // Errors of a document without any content, or of all its operations, are errors of the whole.
  const lists = [http?.value.paths, rpc?.value.methods]
  const hasOperations = lists.some((list) => Object.keys(Object(list)).length > 0)
  const content = [unnamed, unnamedServerMethods, outgoing, hasOperations ? [] : [...declared]]
  settle(!content.some(({ length }) => length > 0))
  for (const finding of endlessIn(declared)) report(finding)
  for (const reading of [httpReading, rpcReading])
    for (const finding of reading ? serverFindings(reading) : []) report(finding)
  const directed = splitDirections(unnamed, declared)
  const { schemas } = directed
  const split = readStreams(directed.operations, schemas)
  const ids = nameOperations(
    [...new Set([...split, ...unnamedServerMethods])],
    schemas.keys(),
    report,
  )
  const checker = createChecker(schemas)
  const operations = linked(split, ids).map((one) =>
    one.kind === 'rpc' ? withNulls(one, checker) : one,
  )
  const serverMethods = unnamedServerMethods.map((one) => ({
    ...withNulls(one, checker),
    id: ids.get(one) ?? one.id,
  }))
  for (const finding of paramFindings(operations)) report(finding)
  for (const finding of groupFindings(operations)) report(finding)
  for (const finding of checkExamples([...operations, ...serverMethods], schemas)) report(finding)

  const flows = flowDocument
    ? readWorkflows(flowDocument, operations)
    : { workflows: [], findings: [] }
  const main = http?.value.info ?? rpc?.value.info
  const info = isObject(main) ? main : {}
  return {
    title: text(info.title) ?? 'Untitled',
    version: text(info.version) ?? '0.0.0',
    description: text(info.description),
    http: http && httpDocument(http, dialect ?? '2020-12'),
    rpc: rpc && rpcDocument(rpc),
    operations,
    outgoing: outgoing.map((request) => withItems(request, schemas)),
    serverMethods,
    schemas,
    workflows: flows.workflows,
    leftovers: unusedComponentsOf([http, rpc].filter((one) => one !== undefined)),
    findings: [...findings, ...flows.findings],
  }
}

/** Paths of files, or documents that are already parsed (`parseDocument`). */
export type ApiFiles = {
  readonly openapi?: string | Document | undefined
  readonly openrpc?: string | Document | undefined
  readonly arazzo?: string | Document | undefined
}

/**
 * Finds documents in a folder by their usual names: `openapi.yaml`, `openrpc.yaml` and
 * `workflows.arazzo.yaml`, each also with `.yml` or `.json`.
 */
export function findDocuments(
  folder: string,
  tree: FileTree = disk,
): { readonly [kind in keyof ApiFiles]: string | undefined } {
  if (tree.kindOf(folder) !== 'folder') return {}
  const find = (name: string) =>
    ['yaml', 'yml', 'json']
      .map((extension) => join(folder, `${name}.${extension}`))
      .find((file) => tree.kindOf(file) !== undefined)
  return { openapi: find('openapi'), openrpc: find('openrpc'), arazzo: find('workflows.arazzo') }
}

/** Fetches remote documents that have no local copy, and the documents they refer to, if the tree allows it. */
async function fetchReferences(
  entry: Document,
  read: (file: string) => Document,
  tree: FileTree,
): Promise<void> {
  if (!tree.fetchReferences) return
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { attempt, report } = createFaults()
    const { remote } = bundle(entry, read, tree, { attempt, report })
    if (remote.size === 0) return
    const places = [...remote].map(([uri, origin]) => [uri, () => locate(origin, '$ref')] as const)
    const isChanged = await tree.fetchReferences(new Map(places), dirname(pathOf(entry)))
    if (!isChanged) return
  }
}

/** The maximum length of a chain of remote documents. */
const MOST_ROUNDS = 20

function readSchemas(
  rpc: Reading | undefined,
  rpcNames: ReadonlyMap<string, string>,
  http: Reading | undefined,
  httpNames: ReadonlyMap<string, string>,
): ReadonlyMap<string, NamedSchema> {
  const found = new Map<string, NamedSchema>()
  for (const [usedBy, reading, names] of [
    ['rpc', rpc, rpcNames],
    ['http', http, httpNames],
  ] as const) {
    const components = reading?.document.value.components
    const section = isObject(components) ? components.schemas : undefined
    if (!reading || !isObject(section)) continue
    for (const [key, raw] of Object.entries(section)) {
      const name = names.get(joinPointer('#', 'components', 'schemas', key)) ?? key
      const earlier = found.get(name)
      if (earlier) {
        found.set(name, { ...earlier, usedBy: 'both' })
        continue
      }
      const schema: Schema = reading.schema(raw, section, key)
      const source = reading.sourceOfSchema(schema, section)
      found.set(name, { name, schema, usedBy, source })
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Of methods with the same name, clients can call only one: the first. The others are reported. */
function withoutDuplicates(
  methods: readonly RpcOperation[],
  report: (finding: Finding) => void,
): readonly RpcOperation[] {
  const first = new Map<string, RpcOperation>()
  for (const one of methods) {
    const earlier = first.get(one.method)
    if (!earlier) {
      first.set(one.method, one)
      continue
    }
    const { file, line } = earlier.source.locate()
    report({
      rule: 'method-is-duplicate',
      level: 'error',
      location: one.source.locate(),
      message: `the method ${one.method} is declared twice; the first is at ${file}:${line}`,
    })
  }
  return [...first.values()]
}

/** Marks optional params that have `null` as a value, so that `null` does not skip them. */
const withNulls = (operation: RpcOperation, checker: Checker): RpcOperation => ({
  ...operation,
  params: operation.params.map((param) =>
    param.required || !checker.schema(param.schema).check(null)
      ? param
      : { ...param, acceptsNull: true },
  ),
})

/** Sets the final ids of operations, in the operations and in links to them. */
function linked(
  operations: readonly Operation[],
  ids: ReadonlyMap<Operation, string>,
): readonly Operation[] {
  const byId = new Map<string, string>()
  const byMethod = new Map<string, string>()
  for (const operation of operations) {
    const id = ids.get(operation) ?? operation.id
    if (operation.kind === 'rpc') byMethod.set(operation.method, id)
    else byId.set(operation.id, id)
  }
  return operations.map((operation) => {
    const id = ids.get(operation) ?? operation.id
    if (operation.kind === 'rpc') return { ...operation, id }
    const links = operation.links.map(({ isMethod, ...link }) => {
      const [own, other] = isMethod ? [byMethod, byId] : [byId, byMethod]
      const target = link.operation
      return { ...link, operation: own.get(target) ?? other.get(target) ?? target }
    })
    return { ...operation, id, links }
  })
}
