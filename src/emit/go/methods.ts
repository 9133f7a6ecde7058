import type { Operation } from '../../model/api.js'
import { nameOf } from '../../model/operation-name.js'
import { uniqueName } from '../../text/names.js'
import { comment } from './layout.js'
import { exportedName } from './names.js'

/** An argument of a method. */
export type GoArgument = {
  readonly name: string
  readonly type: string
  /** The name of its value in a call: `path.id`, `params`, `body`, or the position of a param. */
  readonly slot: string
}

/** One of the methods that call an operation once. */
export type GoMethod = {
  readonly name: string
  readonly args: readonly GoArgument[]
  /** The media type of its body. */
  readonly contentType: string | undefined
  readonly returns: 'nothing' | 'result' | 'stream'
}

/** The methods of each operation, by its id: one for each variant or media type, and those of streams. */
export type GoMethods = Map<string, GoMethod[]>

/** Go names of operations, unique in a client. */
export const goNamesOf = (operations: readonly Operation[]): ReadonlyMap<string, string> => {
  const isRpc = operations.some(({ kind }) => kind === 'rpc')
  const used = new Set(['Batch', 'Send', 'String', ...(isRpc ? ['Close'] : [])])
  return new Map(operations.map(({ id }) => [id, uniqueName(exportedName(id), used)]))
}

export const clientText = (kind: 'HTTP' | 'RPC', title: string): string =>
  `${comment([`${kind}Client is the client of ${title}, made by New${kind}Client. It can be used by several goroutines.`])}
type ${kind}Client struct{ calls *runtime.${kind}Calls }

// New${kind}Client returns a client of a server: a name of the document, an address, or "" for the first server of the document.
func New${kind}Client(server string, options ...Option) (*${kind}Client, error) {
	calls, err := runtime.New${kind}(operations, server, options)
	if err != nil {
		return nil, err
	}
	return &${kind}Client{calls}, nil
}`

export const method = (
  comments: readonly string[],
  { head, body }: { readonly head: string; readonly body: string },
): string => {
  const above = comment(comments)
  return `${above === '' ? '' : `${above}\n`}${head} {\n\t${body}\n}`
}

export const argumentText = (args: readonly GoArgument[]): string =>
  args.map(({ name, type }) => `${name} ${type}`).join(', ')

export const commentOf = (operation: Operation, name: string): readonly string[] => {
  const { summary, description, deprecated } = operation
  const [first, second] = [
    summary ?? description,
    summary !== undefined && description !== summary ? description : undefined,
  ]
  return [
    first?.trim() ? `${name}: ${first}` : `${name} calls ${nameOf(operation)}.`,
    ...(second?.trim() ? [second] : []),
    ...(deprecated ? ['Deprecated: the document says so.'] : []),
  ]
}
