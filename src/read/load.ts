import { dirname, join, resolve } from 'node:path'
import type {
  Api,
  Dialect,
  NamedSchema,
  Operation,
  OutgoingRequest,
  RpcOperation,
} from '../model/api.js'
import { readCallMessages } from '../model/call-messages.js'
import { createFaults, type Faults, type Finding } from '../model/finding.js'
import { groupFindings } from '../model/groups.js'
import { isObject } from '../model/json.js'
import { outgoingOperation } from '../model/outgoing.js'
import { readStreams, withItems } from '../model/streams.js'
import { joinPointer } from '../runtime/shared/pointer.js'
import { type Checker, createChecker } from '../schema/check.js'
import type { Schema } from '../schema/schema.js'
import { readWorkflows } from './arazzo.js'
import { type Bundle, bundle } from './bundle.js'
import { checkExamples } from './check-examples.js'
import { splitDirections } from './direction.js'
import { withDiscriminatorValues } from './discriminator-values.js'
import { type Document, locate, parseDocument, pathOf, readDocument } from './document.js'
import { httpDocument, rpcDialect, rpcDocument } from './document-info.js'
import { disk, type FileTree } from './file-tree.js'
import { importRpcPaths } from './json-rpc-paths.js'
import { importRpcSchema } from './json-rpc-schema.js'
import { withMarkedPlaces } from './marked-places.js'
import { nameOperations, nameOutgoing, nameSchemas, paramFindings } from './naming.js'
import { readHttpOperations, readOutgoingRequests } from './openapi.js'
import { readRpcOperations } from './openrpc.js'
import { createReading, type ReadContext, text } from './reading.js'
import { endlessIn, withoutCircles, withoutOwnAlternatives } from './recursion.js'
import { REPAIRS } from './repair/rows.js'
import { serverFindings } from './server-findings.js'
import { checkStructure } from './structure.js'
import { convertSwagger } from './swagger.js'
import { unusedComponentsOf } from './unused-components.js'
import { validateOpenRpc } from './validate-openrpc.js'
import { assertVersion } from './version.js'

/**
 * Reads an OpenAPI document, an OpenRPC document or both into one Api, in phases: read, repair and bundle, name, normalise, direct,
 * check. An error in a part of a document is a finding of the
 * Api: a schema there accepts every value, any other part is left out. Throws one DocumentError for all errors that leave nothing
 * to read, with file, line and column. A caller that reads the same files again and again may cache the results of `parse`;
 * `prepare` changes each document before anything else reads it, and after overlays.
 */
export async function loadApi(
  files: ApiFiles,
  tree: FileTree = disk,
  parse = parseDocument,
  prepare: (document: Document) => Document = (document) => document,
): Promise<Api> {
  const faults = createFaults()
  const documents = await readDocuments(files, { tree, parse, prepare, faults })
  const bundles = await repairAndBundle(documents, tree, faults)
  faults.settle()
  const names = nameSchemas(bundles.rpc, bundles.http, faults.report)
  const normalised = normalise(bundles, names, faults)
  const directed = direct(normalised)
  const checked = check(normalised, directed, faults)
  const flows = documents.arazzo
    ? readWorkflows(documents.arazzo, checked.operations)
    : { workflows: [], findings: [] }
  const { http, rpc, dialect } = bundles
  const { operations, serverMethods } = checked
  const methods = { operations, serverMethods, schemas: directed.schemas }
  const main = http?.value.info ?? rpc?.value.info
  const info = isObject(main) ? main : {}
  return {
    title: text(info.title) ?? 'Untitled',
    version: text(info.version) ?? '0.0.0',
    description: text(info.description),
    http: http && httpDocument(http, dialect),
    rpc: rpc && { ...rpcDocument(rpc), ...readCallMessages(rpc.value, methods) },
    operations,
    outgoing: checked.outgoing,
    serverMethods,
    schemas: directed.schemas,
    workflows: flows.workflows,
    leftovers: unusedComponentsOf([http, rpc].filter((one) => one !== undefined)),
    findings: [...faults.findings, ...flows.findings],
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

/** The documents as they are in their files, with positions; Swagger 2.0 and JSON-RPC in OpenAPI or JSON Schema are converted. */
type Documents = {
  readonly openapi: Document | undefined
  readonly openrpc: Document | undefined
  readonly arazzo: Document | undefined
  /** Reads a document that another one refers to, once. */
  readonly read: (file: string) => Document
}

/** Reads the files. One that cannot be read is a finding, and undefined. */
async function readDocuments(
  files: ApiFiles,
  { tree, parse, prepare, faults }: ReadOptions,
): Promise<Documents> {
  const { attempt, keep, report } = faults
  const documents = new Map<string, Document>()
  const read = (file: string) => {
    const known = documents.get(resolve(file))
    const document = known ?? prepare(readDocument(file, tree, parse))
    documents.set(resolve(file), document)
    if (!known) document.faults.forEach(report)
    return document
  }
  const open = (file: string | Document | undefined, from = tree) => {
    const document =
      typeof file === 'string' ? attempt(() => readDocument(file, from, parse)) : file
    document?.faults.forEach(report)
    return document
  }
  const entries = [open(files.openapi), open(files.openrpc)]
  const overlays = (tree.overlays ?? []).flatMap((file) => open(file, disk) ?? [])
  const [written, writtenRpc] = (
    overlays.length > 0 ? await overlaid(entries, overlays, faults) : entries
  ).map((one) => one && prepare(one))
  const converted = written && (await convertSwagger(written, report).catch(keep))
  const rpcSource = writtenRpc ?? converted
  const imported =
    rpcSource && (importRpcPaths(rpcSource, report) ?? importRpcSchema(rpcSource, report))
  const openapi = imported && !writtenRpc ? undefined : converted
  const openrpc = imported ?? writtenRpc
  for (const one of [openapi, openrpc]) if (one) documents.set(resolve(pathOf(one)), one)
  return { openapi, openrpc, arazzo: open(files.arazzo), read }
}

type ReadOptions = {
  readonly tree: FileTree
  readonly parse: typeof parseDocument
  readonly prepare: (document: Document) => Document
  readonly faults: Faults
}

/** The entries with the overlays applied, if these are valid. Loaded on demand, because most documents have no overlays. */
async function overlaid(
  entries: readonly (Document | undefined)[],
  overlays: readonly Document[],
  { attempt, report }: Faults,
): Promise<readonly (Document | undefined)[]> {
  const { applyOverlays } = await import('./overlay.js')
  const written = entries.filter((one) => one !== undefined)
  const results = attempt(() => applyOverlays(written, overlays, report)) ?? written
  return entries.map((one) => one && results[written.indexOf(one)])
}

/** Documents whose references are all local, repaired and checked against the specifications. */
type Bundles = {
  readonly http: Bundle | undefined
  readonly rpc: Bundle | undefined
  /** The JSON Schema dialect of the OpenAPI document. */
  readonly dialect: Dialect
}

async function repairAndBundle(
  { openapi, openrpc, read }: Documents,
  tree: FileTree,
  { attempt, keep, report }: Faults,
): Promise<Bundles> {
  const bundled = async (document: Document) => {
    await fetchReferences(document, read, tree).catch(keep)
    return bundle(document, read, tree, { attempt, report }, REPAIRS)
  }
  const dialect = openapi && attempt(() => assertVersion(openapi, 'openapi', report))
  const http = openapi && dialect && (await bundled(openapi))
  for (const finding of http ? checkStructure(http) : []) report(finding)
  const isRead = openrpc && attempt(() => assertVersion(openrpc, 'openrpc', report)) !== undefined
  const rpc = openrpc && isRead ? await bundled(openrpc) : undefined
  for (const finding of rpc ? validateOpenRpc(rpc) : []) report(finding)
  return { http, rpc, dialect: dialect ?? '2020-12' }
}

/** Operations and schemas in the terms of every dialect: JSON Schema 2020-12. Operations have no final ids yet. */
type Normalised = {
  readonly operations: readonly Operation[]
  readonly serverMethods: readonly RpcOperation[]
  readonly outgoing: readonly OutgoingRequest[]
  readonly schemas: ReadonlyMap<string, NamedSchema>
}

/** Throws a DocumentError if errors leave no operation, and no schema of a document without operations. */
function normalise(
  { http, rpc, dialect }: Bundles,
  names: ReturnType<typeof nameSchemas>,
  { report, settle }: Faults,
): Normalised {
  const httpReading = http && createReading(http, dialect, names.http, report)
  const rpcReading = rpc && createReading(rpc, rpcDialect(rpc), names.rpc, report)
  const components = readSchemas(rpcReading, names.rpc, httpReading, names.http)
  const finite = withoutCircles(withoutOwnAlternatives(components, report), report)
  const schemas = http ? withDiscriminatorValues(finite, http, names.http, report) : finite
  const methods = rpcReading && readRpcOperations(rpcReading)
  const operations: readonly Operation[] = [
    ...(httpReading ? readHttpOperations(httpReading) : []),
    ...withoutDuplicates(methods?.operations ?? [], report),
  ]
  const serverMethods = withoutDuplicates(methods?.serverMethods ?? [], report)
  // Clients do not depend on webhooks and callbacks, so an error in one of them is only a warning.
  const reportOutgoing = (finding: Finding) =>
    report(finding.level === 'error' ? { ...finding, level: 'warning' } : finding)
  const outgoing = http
    ? readOutgoingRequests(createReading(http, dialect, names.http, reportOutgoing))
    : []
  // Errors of a document without any content, or of all its operations, are errors of the whole.
  const lists = [http?.value.paths, rpc?.value.methods]
  const hasOperations = lists.some((list) => Object.keys(Object(list)).length > 0)
  const content = [operations, serverMethods, outgoing, hasOperations ? [] : [...schemas]]
  settle(!content.some(({ length }) => length > 0))
  for (const finding of endlessIn(schemas)) report(finding)
  for (const reading of [httpReading, rpcReading])
    for (const finding of reading ? serverFindings(reading) : []) report(finding)
  return { operations, serverMethods, outgoing, schemas }
}

type Directed = Pick<Normalised, 'operations' | 'outgoing' | 'schemas'>

/** Schemas with `readOnly` or `writeOnly` members become one for requests and one for responses. Streams get the schemas of their items. */
function direct(normalised: Normalised): Directed {
  const directed = splitDirections(normalised)
  return {
    schemas: directed.schemas,
    outgoing: directed.outgoing.map((request) => withItems(request, directed.schemas)),
    operations: readStreams(directed.operations, directed.schemas),
  }
}

/** Gives operations their final ids and the marked places of their values, and reports what only the whole shows: examples, params, groups. */
function check(
  { serverMethods }: Normalised,
  { operations, outgoing, schemas }: Directed,
  { report }: Faults,
): Pick<Normalised, 'operations' | 'serverMethods' | 'outgoing'> {
  const ids = nameOperations(
    [...new Set([...operations, ...serverMethods])],
    schemas.keys(),
    report,
  )
  const checker = createChecker(schemas)
  const named = linked(operations, ids)
    .map((one) => (one.kind === 'rpc' ? withNulls(one, checker) : one))
    .map((one) => withMarkedPlaces(one, schemas))
  const namedServerMethods = serverMethods
    .map((one) => ({ ...withNulls(one, checker), id: ids.get(one) ?? one.id }))
    .map((one) => withMarkedPlaces(one, schemas))
  for (const finding of paramFindings(named)) report(finding)
  for (const finding of groupFindings(named)) report(finding)
  for (const finding of checkExamples([...named, ...namedServerMethods], schemas)) report(finding)
  const namedOutgoing = nameOutgoing(outgoing, named).map((one) => {
    const { bigints } = withMarkedPlaces(outgoingOperation(one), schemas)
    return { ...one, ...(bigints && { bigints }) }
  })
  return { operations: named, serverMethods: namedServerMethods, outgoing: namedOutgoing }
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
  rpc: ReadContext | undefined,
  rpcNames: ReadonlyMap<string, string>,
  http: ReadContext | undefined,
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
      found.set(name, { name, ...(key !== name && { key }), schema, usedBy, source })
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
