import ts from 'typescript'

/**
 * The names that a type lists, those of members or its texts: `a` and `b` of `{ a: 1; b: 2 }` and of `'a' | 'b'`. `named` tells
 * those of another type. Undefined where it lists none, as what is computed.
 */
export const listedBy = (type: ts.TypeNode, named: Named): ReadonlySet<string> | undefined => {
  if (ts.isTypeLiteralNode(type)) return new Set(type.members.flatMap(nameOf))
  if (isText(type)) return new Set([type.literal.text])
  if (NOTHING.has(type.kind)) return new Set()
  if (ts.isIntersectionTypeNode(type)) return all(type.types, named)
  if (ts.isUnionTypeNode(type)) return type.types.every(isText) ? all(type.types, named) : undefined
  if (ts.isTupleTypeNode(type)) {
    return type.elements.every(isText) ? all(type.elements, named) : undefined
  }
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return undefined
  const { typeName, typeArguments = [] } = type
  const listing = LISTING[typeName.text]
  return listing === undefined
    ? named(typeName.text)
    : typeArguments[listing] && listedBy(typeArguments[listing], named)
}

export type Named = (name: string) => ReadonlySet<string> | undefined

const all = (types: readonly ts.TypeNode[], named: Named): ReadonlySet<string> =>
  new Set(types.flatMap((type) => [...(listedBy(type, named) ?? [])]))

type Text = ts.LiteralTypeNode & { readonly literal: ts.StringLiteral }

const isText = (type: ts.Node): type is Text =>
  ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)

const nameOf = ({ name }: ts.TypeElement): readonly string[] =>
  name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : []

/** No name at all, or any. */
const NOTHING: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.NeverKeyword,
  ts.SyntaxKind.StringKeyword,
])

/** Generic types by the argument that lists the members: of TypeScript, and of the runtime's parts for viem. */
const LISTING: Readonly<Record<string, number>> = {
  Readonly: 0,
  Record: 0,
  Pick: 1,
  ActionsOf: 1,
  OwnMethods: 1,
}
