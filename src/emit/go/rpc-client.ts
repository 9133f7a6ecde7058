import type { Api, RpcOperation } from '../../model/api.js'
import { rpcOperations } from '../../model/operations.js'
import { goString } from '../../text/escape.js'
import { uniqueName } from '../../text/names.js'
import { aligned, comment, goIndented } from './layout.js'
import {
  argumentText,
  clientText,
  commentOf,
  type GoArgument,
  type GoMethods,
  goNamesOf,
  method,
} from './methods.js'
import { argumentName, exportedName } from './names.js'
import { type GoResults, rpcResults, subscriptionItem } from './results.js'
import { fieldText } from './type-forms.js'
import type { GoTypes } from './types.js'

/** `rpc_client.go`: a method for every method of the document, for a client and for batches. */
export const rpcClient = (api: Api, types: GoTypes, calls: GoMethods): string => {
  const operations = rpcOperations(api)
  const names = goNamesOf(operations)
  const used = new Set(names.values())
  const all = operations.map((operation) => ({
    operation,
    name: names.get(operation.id) ?? '',
    args: rpcArguments(operation, types),
    results: rpcResults(operation, types),
  }))
  for (const { operation, name, args, results } of all) {
    const returns = results.result ? 'result' : 'nothing'
    calls.set(operation.id, [{ name, args, contentType: undefined, returns }])
  }
  return [
    clientText('RPC', api.rpc?.title ?? api.title),
    `// Close closes the connection of a client whose server is a WebSocket, or which has a link; over HTTP it does nothing.
func (c *RPCClient) Close() { c.calls.Close() }`,
    ...handlersText(api, types),
    ...all.flatMap((one) => [
      ...rpcMethods(one.operation, one.name, one.args, one.results, used),
      ...subscriptionMethods(api, types, one, used),
    ]),
    `// RPCBatch collects calls. Send sends them together, split at the limits of the document; each has its own result or error. One
// goroutine uses a batch.
type RPCBatch struct{ batch *runtime.Batch }

// Batch begins a batch.
func (c *RPCClient) Batch() *RPCBatch { return &RPCBatch{runtime.NewBatch(c.calls)} }

// Send sends the calls. Its error joins those of the calls.
func (b *RPCBatch) Send(ctx context.Context, options ...CallOption) error {
	return b.batch.Send(ctx, options...)
}`,
    ...all.map(({ operation, name, args, results }) => {
      const result = results.result || 'any'
      return method(commentOf(operation, name).slice(0, 1), {
        head: `func (b *RPCBatch) ${name}(${argumentText(args)}) *Pending[${result}]`,
        body: `return runtime.Add[${result}](b.batch, ${goString(operation.id)}, ${listText(args)})`,
      })
    }),
  ].join('\n\n')
}

/** The handlers of what the server sends. */
const handlersText = (api: Api, types: GoTypes): readonly string[] => {
  const { serverMethods } = api
  if (serverMethods.length === 0) return []
  const used = new Set<string>()
  const all = serverMethods.map((operation) => {
    const { result } = rpcResults(operation, types, 'sent')
    const args = rpcArguments(operation, types, 'sent')
    const parameters = ['ctx context.Context', ...(args.length > 0 ? [argumentText(args)] : [])]
    const name = uniqueName(exportedName(operation.id), used)
    return {
      name,
      id: operation.id,
      row: {
        cells: [name, `func(${parameters.join(', ')}) ${result ? `(${result}, error)` : 'error'}`],
        comment: comment([
          (operation.summary ?? operation.description)?.trim()
            ? commentOf(operation, name)[0]
            : `${name} receives ${operation.method}.`,
        ]),
      },
    }
  })
  const rows = aligned(all.map(({ row }) => row))
  const entries = all.map(({ id, name }) => ({
    cells: [`${goString(id)}:`, `handlers.${name},`],
    comment: '',
  }))
  return [
    `// RPCHandlers are functions for what the server sends. Those of notifications run one after another; a request gets the result, or
// the error of an *RPCError.
type RPCHandlers struct {
${goIndented(rows)}
}

// WithHandlers sets functions for what the server sends; nil for none.
func WithHandlers(handlers RPCHandlers) Option {
	return runtime.WithHandlers(map[string]any{
${goIndented(goIndented(aligned(entries)))}
	})
}`,
  ]
}

/** The loop over the items of a method with `x-subscription`. */
const subscriptionMethods = (
  api: Api,
  types: GoTypes,
  { operation, name, args }: Pick<RpcMethodParts, 'operation' | 'name' | 'args'>,
  used: Set<string>,
): readonly string[] => {
  if (operation.subscription === undefined) return []
  const own = uniqueName(`${name}Stream`, used)
  const item = subscriptionItem(operation, api, types)
  const parameters = [
    'ctx context.Context',
    ...(args.length > 0 ? [argumentText(args)] : []),
    'options ...CallOption',
  ]
  return [
    method(
      [
        commentOf(operation, own)[0],
        'It yields the items of the subscription; leaving the loop ends it. After a connection that broke, it is begun again, and WithOnGap is called.',
      ].flatMap((one) => one ?? []),
      {
        head: `func (c *RPCClient) ${own}(${parameters.join(', ')}) iter.Seq2[${item}, error]`,
        body: `return runtime.Subscribe[${item}](ctx, c.calls, ${goString(operation.id)}, ${listText(args)}, options)`,
      },
    ),
  ]
}

type RpcMethodParts = {
  readonly operation: RpcOperation
  readonly name: string
  readonly args: readonly GoArgument[]
}

/** Which arguments may be nil. */
const omittedText = (args: readonly GoArgument[]): string =>
  args.length === 0 ? '' : `If nil, ${args.map(({ name }) => name).join(' or ')} is omitted.`

const listText = (args: readonly GoArgument[]): string =>
  args.length === 0 ? 'nil' : `[]any{${args.map(({ name }) => name).join(', ')}}`

/** `member` is the member of operations.json that has the operation. */
const rpcArguments = (
  operation: RpcOperation,
  types: GoTypes,
  member: 'rpc' | 'sent' = 'rpc',
): readonly GoArgument[] => {
  const used = new Set<string>()
  return operation.params.map((param, at) => {
    const placed = { schema: param.schema, place: `/${member}/${operation.id}/params/${at}/schema` }
    const type = types.typeOf(placed, exportedName(operation.id) + exportedName(param.name))
    const nullable = param.required ? type.nullable : param.acceptsNull === true
    return {
      name: uniqueName(argumentName(param.name), used),
      type: fieldText({ ...type, nullable }, param.required),
      slot: String(at),
    }
  })
}

const rpcMethods = (
  operation: RpcOperation,
  name: string,
  args: readonly GoArgument[],
  results: GoResults,
  used: Set<string>,
): readonly string[] => {
  const omitted = args.filter(
    ({ type }, at) => operation.params[at]?.required === false && !type.startsWith('Null['),
  )
  const [first = '', ...more] = commentOf(operation, name)
  const comments = [first, omittedText(omitted), ...more]
  const parameters = [
    'ctx context.Context',
    ...(args.length > 0 ? [argumentText(args)] : []),
    'options ...CallOption',
  ].join(', ')
  const call = `ctx, c.calls, ${goString(operation.id)}, ${listText(args)}, options`
  const result = results.result ?? ''
  const sequence = (suffix: string, kind: string, item: string, note: string) => {
    const own = uniqueName(name + suffix, used)
    return method([comments[0]?.replace(name, own) ?? '', note], {
      head: `func (c *RPCClient) ${own}(${parameters}) iter.Seq2[${item}, error]`,
      body: `return runtime.${kind}[${item}](${call})`,
    })
  }
  return [
    method(comments, {
      head: `func (c *RPCClient) ${name}(${parameters}) ${result === '' ? 'error' : `(${result}, error)`}`,
      body:
        result === ''
          ? `return runtime.Notify(${call})`
          : `return runtime.Invoke[${result}](${call})`,
    }),
    ...(operation.pages === undefined || result === ''
      ? []
      : [
          sequence(
            'Pages',
            'RPCPages',
            result,
            'It yields the response of each page, from the page of these arguments on.',
          ),
          sequence(
            'Items',
            'RPCItems',
            results.pageItem ?? 'any',
            'It yields each item of all pages.',
          ),
        ]),
  ]
}
