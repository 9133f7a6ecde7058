import type { Api, HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { credentialNames } from '../../runtime/client-options.js'
import { secretVariables } from '../../runtime/shared/server-url.js'
import { pythonString } from '../../text/escape.js'
import { uniqueName } from '../../text/names.js'
import { type Argument, httpArguments, rpcArguments } from './arguments.js'
import { type Credentials, clientClass, moduleText, type Printed } from './client-module.js'
import { docstring, pythonIndented } from './layout.js'
import { CLIENT_MEMBERS, className, snakeCase } from './names.js'
import { operationResults, type PythonResults } from './results.js'
import { isPlainKey, type Types, type UnionMembers, unionText } from './types.js'

/** `http_client.py`: the signature of every operation, for a client that blocks and one that awaits. */
export const httpClientModule = (api: Api, types: Types): string => {
  const operations = httpOperations(api)
  const credentials = httpCredentials(api)
  const methods = pythonNamesOf(operations)
  const classOf = (kind: 'Http' | 'AsyncHttp'): Printed => {
    const isAsync = kind === 'AsyncHttp'
    const bodies = operations.flatMap((operation) =>
      httpMethods(operation, { types, isAsync, name: methods.get(operation.id) ?? operation.id }),
    )
    return clientClass(kind, api, { servers: api.http?.servers ?? [], credentials, bodies })
  }
  return moduleText([classOf('Http'), classOf('AsyncHttp')], types, 'The HTTP clients.')
}

/** The credentials of the HTTP client. */
export const httpCredentials = (api: Api): Credentials => {
  const operations = httpOperations(api)
  const servers = [...(api.http?.servers ?? []), ...operations.flatMap((one) => one.servers)]
  return {
    names: [...servers.flatMap(secretVariables), ...operations.flatMap(credentialNames)],
    schemes: Object.assign({}, ...operations.map((one) => one.schemes)),
  }
}

/** The credentials of the JSON-RPC client. */
export const rpcCredentials = (api: Api): Credentials => ({
  names: (api.rpc?.servers ?? []).flatMap(secretVariables),
  schemes: {},
})

/** `rpc_client.py`: the signature of every method, for both clients and for batches. */
export const rpcClientModule = (api: Api, types: Types): string => {
  const operations = rpcOperations(api)
  const servers = api.rpc?.servers ?? []
  const credentials = rpcCredentials(api)
  const methods = pythonNamesOf(operations)
  const nameOf = (operation: RpcOperation) => methods.get(operation.id) ?? operation.id
  const batch = joined(operations.map((one) => batchMethod(one, nameOf(one), types)))
  const body = batch.text || 'pass'
  const comment = docstring([
    'The methods of a batch. Each has a result or an error when the batch has been sent.',
  ])
  const batchClass: Printed = {
    text: `class RpcBatch(Batch):\n${pythonIndented(`${comment}\n\n${body}`)}`,
    types: [...batch.types, 'Batch'],
  }
  const hasHandlers = api.serverMethods.length > 0
  const classOf = (kind: 'Rpc' | 'AsyncRpc'): Printed => {
    const isAsync = kind === 'AsyncRpc'
    const handlers = hasHandlers ? handlersName(isAsync) : undefined
    const block = isAsync ? 'AsyncBatchBlock' : 'BatchBlock'
    const opening: Printed = {
      text: `def batch(self) -> ${block}[RpcBatch]:
    """Collects calls, which are sent together at the end of the block, split at the limits of the document."""
    return ${block}(self._link, RpcBatch(self._calls))`,
      types: [block],
    }
    const bodies = [
      opening,
      ...operations.flatMap((one) => rpcMethods(one, { types, isAsync, name: nameOf(one) })),
    ]
    return clientClass(kind, api, { servers, credentials, bodies, handlers })
  }
  const handlers = hasHandlers ? [handlersClass(types, false), handlersClass(types, true)] : []
  return moduleText(
    [...handlers, batchClass, classOf('Rpc'), classOf('AsyncRpc')],
    types,
    'The JSON-RPC clients.',
  )
}

const joined = (pieces: readonly Printed[]): Printed => ({
  text: pieces.map(({ text }) => text).join('\n\n'),
  types: pieces.flatMap((one) => one.types),
})

/** Python names of operations, unique in a client. */
export const pythonNamesOf = (operations: readonly Operation[]): ReadonlyMap<string, string> => {
  const used = new Set(CLIENT_MEMBERS)
  return new Map(operations.map(({ id }) => [id, uniqueName(snakeCase(id), used)]))
}

type Method = { readonly types: Types; readonly isAsync: boolean; readonly name: string }

const httpMethods = (operation: HttpOperation, method: Method): readonly Printed[] => {
  const { types, isAsync, name } = method
  const results = operationResults(operation, types)
  const id = pythonString(operation.id)
  const stream = isAsync ? 'AsyncStream' : 'Stream'
  const comment = commentOf(operation)
  const found: Printed[] = []
  if (results.result !== undefined) {
    const { variants = [] } = operation
    if (variants.length > 0) found.push(variantMethod(operation, method, results))
    else {
      const args = httpArguments(operation, { types })
      found.push(
        plainMethod(name, args, {
          isAsync,
          returns: results.result,
          comment,
          call: `self._call(${id}, ${slots(args)})`,
        }),
      )
    }
  }
  if (results.item !== undefined) {
    const args = httpArguments(operation, { types })
    const isBeside = results.result !== undefined
    const own = args.filter((one) => !isBeside || !setsStream(one))
    const chosen = isBeside
      ? slots(
          own,
          operation.streamDefault === undefined ? ['"stream": True'] : ['"body.stream": True'],
        )
      : slots(own)
    found.push(
      plainMethod(isBeside ? `${name}_stream` : name, own, {
        isAsync: false,
        returns: `${stream}[${results.item}]`,
        comment: [...comment, 'Yields items as they arrive: `with` closes the connection.'],
        call: `self._stream(${id}, ${chosen})`,
      }),
    )
  }
  if (operation.poll !== undefined && results.result !== undefined) {
    const args = httpArguments(operation, { types })
    const taken = new Set(args.map((one) => one.name))
    const extra: Argument[] = [
      {
        name: uniqueName('interval', taken),
        type: 'Interval',
        usual: 'None',
        isPositional: false,
        slot: '',
      },
      {
        name: uniqueName('timeout', taken),
        type: 'float | None',
        usual: 'None',
        isPositional: false,
        slot: '',
      },
    ]
    found.push(
      plainMethod(`${name}_poll`, [...args, ...extra], {
        isAsync: false,
        returns: `${stream}[${results.result}]`,
        comment: [
          ...comment,
          'Repeats the call until the record is final: each changed record, and the final one last. `timeout` is for the whole wait.',
        ],
        call: `self._poll(${id}, ${slots(args)}, ${extra.map((one) => one.name).join(', ')})`,
      }),
    )
  }
  if (operation.pages !== undefined && results.result !== undefined) {
    const args = httpArguments(operation, { types })
    found.push(
      ...pageMethods(name, args, {
        results,
        stream,
        comment,
        call: (each) => `self._pages(${id}, ${slots(args)}, "${each}")`,
      }),
    )
  }
  return found
}

/** Whether an argument is the flag of a body that `…_stream` sets itself. */
export const setsStream = ({ slot }: Argument): boolean => /^(body|null)\.stream$/.test(slot)

const rpcMethods = (
  operation: RpcOperation,
  { types, isAsync, name }: Method,
): readonly Printed[] => {
  const results = operationResults(operation, types)
  const args = rpcArguments(operation, types)
  const id = pythonString(operation.id)
  const comment = commentOf(operation)
  const list = `[${args.map((one) => one.name).join(', ')}]`
  const call = plainMethod(name, args, {
    isAsync,
    returns: results.result ?? 'None',
    comment,
    call: `self._call(${id}, ${list})`,
  })
  const stream = isAsync ? 'AsyncStream' : 'Stream'
  const items = results.item === undefined ? [] : rpcArguments(operation, types, SUBSCRIBE_OPTIONS)
  const subscribing =
    results.item === undefined
      ? []
      : [
          plainMethod(`${name}_stream`, items, {
            isAsync: false,
            returns: `${stream}[${results.item}]`,
            comment: [
              ...comment,
              `Subscribes, and yields the items as they arrive. Leaving \`${isAsync ? 'async with' : 'with'}\` unsubscribes.`,
            ],
            call: `self._subscribe(${id}, [${items.map((one) => one.name).join(', ')}], options)`,
            rest: 'SubscribeOptions',
          }),
        ]
  if (operation.pages === undefined) return [call, ...subscribing]
  return [
    call,
    ...subscribing,
    ...pageMethods(name, args, {
      results,
      stream,
      comment,
      call: (each) => `self._pages(${id}, ${list}, "${each}")`,
    }),
  ]
}

/** The names of `SubscribeOptions`. */
const SUBSCRIBE_OPTIONS = ['buffer', 'overflow', 'on_gap', 'attempts', 'options']

const handlersName = (isAsync: boolean): string => (isAsync ? 'AsyncRpcHandlers' : 'RpcHandlers')

/** The type of the argument `handlers`: a function for each method that the server sends, by its id. */
const handlersClass = (types: Types, isAsync: boolean): Printed => {
  const fields = types.sent.map((operation) => {
    const params = operation.params.map((param, at) => {
      const members = sentParam(operation, at, types)
      return unionText(param.required ? members : [...members, 'None'])
    })
    const place = { schema: operation.result.schema, place: `/sent/${operation.id}/result/schema` }
    const result = operation.isNotification
      ? 'object'
      : unionText(types.typeOf(place, 'input', `${className(operation.id)}Result`))
    const returned =
      isAsync && !operation.isNotification ? `${result} | Awaitable[${result}]` : result
    return { operation, type: `Callable[[${params.join(', ')}], ${returned}]` }
  })
  const name = handlersName(isAsync)
  const comment = docstring([
    'Functions for what the server sends, by id. Params are arguments in the order of the document. A request without one gets the error -32601.',
  ])
  const isPlain = fields.every(({ operation }) => isPlainKey(operation.id))
  const members = fields.map(
    ({ operation: { id }, type }) => `${pythonString(id)}: ${pythonString(type)}`,
  )
  const body = [
    comment,
    ...fields.map(({ operation: { id, summary, description }, type }) => {
      const note = docstring([summary ?? description])
      return `${id}: ${type}${note && `\n${note}`}`
    }),
  ]
  return {
    text: isPlain
      ? `class ${name}(TypedDict, total=False):\n${pythonIndented(body.join('\n\n'))}`
      : `${name} = TypedDict(${pythonString(name)}, {${members.join(', ')}}, total=False)\n${comment}`,
    types: ['TypedDict', ...fields.map(({ type }) => type)],
  }
}

/** The type of a param of a method that the server sends. */
export const sentParam = (operation: RpcOperation, at: number, types: Types): UnionMembers =>
  types.typeOf(
    {
      schema: operation.params[at]?.schema ?? true,
      place: `/sent/${operation.id}/params/${at}/schema`,
    },
    'record',
    className(operation.id) + className(operation.params[at]?.name ?? ''),
  )

const batchMethod = (operation: RpcOperation, name: string, types: Types): Printed => {
  const results = operationResults(operation, types)
  const args = rpcArguments(operation, types)
  const list = `[${args.map((one) => one.name).join(', ')}]`
  const call = `self._add(${pythonString(operation.id)}, ${list})`
  return plainMethod(name, args, {
    ...{ isAsync: false, comment: commentOf(operation).slice(0, 1), call },
    returns: `Pending[${results.result ?? 'None'}]`,
  })
}

const pageMethods = (
  name: string,
  args: readonly Argument[],
  {
    results,
    stream,
    comment,
    call,
  }: {
    readonly results: PythonResults
    readonly stream: string
    readonly comment: readonly string[]
    readonly call: (each: 'page' | 'item') => string
  },
): readonly Printed[] => [
  plainMethod(`${name}_pages`, args, {
    ...{ isAsync: false, returns: `${stream}[${results.result}]`, call: call('page') },
    comment: [...comment, 'Yields the response of each page, from the page of these arguments on.'],
  }),
  plainMethod(`${name}_items`, args, {
    ...{ isAsync: false, returns: `${stream}[${results.pageItem ?? 'Any'}]`, call: call('item') },
    comment: [...comment, 'Yields each item of all pages.'],
  }),
]

/** The arguments of each variant of a request. */
export const variantArguments = (operation: HttpOperation, types: Types) => {
  const [content] = operation.body?.content ?? []
  return operation.variants.map((variant) => {
    const body = content && [
      {
        ...content,
        schema: { $ref: `#/components/schemas/${variant.request}` },
        place: `/schemas/${variant.request}`,
      },
    ]
    return { variant, args: httpArguments(operation, { types, ...(body && { body }) }) }
  })
}

/** A method with an overload for each variant of its request, which decides the type of the response. */
const variantMethod = (
  operation: HttpOperation,
  { types, isAsync, name }: Method,
  results: PythonResults,
): Printed => {
  const def = isAsync ? 'async def' : 'def'
  const all = variantArguments(operation, types)
  const overloads = all.map(({ variant, args }) => {
    const returns = results.variants.get(variant.name) ?? 'Any'
    return {
      text: `@overload\n${def} ${signature(name, args, returns)}: ...`,
      types: [...args.map((one) => one.type), returns],
    }
  })
  const isNull = new Set(
    all.flatMap(({ args }) =>
      args.flatMap((one) => (one.slot.startsWith('null.') ? [one.name] : [])),
    ),
  )
  const slotsByName = new Map(
    all
      .flatMap(({ args }) => args)
      .map((one) => [
        one.name,
        isNull.has(one.name) ? one.slot.replace(/^body\./, 'null.') : one.slot,
      ]),
  )
  const table = [...slotsByName].map(([key, slot]) => `${pythonString(key)}: ${pythonString(slot)}`)
  const awaited = isAsync ? 'await ' : ''
  const body = [
    ...linesOf(docstring(commentOf(operation))),
    `slots = {${table.join(', ')}}`,
    `return ${awaited}self._call(${pythonString(operation.id)}, fields_of(slots, arguments, fields))`,
  ]
  const whole = {
    text: `${def} ${name}(self, *arguments: Any, **fields: Any) -> Any:\n${pythonIndented(body.join('\n'))}`,
    types: ['Any', 'fields_of', 'overload'],
  }
  // One overload would be an error of type checkers.
  if (overloads.length > 1)
    return {
      text: [...overloads, whole].map(({ text }) => text).join('\n\n'),
      types: [...overloads, whole].flatMap((one) => one.types),
    }
  const args = all[0]?.args ?? []
  return plainMethod(name, args, {
    ...{
      isAsync,
      comment: commentOf(operation),
      call: `self._call(${pythonString(operation.id)}, ${slots(args)})`,
    },
    returns: results.variants.values().next().value ?? 'Any',
  })
}

const plainMethod = (
  name: string,
  args: readonly Argument[],
  {
    isAsync,
    returns,
    comment,
    call,
    rest,
  }: {
    readonly isAsync: boolean
    readonly returns: string
    readonly comment: readonly string[]
    readonly call: string
    /** The type of further arguments by name. */
    readonly rest?: string
  },
): Printed => {
  const body = [
    ...linesOf(docstring(comment)),
    returns === 'None'
      ? `${isAsync ? 'await ' : ''}${call}`
      : `return ${isAsync ? 'await ' : ''}${call}`,
  ]
  return {
    text: `${isAsync ? 'async def' : 'def'} ${signature(name, args, returns, rest)}:\n${pythonIndented(body.join('\n'))}`,
    types: [
      ...args.map((one) => one.type),
      ...args.map((one) => one.usual ?? ''),
      returns,
      ...(rest === undefined ? [] : ['Unpack', rest]),
    ],
  }
}

const signature = (
  name: string,
  args: readonly Argument[],
  returns: string,
  rest?: string,
): string => {
  const positional = args.filter(({ isPositional }) => isPositional)
  const named = args.filter(({ isPositional }) => !isPositional)
  const needed = [...named].sort(
    (a, b) => Number(a.usual !== undefined) - Number(b.usual !== undefined),
  )
  const parts = [
    'self',
    ...positional.map(argumentText),
    ...(named.length > 0 ? ['*'] : []),
    ...needed.map(argumentText),
    ...(rest === undefined ? [] : [`**options: Unpack[${rest}]`]),
  ]
  const line = `${name}(${parts.join(', ')}) -> ${returns}`
  return line.length <= 100
    ? line
    : `${name}(\n${parts.map((one) => `    ${one},\n`).join('')}) -> ${returns}`
}

const argumentText = ({ name, type, usual }: Argument): string =>
  `${name}: ${type}${usual === undefined ? '' : ` = ${usual}`}`

/** The arguments by their slots, as the runtime takes them. */
const slots = (args: readonly Argument[], more: readonly string[] = []): string => {
  const members = [...args.map(({ name, slot }) => `${pythonString(slot)}: ${name}`), ...more]
  const line = `{${members.join(', ')}}`
  return line.length <= 80 ? line : `{\n${members.map((one) => `    ${one},\n`).join('')}}`
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : [text])

const commentOf = ({ summary, description, deprecated }: Operation): readonly string[] =>
  [
    summary ?? description,
    summary !== undefined && description !== summary ? description : undefined,
    deprecated ? 'Deprecated.' : undefined,
  ].filter((one): one is string => one !== undefined && one.trim() !== '')
