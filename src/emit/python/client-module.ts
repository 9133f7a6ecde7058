import type { Api } from '../../model/api.js'
import type { SecurityScheme, Server } from '../../runtime/operation.js'
import { pythonString } from '../../text/escape.js'
import { uniqueName } from '../../text/names.js'
import { docstring, importLine, namesInType, PYTHON_HEADER, pythonIndented } from './layout.js'
import { snakeCase } from './names.js'
import type { Types } from './types.js'

/** Code, and the texts of types whose names it needs. */
export type Printed = { readonly text: string; readonly types: readonly string[] }

/** A class that calls every operation; its methods are in `bodies`. */
export const clientClass = (
  kind: 'Http' | 'AsyncHttp' | 'Rpc' | 'AsyncRpc',
  api: Api,
  {
    servers,
    credentials,
    bodies,
    handlers,
  }: {
    readonly servers: readonly Server[]
    readonly credentials: Credentials
    readonly bodies: readonly Printed[]
    /** The type of the argument `handlers`; without it there is none. */
    readonly handlers?: string | undefined
  },
): Printed => {
  const isAsync = kind.startsWith('Async')
  const isHttp = kind.endsWith('Http')
  const base = isAsync ? 'AsyncClient' : 'Client'
  const secrets = credentialArguments(credentials).map((one) => ({
    ...one,
    type: `${isAsync ? 'Async' : ''}${one.isBasic ? 'BasicSecret' : 'Secret'}`,
  }))
  const options = isAsync ? 'AsyncClientOptions' : 'ClientOptions'
  const listed = [...new Set(servers.map(({ name }) => name))]
  const literal = `Literal[${listed.map(pythonString).join(', ')}] | `
  const serverType = `${listed.length > 0 ? literal : ''}str | None`
  const parameters = [
    'self',
    `server: ${serverType} = None`,
    ...(secrets.length > 0 || handlers !== undefined ? ['*'] : []),
    ...secrets.map(({ argument, type }) => `${argument}: ${type} | None = None`),
    ...(handlers === undefined ? [] : [`handlers: ${handlers} | None = None`]),
    `**options: Unpack[${options}]`,
  ]
  const auth = secrets.map(({ name, argument }) => `${pythonString(name)}: ${argument}`)
  const title = kind.endsWith('Http')
    ? (api.http?.title ?? api.title)
    : (api.rpc?.title ?? api.title)
  const start = `def __init__(\n${parameters.map((one) => `    ${one},\n`).join('')}) -> None:
    """
    \`server\` is a name of the document, or an address; by default the first server of the document.${secrets.length > 0 ? ` Secrets are texts, or functions that return them.` : ''}
    \`options\` are those of ${options}: ${CLIENT_OPTIONS.map(([name]) => name).join(', ')}.
    """
    super().__init__(${isHttp ? 'HttpCalls' : 'RpcCalls'}, SERVICE, server, {${auth.join(', ')}}, options${handlers === undefined ? '' : ', handlers'})`
  const text = [
    docstring([`${title}: every operation, as a function${isAsync ? ' to await' : ''}.`]),
    start,
    ...bodies.map((one) => one.text),
  ]
  return {
    text: `class ${kind}Client(${base}):\n${pythonIndented(text.join('\n\n'))}`,
    types: [
      serverType,
      ...secrets.map(({ type }) => type),
      options,
      'Unpack',
      base,
      isHttp ? 'HttpCalls' : 'RpcCalls',
      ...bodies.flatMap((one) => one.types),
    ],
  }
}

/** The options of clients, with their meaning, for people. */
export const CLIENT_OPTIONS: readonly (readonly [string, string])[] = [
  ['timeout', 'seconds for one call, retries included; 60 by default, None for no timeout'],
  ['headers', 'additional headers of every request'],
  [
    'retry',
    '`Retry(attempts=3, delay=0.25, longest=60)`, for operations marked idempotent and calls with an idempotency key',
  ],
  ['validate_request', '`strict`, the default, or `off`'],
  ['validate_response', '`tolerant`, the default, `strict` or `off`'],
  ['variables', 'values of the variables of server URLs'],
  ['max_response_bytes', 'the maximum size of a response body; 100 MiB by default'],
  ['client_package', 'the package of the program with its version, sent as `X-Client-Package`'],
  ['on_warning', 'a function that receives each difference of a response that is tolerated'],
  ['on_request, on_response', 'functions that receive each request and the head of each response'],
  ['clock', 'the time and the waiting, for tests'],
  ['http_client', 'your own `httpx2.Client` or `httpx2.AsyncClient`; you close it'],
]

const OPTION_NAMES =
  `server handlers socket timeout headers retry validate_request validate_response variables max_response_bytes client_package
on_warning on_request on_response clock http_client options self`.split(/\s+/)

/** The credentials of a client: names of the document, and the schemes of those that have one. */
export type Credentials = {
  readonly names: readonly string[]
  readonly schemes: Readonly<Record<string, SecurityScheme>>
}

/** The argument of a client for each credential. */
export const credentialArguments = ({ names, schemes }: Credentials): readonly Credential[] => {
  const used = new Set([...OPTION_NAMES])
  return [...new Set(names)].map((name) => ({
    name,
    argument: uniqueName(snakeCase(name), used),
    isBasic: schemes[name]?.kind === 'basic',
  }))
}

type Credential = {
  readonly name: string
  readonly argument: string
  /** Whether it is a user with a password. */
  readonly isBasic: boolean
}

/** Names that modules of the runtime have, by module. */
const RUNTIME: Readonly<Record<string, readonly string[]>> = {
  'collections.abc': ['Awaitable', 'Callable', 'Mapping'],
  typing: ['Any', 'Literal', 'TypedDict', 'Unpack', 'overload'],
  '._runtime.bodies': ['Download', 'FileInput'],
  '._runtime.clients': [
    'AsyncBatchBlock',
    'AsyncClient',
    'BatchBlock',
    'Client',
    'Interval',
    'fields_of',
  ],
  '._runtime.effects': ['AsyncStream', 'Stream'],
  '._runtime.options': [
    'OMIT',
    'AsyncBasicSecret',
    'AsyncClientOptions',
    'AsyncSecret',
    'BasicSecret',
    'ClientOptions',
    'Omit',
    'Secret',
    'SubscribeOptions',
  ],
  '._runtime.http': ['HttpCalls'],
  '._runtime.rpc': ['Batch', 'Pending', 'RpcCalls'],
}

/** A module of client classes, with the imports that their types need. */
export const moduleText = (classes: readonly Printed[], types: Types, title: string): string => {
  const used = new Set(classes.flatMap((one) => one.types).flatMap(namesInType))
  const has = (name: string) => used.has(name)
  const library = Object.entries(RUNTIME).flatMap(([module, names]) => {
    const line = importLine(module, names.filter(has))
    return line === '' ? [] : [{ module, line }]
  })
  const standard = library.filter(({ module }) => !module.startsWith('.')).map(({ line }) => line)
  const own = library.filter(({ module }) => module.startsWith('.')).map(({ line }) => line)
  const inputs = importLine('.inputs', [...types.names('input')].filter(has))
  const records = importLine('.types', [...types.names('record')].filter(has))
  const checked = [inputs, records].filter(Boolean)
  const typed = checked.length > 0
  const top = [importLine('typing', typed ? ['TYPE_CHECKING'] : []), ...standard].filter(Boolean)
  return [
    PYTHON_HEADER,
    '# mypy: disable-error-code="no-any-return"',
    docstring([title]),
    '',
    'from __future__ import annotations',
    '',
    ...mergedTyping(top),
    '',
    ...own,
    'from ._service import SERVICE',
    ...(typed ? ['', 'if TYPE_CHECKING:', pythonIndented(checked.join('\n'))] : []),
    '',
    '',
    classes.map(({ text }) => text).join('\n\n\n'),
    '',
  ].join('\n')
}

/** One line for the names of `typing`. */
const mergedTyping = (lines: readonly string[]): readonly string[] => {
  const names = lines.flatMap(
    (line) => /^from typing import (.*)$/.exec(line)?.[1]?.split(', ') ?? [],
  )
  return [
    ...lines.filter((line) => !line.startsWith('from typing import')),
    importLine('typing', names),
  ].filter(Boolean)
}
