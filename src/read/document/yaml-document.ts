import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import {
  maximumDepth,
  type NodePlace,
  type ParsedText,
  type Reject,
  type ReportFault,
} from './format.js'

/**
 * Reads YAML 1.2, core schema, with merge keys. The data is built here from the nodes of the library. Aliases become copies,
 * keys become strings as written, and so do numbers that JSON cannot express, with an error. Of duplicate keys the last is read.
 */
export const readYaml = (text: string, reject: Reject, report: ReportFault): ParsedText => {
  // Duplicate keys are found below, in linear time; the library compares every pair of keys.
  const options = {
    merge: true,
    // Otherwise `%YAML 1.1` selects another schema, with dates and more words for true and false.
    schema: 'core',
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'error',
  } as const
  const document = parseDocument(text, options)
  const error = document.errors[0]
  if (error) return rejectError(error, reject)
  const build = builder(reject, report)
  const root = document.contents
  return {
    value: root ? build.value(root, []) : null,
    find: (segments) => find(root, segments, build.target),
  }
}

const rejectError = (
  error: { readonly code: string; readonly message: string; readonly pos: readonly number[] },
  reject: Reject,
): never => {
  const offset = error.pos[0] ?? 0
  if (error.code === 'MULTIPLE_DOCS') {
    const message =
      'a second YAML document begins here, but a file may contain only one: move it to another file'
    return reject('yaml-has-second-document', message, offset)
  }
  if (error.code === 'RESOURCE_EXHAUSTION') return rejectDepth(reject, offset, [])
  const why = error.message.replace(/\.$/, '')
  const message = `the YAML is invalid: ${why}: ${remedyOf(error.code)}`
  return reject('document-does-not-parse', message, offset)
}

/** The advice for a parser error, by its code. */
const remedyOf = (code: string): string => REMEDIES[code] ?? 'correct it here, or just above'

const REMEDIES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  BAD_INDENT: 'indent it like its siblings, or close the quotes or brackets above',
  BLOCK_AS_IMPLICIT_KEY: 'put the text in quotes, or move what follows to the next line',
  MULTILINE_IMPLICIT_KEY: 'add the colon after the key, or put the text in quotes',
  MISSING_CHAR: 'add the missing character, or put the text in quotes',
  UNEXPECTED_TOKEN: 'remove it, or put the text in quotes',
  BLOCK_IN_FLOW: 'write it in braces or brackets too, or put the text in quotes',
  BAD_SCALAR_START: 'put the text in quotes',
  BAD_DQ_ESCAPE: 'write the backslash twice, or use single quotes',
  BAD_ALIAS: 'put the text in quotes',
  TAG_RESOLVE_FAILED: 'remove the tag',
}

const rejectDepth = (reject: Reject, offset: number, segments: readonly string[]): never =>
  reject(
    'document-nests-too-deep',
    `the document nests more than ${maximumDepth} levels deep: flatten it`,
    offset,
    segments,
  )

/** A document with more nodes than this from aliases is an attack. */
const maximumCopies = 1_000_000

const builder = (reject: Reject, report: ReportFault) => {
  const anchors = new Map<string, Node>()
  // An anchor may be redefined later, so the target of an alias is stored when the alias is first read.
  const targets = new Map<Alias, Node>()
  const building = new Set<Node>()
  const path: string[] = []
  let copies = 0
  let copying = 0

  const value = (node: Node | null, here: readonly string[]): unknown => {
    path.splice(0, path.length, ...here)
    return build(node)
  }

  const build = (node: Node | null): unknown => {
    if (node === null) return null
    if (isAlias(node)) return copy(node)
    if (copying > 0 && ++copies > maximumCopies) {
      const message = `the aliases expand to more than ${maximumCopies} nodes: use fewer aliases`
      return reject('yaml-aliases-expand-too-far', message, offsetOf(node), path)
    }
    if (node.anchor && copying === 0) anchors.set(node.anchor, node)
    if (isScalar(node)) return scalar(node)
    if (path.length >= maximumDepth) return rejectDepth(reject, offsetOf(node), path)
    building.add(node)
    const built = isMap(node) ? map(node) : isSeq(node) ? node.items.map(item) : null
    building.delete(node)
    return built
  }

  const item = (node: unknown, index: number): unknown => below(String(index), node as Node)

  const below = (segment: string, node: Node | null): unknown => {
    path.push(segment)
    const built = build(node)
    path.pop()
    return built
  }

  const copy = (alias: Alias): unknown => {
    const target = targets.get(alias) ?? anchors.get(alias.source)
    if (!target) {
      const message = `the alias *${alias.source} has no anchor above it`
      return reject('yaml-alias-is-unknown', message, offsetOf(alias), path)
    }
    targets.set(alias, target)
    if (building.has(target)) {
      const message = `the alias *${alias.source} is inside its own anchor: use a $ref for recursion`
      return reject('yaml-alias-is-circular', message, offsetOf(alias), path)
    }
    copying++
    const built = build(target)
    copying--
    return built
  }

  const scalar = (node: Scalar): unknown => {
    if (node.format === 'HEX' || node.format === 'OCT') {
      const message = `${node.source} without quotes is the number ${node.value}: write '${node.source}'`
      report('yaml-number-is-hex', message, offsetOf(node), [...path])
      return node.source
    }
    if (typeof node.value === 'number' && !Number.isFinite(node.value)) {
      const message = `${node.source} is a number that JSON does not have: write it as a string`
      report('yaml-number-is-not-json', message, offsetOf(node), [...path])
      return node.source
    }
    return typeof node.value === 'symbol' ? node.source : node.value
  }

  const map = (node: YAMLMap): unknown => {
    const members = new Map<string, unknown>()
    const merged: Readonly<Record<string, unknown>>[] = []
    for (const pair of node.items as Pair<Node | null, Node | null>[]) {
      if (isMergeKey(pair.key)) merged.push(...mergeSources(pair))
      else {
        const key = keyOf(pair.key)
        if (members.has(key)) {
          const message = `the key ${JSON.stringify(key)} occurs twice in this object: keep one`
          report('document-key-is-duplicate', message, offsetOf(pair.key), [...path, key])
        }
        members.set(key, below(key, pair.value))
      }
    }
    // The map's own keys win, then the earlier of two merged maps.
    for (const source of merged) {
      for (const [key, from] of Object.entries(source)) {
        if (!members.has(key)) members.set(key, from)
      }
    }
    // fromEntries defines: a key `__proto__` becomes a property like any other.
    return Object.fromEntries(members)
  }

  const mergeSources = (pair: Pair<Node | null, Node | null>) => {
    const built = below('<<', pair.value)
    const sources: readonly unknown[] = Array.isArray(built) ? built : [built]
    return sources.map((source) => {
      if (typeof source === 'object' && source !== null && !Array.isArray(source)) {
        return source as Readonly<Record<string, unknown>>
      }
      const message = 'the value of a merge key << must be an object or a list of objects'
      return reject('yaml-merge-is-not-an-object', message, offsetOf(pair.key), path)
    })
  }

  const keyOf = (node: Node | null): string => {
    if (node === null) return ''
    const scalarKey = isAlias(node) ? (targets.get(node) ?? anchors.get(node.source)) : node
    if (isAlias(node) && scalarKey) targets.set(node, scalarKey)
    if (!isScalar(scalarKey)) {
      const message = 'a key must be a string, not an object, an array or an unknown alias'
      return reject('yaml-key-is-not-text', message, offsetOf(node), path)
    }
    if (scalarKey.anchor && copying === 0 && scalarKey === node) anchors.set(scalarKey.anchor, node)
    return textOf(scalarKey)
  }

  const target = (alias: Alias): Node | undefined => targets.get(alias)
  return { value, target }
}

const isMergeKey = (key: unknown): boolean => isScalar(key) && typeof key.value === 'symbol'

// `200:` and `1.0:` are the keys '200' and '1.0', whatever type they would have as values.
const textOf = (key: Scalar): string =>
  typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))

const offsetOf = (node: unknown): number =>
  (node as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? 0

const find = (
  root: Node | null,
  segments: readonly string[],
  target: (alias: Alias) => Node | undefined,
): NodePlace => {
  const resolve = (node: unknown): unknown => (isAlias(node) ? (target(node) ?? node) : node)
  const member = (node: unknown, segment: string): Member | undefined => {
    if (isSeq(node)) {
      const value = node.items[Number(segment)]
      return /^\d+$/.test(segment) && value !== undefined ? { key: undefined, value } : undefined
    }
    if (!isMap(node)) return undefined
    const isNamed = (pair: Pair) => {
      const key = resolve(pair.key)
      return !isMergeKey(key) && (isScalar(key) ? textOf(key) : '') === segment
    }
    const own = node.items.find(isNamed)
    if (own) return own
    const sources = node.items.filter((pair) => isMergeKey(pair.key)).map((p) => resolve(p.value))
    for (const source of sources.flatMap((s) => (isSeq(s) ? s.items.map(resolve) : [s]))) {
      const found = member(source, segment)
      if (found) return found
    }
    return undefined
  }
  let place: NodePlace = { segments: [], key: undefined, value: offsetOf(root) }
  let node: unknown = root
  for (const segment of segments) {
    const found = member(resolve(node), segment)
    if (!found) break
    const key = found.key === undefined ? undefined : offsetOf(found.key)
    // A key without a value has no node of its own.
    const value = found.value === null ? (key ?? 0) : offsetOf(found.value)
    place = { segments: [...place.segments, segment], key, value }
    node = found.value
  }
  return place
}

type Member = { readonly key: unknown; readonly value: unknown }
