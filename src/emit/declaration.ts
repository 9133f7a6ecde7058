import { code, commented, type File, type Fragment, file, join, raw } from './file.js'
import { header, OWN } from './header.js'

/** A generated module as its declarations. They are in one file, or for a large document in a file for each group. */
export type Module = { readonly name: string; readonly declarations: readonly Declaration[] }

/** A declaration at the top level of a generated module. */
export type Declaration = {
  readonly name: string
  /**
   * `item`: of one schema or operation, always exported. `list`: of all operations, always exported. `support`: what
   * others call, exported only where other files may call it.
   */
  readonly kind: 'item' | 'list' | 'support'
  readonly keyword: 'const' | 'function'
  readonly comment?: Fragment
  /** The code after the name: from `:`, `=` or `(` on. Its `declared` names are those that it uses of its own module. */
  readonly body: Fragment
  /** For a list whose items are in several folders: the body, from the modules of these as objects. */
  readonly joined?: (modules: readonly Fragment[]) => Fragment
}

/** The names of the declarations of its own module that a declaration uses. */
export const ownNamesIn = (body: Fragment): readonly string[] =>
  body.imports.flatMap(({ name, from }) => (from === OWN ? [name] : []))

export const inOneFile = ({ name, declarations }: Module, head = header()): File =>
  file(
    name,
    join(
      declarations.map((one) => printDeclaration(one, one.kind !== 'support')),
      '\n\n',
    ),
    head,
  )

export function printDeclaration(
  { keyword, comment = raw(''), name, body }: Declaration,
  isExported: boolean,
): Fragment {
  const space = body.text.startsWith('=') ? ' ' : ''
  return commented(comment, code`${isExported ? 'export ' : ''}${keyword} ${name}${space}${body}`)
}
