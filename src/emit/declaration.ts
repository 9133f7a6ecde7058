import type { Operation } from '../model/api.js'
import {
  code,
  commented,
  declared,
  doc,
  type File,
  type Fragment,
  file,
  join,
  raw,
} from './file.js'
import { OWN } from './header.js'

/** A generated module as its declarations. They are in one file, or for a large document in a file for each operation. */
export type Module = { readonly name: string; readonly declarations: readonly Declaration[] }

/** A declaration at the top level of a generated module. */
export type Declaration = {
  readonly name: string
  /**
   * `item`: of one schema or operation, always exported. `list`: of all operations, always exported. `support`: what
   * others call, exported only if another file calls it.
   */
  readonly kind: 'item' | 'list' | 'support'
  readonly keyword: 'const' | 'function'
  readonly comment?: Fragment
  /** The code after the name: from `:`, `=` or `(` on. Its `declared` names are those that it uses of its own module. */
  readonly body: Fragment
  /** For a list that is also generated for each tag and each operation: the body for some operations. */
  readonly bodyOf?: (operations: readonly ListedOperation[]) => Fragment
}

/** An operation in a list: its id, and the name of its declaration. */
export type ListedOperation = { readonly id: string; readonly value: Fragment }

/** The names of the declarations of its own module that a declaration uses. */
export const ownNamesIn = (body: Fragment): readonly string[] =>
  body.imports.flatMap(({ name, from }) => (from === OWN ? [name] : []))

export const inOneFile = ({ name, declarations }: Module): File =>
  file(
    name,
    join(
      declarations.map((one) => printDeclaration(one, one.kind !== 'support')),
      '\n\n',
    ),
  )

export function printDeclaration(
  { keyword, comment = raw(''), name, body }: Declaration,
  isExported: boolean,
): Fragment {
  const space = body.text.startsWith('=') ? ' ' : ''
  return commented(comment, code`${isExported ? 'export ' : ''}${keyword} ${name}${space}${body}`)
}

/** A list of the operations of one protocol. The list of JSON-RPC methods is never divided. */
export function listDeclaration({ name, comment, operations, bodyOf }: ListOptions): Declaration {
  const all = operations.map(({ id }) => ({ id, value: declared(id) }))
  return {
    name,
    kind: 'list',
    keyword: 'const',
    comment: doc(comment),
    body: bodyOf(all),
    ...(operations.some(({ kind }) => kind === 'http') && { bodyOf }),
  }
}

type ListOptions = Required<Pick<Declaration, 'name' | 'bodyOf'>> & {
  readonly comment: string
  readonly operations: readonly Operation[]
}

/** `order,`, or `order: operation,` if that has another name. */
export const listed = ({ id, value }: ListedOperation): Fragment =>
  value.text === id ? code`${value},` : code`${id}: ${value},`
