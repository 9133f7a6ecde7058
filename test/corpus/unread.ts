import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { entriesOf, type Json, statedIn } from './stated.js'
import type { Cell } from './table.js'

/** What generated code leaves open of what the document states, as places. */
type Unread = {
  /** Types that are `unknown` or `any` where the document states one. */
  readonly types: ReadonlySet<string>
  /** Operations that the document has and the code has not. */
  readonly operations: ReadonlySet<string>
  /** Types that only a remote document states. */
  readonly remote: ReadonlySet<string>
}

/** Compares `out`, what was generated, with the document: bundled, but not interpreted. */
async function unreadOf(
  kind: 'openapi' | 'openrpc',
  path: string,
  allowed: string | undefined,
  out: string,
): Promise<Unread> {
  const api = await loadApi({ [kind]: path }, { ...disk, allowed })
  const found = {
    types: new Set<string>(),
    operations: new Set<string>(),
    remote: new Set<string>(),
  }
  for (const side of ['http', 'rpc'] as const) {
    const root = api[side]?.bundled
    if (root === undefined) continue
    const code = codeIn(sourcesOf(out, side))
    const stated = statedIn(root)
    const compare = (type: ts.TypeNode | undefined, schema: unknown, place: string): void => {
      if (!type) return
      for (const [part, below, partType] of partsOf(type)) {
        if (below !== undefined) compare(partType, stated.below(schema, below), `${place}${part}`)
        else if (stated.isRemote(schema)) found.remote.add(place)
        else if (stated.isTyped(schema)) found.types.add(place)
      }
    }
    const { components } = root as { components?: { schemas?: Json } }
    for (const [name, schema] of entriesOf(components?.schemas))
      compare(code.type(['components', 'schemas', name]), schema, name)
    for (const one of side === 'http' ? stated.operations() : stated.methods()) {
      const id = code.ids.get(one.key)
      const types = side === 'http' ? ['operations', id ?? ''] : ['RpcMethods', one.key]
      const isThere = code.type(types) !== undefined || code.names.has(one.key)
      if (!isThere) found.operations.add(one.key)
      for (const [path, schema] of one.schemas)
        compare(code.type([...types, ...path]), schema, `${one.key} ${path.join('.')}`)
    }
  }
  return found
}

/** The cell of the table for a generated folder. */
export async function unreadCell(...args: Parameters<typeof unreadOf>): Promise<Cell> {
  const started = performance.now()
  const { types, operations, remote } = await unreadOf(...args)
  const open = [...types, ...operations]
  return {
    ...{ verb: 'types', seconds: (performance.now() - started) / 1_000 },
    ...(open.length > 0 && {
      problem: `${types.size} types are unknown and ${operations.size} operations are missing that the document states: ${open.slice(0, 3).join(', ')}`,
    }),
    ...(remote.size > 0 && {
      note: `${remote.size} types are in remote documents, which only --fetch-references reads`,
    }),
  }
}

/** The parts of a type with their keys in a schema; a part without a key is `unknown` itself. */
function* partsOf(
  type: ts.TypeNode,
): Generator<readonly [part: string, key?: string, type?: ts.TypeNode | undefined]> {
  if (isOpen(type)) yield ['']
  else if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type))
    yield* partsOf(type.type)
  else if (ts.isUnionTypeNode(type)) for (const one of type.types) yield* partsOf(one)
  else if (ts.isIntersectionTypeNode(type)) {
    // `A & unknown` is A, and so it is of their properties.
    const parts = type.types.filter((one) => !isOpen(one)).flatMap((one) => [...partsOf(one)])
    const typed = parts.filter(([, , inner]) => inner && !isOpen(inner)).map(([part]) => part)
    yield* parts.filter(([part, , inner]) => !(inner && isOpen(inner) && typed.includes(part)))
  } else if (ts.isArrayTypeNode(type)) yield ['[]', 'items', type.elementType]
  else if (ts.isTypeLiteralNode(type)) {
    for (const member of type.members) {
      // Beside other members, an index signature has to allow the values of all of them.
      if (ts.isIndexSignatureDeclaration(member) && type.members.length === 1)
        yield ['[key]', 'additionalProperties', member.type]
      if (ts.isPropertySignature(member))
        yield [`.${nameOf(member)}`, `properties/${nameOf(member)}`, member.type]
    }
  }
}

/** Whether a type accepts everything: `unknown | A` does, and `unknown & A` does not. */
const isOpen = (type: ts.TypeNode): boolean => {
  if (ts.isParenthesizedTypeNode(type)) return isOpen(type.type)
  if (ts.isUnionTypeNode(type)) return type.types.some(isOpen)
  if (ts.isIntersectionTypeNode(type)) return type.types.every(isOpen)
  return type.kind === ts.SyntaxKind.UnknownKeyword || type.kind === ts.SyntaxKind.AnyKeyword
}

const nameOf = ({ name }: { readonly name: ts.PropertyName }): string =>
  ts.isComputedPropertyName(name) ? name.getText() : name.text

/** The files that declare types and operations; large documents have some of them for each tag. */
const sourcesOf = (out: string, side: string): readonly string[] =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.endsWith('.ts') && !/(^|[./])(explanations|validators|server)\.ts$/.test(name),
    )
    .filter((name) => !name.startsWith(side === 'http' ? 'rpc.' : 'http.'))
    .map((name) => join(out, name))

type Declared = ts.TypeNode | { readonly members: ts.TypeElement[] }

/** The declarations of some files. Interfaces of one name are parts of one. */
function codeIn(files: readonly string[]) {
  const declarations = new Map<string, Declared>()
  /** `GET /path` -> the id of its operation. */
  const ids = new Map<string, string>()
  /** Every name of a member of a type: methods that the server calls are no members of `RpcMethods`. */
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeAliasDeclaration(node)) declarations.set(node.name.text, node.type)
    if (ts.isInterfaceDeclaration(node)) {
      const known = declarations.get(node.name.text)
      const members = known && !isType(known) ? known.members : []
      members.push(...node.members)
      declarations.set(node.name.text, { members })
    }
    if (ts.isPropertySignature(node)) names.add(nameOf(node))
    if (ts.isObjectLiteralExpression(node)) {
      const text = (key: string) => {
        const one = node.properties.find((each) => each.name?.getText() === key)
        const value = one && ts.isPropertyAssignment(one) ? one.initializer : undefined
        return value && ts.isStringLiteralLike(value) ? value.text : undefined
      }
      const [id, method, path] = [text('id'), text('method'), text('path')]
      if (id !== undefined) ids.set(path === undefined ? `${method}` : `${method} ${path}`, id)
    }
    node.forEachChild(visit)
  }
  for (const file of files)
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))

  /** The type at a path of members, through the names of other types. */
  const type = ([name = '', ...path]: readonly string[]): ts.TypeNode | undefined => {
    let found: Declared | undefined = declarations.get(name)
    for (const key of path) {
      if (found === undefined) return undefined
      const at = Number(key)
      if (isType(found) && ts.isTupleTypeNode(found)) {
        const element: ts.TypeNode | undefined = found.elements[at]
        found = element && ts.isNamedTupleMember(element) ? element.type : element
      } else {
        if (isType(found) && !ts.isTypeLiteralNode(found)) return undefined
        const member: ts.TypeElement | undefined = found.members.find(
          (one) => ts.isPropertySignature(one) && nameOf(one) === key,
        )
        found = member && ts.isPropertySignature(member) ? member.type : undefined
      }
      while (found && isType(found) && ts.isTypeReferenceNode(found) && !found.typeArguments) {
        const next = declarations.get(found.typeName.getText())
        if (!next) break
        found = next
      }
    }
    return found && isType(found) ? found : undefined
  }
  return { ids, names, type }
}

const isType = (one: Declared): one is ts.TypeNode => 'kind' in one
