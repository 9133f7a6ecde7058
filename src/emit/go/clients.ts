import type { Api, HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import type { MediaType } from '../../model/http-content.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { typesIn } from '../../schema/schema.js'
import { goString } from '../../text/escape.js'
import { uniqueName } from '../../text/names.js'
import { aligned, comment, goIndented } from './layout.js'
import { argumentName, exportedName } from './names.js'
import { type GoResults, rpcResults, subscriptionItem } from './results.js'
import { fieldText } from './type-forms.js'
import type { GoTypes, StructField } from './types.js'

/** An argument of a method. */
type Argument = {
  readonly name: string
  readonly type: string
  /** The name of its value in a call: `path.id`, `params`, `body`, or the position of a param. */
  readonly slot: string
}

/** One of the methods that call an operation once. */
export type GoMethod = {
  readonly name: string
  readonly args: readonly Argument[]
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

/** `http_client.go`: a method for every operation. */
export const httpClient = (
  api: Api,
  types: GoTypes,
  resultsOf: (operation: HttpOperation) => GoResults,
  calls: GoMethods,
): string => {
  const operations = httpOperations(api)
  const names = goNamesOf(operations)
  const used = new Set(names.values())
  const methods = operations.flatMap((operation) => {
    const own: GoMethod[] = []
    calls.set(operation.id, own)
    const results = resultsOf(operation)
    return httpMethods(operation, names.get(operation.id) ?? '', { types, results, used, own })
  })
  return [clientText('HTTP', api.http?.title ?? api.title), ...methods].join('\n\n')
}

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
  const own = free(`${name}Stream`, used)
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
  readonly args: readonly Argument[]
}

const clientText = (kind: 'HTTP' | 'RPC', title: string): string =>
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

const method = (
  comments: readonly string[],
  { head, body }: { readonly head: string; readonly body: string },
): string => {
  const above = comment(comments)
  return `${above === '' ? '' : `${above}\n`}${head} {\n\t${body}\n}`
}

const argumentText = (args: readonly Argument[]): string =>
  args.map(({ name, type }) => `${name} ${type}`).join(', ')

/** Which arguments may be nil. */
const omittedText = (args: readonly Argument[]): string =>
  args.length === 0 ? '' : `If nil, ${args.map(({ name }) => name).join(' or ')} is omitted.`

const listText = (args: readonly Argument[]): string =>
  args.length === 0 ? 'nil' : `[]any{${args.map(({ name }) => name).join(', ')}}`

const commentOf = (
  { id, summary, description, deprecated }: Operation,
  name: string,
): readonly string[] => {
  const [first, second] = [
    summary ?? description,
    summary !== undefined && description !== summary ? description : undefined,
  ]
  return [
    first?.trim() ? `${name}: ${first}` : `${name} calls ${id}.`,
    ...(second?.trim() ? [second] : []),
    ...(deprecated ? ['Deprecated: the document says so.'] : []),
  ]
}

type Context = {
  readonly types: GoTypes
  readonly results: GoResults
  readonly used: Set<string>
  /** The methods so far. */
  readonly own: GoMethod[]
}

/** One way to call an operation: its body, and the result that follows from it. */
type Form = {
  readonly name: string
  readonly variant?: string
  readonly body?: BodyContent
  readonly result: string | undefined
}

type BodyContent = Pick<MediaType, 'type' | 'codec' | 'encoding' | 'schema'> & {
  readonly place: string
}

const httpMethods = (
  operation: HttpOperation,
  name: string,
  context: Context,
): readonly string[] => {
  const { types, results, used, own: calls } = context
  const values = parameterArguments(operation, name, types)
  return formsOf(operation, name, context).flatMap((form) => {
    const own = bodyArgument(operation, form, types, new Set(values.args.map((one) => one.name)))
    const args = [...values.args, ...own.args]
    const call = (more: readonly string[] = []) => {
      const members = [
        ...(values.list.length > 0 ? [`Values: []any{${values.list.join(', ')}}`] : []),
        ...own.members,
        ...more,
      ]
      return `ctx, c.calls, ${goString(operation.id)}, runtime.Input{${members.join(', ')}}, options`
    }
    const comments = commentOf(operation, form.name)
    const parameters = [
      'ctx context.Context',
      ...(args.length > 0 ? [argumentText(args)] : []),
      'options ...CallOption',
    ].join(', ')
    const returning = (result: string, text = form.name) =>
      `func (c *HTTPClient) ${text}(${parameters}) ${result}`
    const sequence = (suffix: string, kind: string, item: string, note: string) =>
      method([comments[0]?.replace(form.name, form.name + suffix) ?? '', note], {
        head: returning(`iter.Seq2[${item}, error]`, free(form.name + suffix, used)),
        body: `return runtime.${kind}[${item}](${call()})`,
      })
    const { result } = form
    const found: string[] = []
    const contentType = form.body?.type
    if (result !== undefined)
      calls.push({
        ...{ name: form.name, args, contentType },
        returns: result === '' ? 'nothing' : 'result',
      })
    if (result === '')
      found.push(
        method(comments, { head: returning('error'), body: `return runtime.Do(${call()})` }),
      )
    else if (result !== undefined)
      found.push(
        method(comments, {
          head: returning(`(${result}, error)`),
          body: `return runtime.Call[${result}](${call()})`,
        }),
      )
    if (results.item !== undefined && operation.variants.length === 0) {
      const isBeside = result !== undefined
      const text = isBeside ? free(`${form.name}Stream`, used) : form.name
      calls.push({ name: text, args, contentType, returns: 'stream' })
      const flag = isBeside && operation.streamDefault !== undefined ? own.stream : undefined
      found.push(
        method(
          [
            comments[0]?.replace(form.name, text) ?? '',
            'It yields items as they arrive; leaving the loop closes the connection.',
          ],
          {
            head: returning(`iter.Seq2[${results.item}, error]`, text),
            body: `${flag === undefined ? '' : `${flag}\n\t`}return runtime.Stream[${results.item}](${call(isBeside ? ['Streams: true'] : [])})`,
          },
        ),
      )
    }
    if (operation.poll !== undefined && result)
      found.push(
        sequence(
          'Poll',
          'Poll',
          result,
          'It repeats the call until the record is final: each changed record, and the final one last.',
        ),
      )
    if (operation.pages !== undefined && result) {
      found.push(
        sequence(
          'Pages',
          'PagesOf',
          result,
          'It yields the response of each page, from the page of these arguments on.',
        ),
      )
      found.push(
        sequence(
          'Items',
          'ItemsOf',
          results.pageItem ?? 'any',
          'It yields each item of all pages.',
        ),
      )
    }
    return found
  })
}

const free = (name: string, used: Set<string>): string => uniqueName(name, used)

/** A method for each variant, or for each media type of the body. */
const formsOf = (
  operation: HttpOperation,
  name: string,
  { results, used }: Context,
): readonly Form[] => {
  const { body, variants, id } = operation
  const contents = (body?.content ?? []).map(
    (content, at): BodyContent => ({ ...content, place: `/http/${id}/body/content/${at}/schema` }),
  )
  const [first] = contents
  if (variants.length > 0 && first !== undefined)
    return variants.map((variant) => ({
      name: free(name + exportedName(variant.name), used),
      variant: variant.name,
      body: {
        ...first,
        schema: { $ref: `#/components/schemas/${variant.request}` },
        place: `/schemas/${variant.request}`,
      },
      result: results.variants.get(variant.name) ?? 'any',
    }))
  const preferred = contents.find(({ codec }) => codec === 'json') ?? first
  if (preferred === undefined) return [{ name, result: results.result }]
  return [preferred, ...contents.filter((one) => one !== preferred)].map((content) => ({
    name: content === preferred ? name : free(`${name}As${kindName(content)}`, used),
    body: content,
    result: results.result,
  }))
}

const kindName = ({ type, codec }: BodyContent): string =>
  ({ json: 'JSON', form: 'Form', multipart: 'Multipart', text: 'Text' })[codec as string] ??
  exportedName(type.replace(/^.*\//, ''))

/** The arguments for parameters: those of the path by position, all others in a struct. `list` has a value for each parameter. */
const parameterArguments = (operation: HttpOperation, name: string, types: GoTypes) => {
  const used = new Set<string>()
  const fields: StructField[] = []
  const fieldNames = new Set<string>()
  const list: string[] = []
  const args: Argument[] = []
  operation.parameters.forEach((parameter, at) => {
    if (parameter.secret) {
      list.push('nil')
      return
    }
    const { schema, required, description } = parameter
    const own = exportedName(parameter.name)
    const type = types.typeOf(
      { schema, place: `/http/${operation.id}/parameters/${at}/schema` },
      name + own,
    )
    if (parameter.in === 'path') {
      const argument = uniqueName(argumentName(parameter.name), used)
      args.push({
        name: argument,
        type: fieldText({ ...type, nullable: false }, true),
        slot: `path.${parameter.name}`,
      })
      list.push(argument)
      return
    }
    const isNeeded =
      required && !(parameter.in === 'header' && parameter.name === operation.idempotencyKey)
    const field = uniqueName(
      fieldNames.has(own) ? own + exportedName(parameter.in) : own,
      fieldNames,
    )
    fields.push({
      name: field,
      type: fieldText({ ...type, nullable: false }, isNeeded),
      comment: comment([description]),
      slot: `${parameter.in}.${parameter.name}`,
      isRequired: isNeeded,
    })
    list.push(`params.${field}`)
  })
  if (fields.length > 0) {
    const struct = types.name(`${name}Params`)
    types.struct(struct, fields, `${struct} are the parameters of ${name} besides its path.`)
    args.push({ name: 'params', type: struct, slot: 'params' })
  }
  return { args, list }
}

const bodyArgument = (
  operation: HttpOperation,
  form: Form,
  types: GoTypes,
  used: ReadonlySet<string>,
) => {
  const { body: content } = form
  const { body } = operation
  if (body === undefined || content === undefined)
    return { args: [], members: [], stream: undefined }
  const type = bodyType(content, types, form.name)
  const name = used.has('body') ? 'body_' : 'body'
  const isMany = body.content.length > 1 && !content.type.includes('*')
  return {
    args: [
      {
        name,
        type: fieldText({ ...type, nullable: body.required && type.nullable }, body.required),
        slot: 'body',
      },
    ],
    members: [
      `Body: ${name}`,
      ...(isMany ? [`ContentType: ${goString(content.type)}`] : []),
      ...(form.variant === undefined ? [] : [`Variant: ${goString(form.variant)}`]),
    ],
    stream: streamFlag(content, types, body.required),
  }
}

/** Sets the property `stream` of a body. */
const streamFlag = (
  content: BodyContent,
  types: GoTypes,
  required: boolean,
): string | undefined => {
  const property = types.properties(content)?.find(({ name }) => name === 'stream')
  if (property === undefined || !required) return undefined
  const type = fieldText(types.typeOf(property, 'Stream'), property.required)
  return {
    bool: 'body.Stream = true',
    '*bool': 'body.Stream = new(true)',
    'Null[bool]': 'body.Stream = NullOf(true)',
  }[type]
}

const READER = { text: 'io.Reader', holds: 'nil', nullable: false, isDeclared: false } as const

const bodyType = (content: BodyContent, types: GoTypes, name: string) => {
  const { codec, encoding = {} } = content
  if (codec === 'parts') return { ...READER, text: '[]any' }
  if (codec === 'text') return { ...READER, text: 'string', holds: 'value' } as const
  if (codec === 'any') return { ...READER, text: 'any', nullable: true }
  if (codec === 'bytes' || codec === 'events') return READER
  const properties = types.properties(content)
  const hasFiles = Object.values(encoding).some(({ isFile }) => isFile)
  if ((codec === 'form' || codec === 'multipart') && hasFiles && properties !== undefined) {
    const fieldNames = new Set<string>()
    const struct = types.name(`${name}Form`)
    const fields = properties.map((property): StructField => {
      const own = uniqueName(exportedName(property.name), fieldNames)
      const isList =
        typeof property.schema === 'object' && typesIn(property.schema)?.includes('array')
      const type =
        encoding[property.name]?.isFile === true
          ? isList
            ? '[]io.Reader'
            : 'io.Reader'
          : fieldText(types.typeOf(property, struct + own), property.required)
      return {
        name: own,
        type,
        tag: `\`json:"${property.name}${property.required ? '' : ',omitzero'}"\``,
        comment: '',
        slot: property.name,
        isRequired: property.required,
      }
    })
    return types.struct(
      struct,
      fields,
      `${struct} is the form that ${name} sends. A file is an io.Reader: an *os.File, or a File with its name and type.`,
    )
  }
  const type = types.typeOf(content, `${name}Body`)
  return (codec === 'form' || codec === 'multipart') && type.text === 'any'
    ? { ...READER, text: 'map[string]any' }
    : type
}

/** `member` is the member of operations.json that has the operation. */
const rpcArguments = (
  operation: RpcOperation,
  types: GoTypes,
  member: 'rpc' | 'sent' = 'rpc',
): readonly Argument[] => {
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
  args: readonly Argument[],
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
    const own = free(name + suffix, used)
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
