import type { Api } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { speaksOverSockets } from '../../model/sockets.js'
import { pythonString } from '../../text/escape.js'
import type { File } from '../file.js'
import { runtimeFiles } from '../languages/runtime-files.js'
import { emitOperationsJson } from '../operations-json.js'
import { httpClientModule, rpcClientModule, sentParam } from './clients.js'
import { docstring, importLine, namesInType, PYTHON_HEADER, pythonIndented } from './layout.js'
import { className, pythonPackageName } from './names.js'
import { projectFile } from './project.js'
import { pythonReadmeFile } from './readme.js'
import { operationResults } from './results.js'

import { createTypes, type Types, unionText } from './types.js'

/** How a Python package is called. */
export type PythonPackage = {
  /** The name of the distribution: `acme-orders`; by default that of the title. */
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** An SPDX id; none by default. */
  readonly license?: string | undefined
}

/**
 * The files of a Python package with clients of both protocols, blocking and async: `pyproject.toml`, types and signatures, the data of
 * the operations, and the runtime.
 */
export const emitPython = (api: Api, options: PythonPackage = {}): readonly File[] => {
  const name = options.name ?? pythonPackageName(api.title).replaceAll('_', '-')
  const folder = `src/${pythonPackageName(name)}`
  const types = createTypes(api)
  const hasHttp = httpOperations(api).length > 0
  const hasRpc = rpcOperations(api).length > 0
  // The clients declare the classes that they need, so they are first.
  const clients = [
    ...(hasHttp ? [{ name: 'http_client.py', text: httpClientModule(api, types) }] : []),
    ...(hasRpc ? [{ name: 'rpc_client.py', text: rpcClientModule(api, types) }] : []),
  ]
  const errors = errorsModule(api, types)
  const data = emitOperationsJson(api)
  const inside: readonly File[] = [
    ...clients,
    { name: '__init__.py', text: initModule(api, { hasHttp, hasRpc }) },
    { name: '_service.py', text: serviceModule(api, types) },
    { name: 'errors.py', text: errors },
    { name: 'inputs.py', text: inputsModule(types) },
    { name: 'types.py', text: typesModule(types) },
    { name: data.name, text: `${JSON.stringify(JSON.parse(data.text))}\n` },
    { name: 'py.typed', text: `${PYTHON_HEADER}\n` },
    ...runtimeFiles('python').map((file) => ({
      name: `_runtime/${file.name}`,
      text: `${PYTHON_HEADER}\n${UNTYPED}\n${file.text}`,
    })),
  ]
  const about = { ...options, name, module: pythonPackageName(name) }
  const files = [
    projectFile(api, about),
    pythonReadmeFile(api, about, types),
    ...inside.map((file) => ({ name: `${folder}/${file.name}`, text: file.text })),
  ]
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The runtime works on plain JSON, whose types no checker knows. */
const UNTYPED = `# pyright: reportPrivateUsage=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# mypy: disable-error-code="no-any-return"`

const top = (title: string, ...lines: readonly string[]): string =>
  [PYTHON_HEADER, docstring([title]), '', 'from __future__ import annotations', '', ...lines].join(
    '\n',
  )

const typesModule = (types: Types): string => {
  const texts = types.declarations('record')
  const used = types.words('record')
  const typing = ['Any', 'Literal', 'TypeAlias'].filter((name) => used.has(name))
  const isDownload = used.has('Download')
  return `${top(
    'What responses contain.',
    ...lineOf(importLine('typing', typing)),
    ...(isDownload ? ['from ._runtime.bodies import Download'] : []),
    'from ._runtime.records import Record',
    '',
    `__all__ = [${['Record', ...(isDownload ? ['Download'] : []), ...types.names('record')].sort().map(pythonString).join(', ')}]`,
  )}\n\n\n${texts.join('\n\n\n')}\n`
}

const inputsModule = (types: Types): string => {
  const texts = types.declarations('input')
  const used = types.words('input')
  const typing = ['Any', 'Literal', 'NotRequired', 'TypeAlias', 'TypedDict'].filter((name) =>
    used.has(name),
  )
  return `${top(
    'What callers pass.',
    ...lineOf(importLine('collections.abc', used.has('Mapping') ? ['Mapping'] : [])),
    ...lineOf(importLine('typing', typing)),
    ...lineOf(
      importLine(
        '.types',
        [...types.names('record')].filter((name) => used.has(name)),
      ),
    ),
    '',
    `__all__ = [${[...types.names('input')].sort().map(pythonString).join(', ')}]`,
  )}\n\n\n${texts.join('\n\n\n')}\n`
}

const lineOf = (text: string): readonly string[] => (text === '' ? [] : [text])

const errorNames = (
  api: Api,
  types: Types,
): ReadonlyMap<string, { readonly name: string; readonly body: string }> => {
  const used = new Set<string>()
  return new Map(
    httpOperations(api).flatMap((operation) => {
      const { error } = operationResults(operation, types)
      if (error === undefined) return []
      let name = `${className(operation.id)}Error`
      while (used.has(name) || types.names('record').has(name)) name += '_'
      used.add(name)
      return [[operation.id, { name, body: error }]]
    }),
  )
}

const errorsModule = (api: Api, types: Types): string => {
  const errors = errorNames(api, types)
  const used = new Set([...errors.values()].flatMap(({ body }) => namesInType(body)))
  const own = importLine(
    '.types',
    [...types.names('record')].filter((name) => used.has(name)),
  )
  const typing = ['Any', 'Literal'].filter((name) => used.has(name))
  const classes = [...errors].map(
    ([id, { name, body }]) =>
      `class ${name}(HttpError):\n${pythonIndented(`${docstring([`An error response of \`${id}\` that the document describes.`])}\n\nbody: ${body}`)}`,
  )
  const table = [...errors].map(([id, { name }]) => `    ${pythonString(id)}: ${name},\n`)
  const public_ = [
    'CallError',
    'HttpError',
    'Issue',
    'RpcError',
    'Warning',
    ...[...errors.values()].map(({ name }) => name),
  ]
  return `${top(
    'The errors of calls.',
    ...lineOf(importLine('typing', typing)),
    'from ._runtime.errors import CallError, HttpError, Issue, RpcError, Warning',
    ...lineOf(own),
    '',
    `__all__ = [${public_.map(pythonString).join(', ')}]`,
  )}\n\n\n${classes.map((text) => `${text}\n\n\n`).join('')}ERRORS: dict[str, type[HttpError]] = {\n${table.join('')}}\n`
}

const serviceModule = (api: Api, types: Types): string => {
  const rows = api.operations.flatMap((operation) => {
    const { result, item, pageItem, error } = operationResults(operation, types)
    const named = { '': result, '.item': item ?? pageItem, '.error': error }
    return Object.entries(named).flatMap(([suffix, type]) =>
      type === undefined
        ? []
        : [`    ${pythonString(operation.id + suffix)}: ${pythonString(type)},\n`],
    )
  })
  // What the server sends: the type of each param.
  for (const operation of types.sent)
    operation.params.forEach((_, at) => {
      const type = unionText(sentParam(operation, at, types))
      rows.push(`    ${pythonString(`${operation.id}.${at}`)}: ${pythonString(type)},\n`)
    })
  return `${top(
    'What the clients share.',
    'from . import types',
    'from ._runtime.service import Service',
    'from .errors import ERRORS',
  )}

RESULTS = {
${rows.join('')}}
"""The type of the result of each operation, of one item, and of the body of an error."""

SERVICE = Service(__package__ or "", vars(types), RESULTS, ERRORS)
`
}

const initModule = (
  api: Api,
  { hasHttp, hasRpc }: { readonly hasHttp: boolean; readonly hasRpc: boolean },
): string => {
  const hasSocket = speaksOverSockets(api)
  const modules: readonly (readonly [string, readonly string[]])[] = [
    ['._runtime.bodies', ['Download', 'File']],
    ['._runtime.effects', ['AsyncStream', 'Stream']],
    [
      '._runtime.options',
      [
        ...['OMIT', 'AsyncClientOptions', 'CallOptions', 'ClientOptions', 'Clock', 'HookRequest'],
        ...['HookResponse', 'Retry', ...(hasSocket ? ['SubscribeOptions'] : [])],
      ],
    ],
    ...(hasRpc ? [['._runtime.rpc', ['Pending']] as const] : []),
    ...(hasSocket
      ? [['._runtime.socket_options', ['SocketLogin', 'SocketOptions', 'SubscriptionGap']] as const]
      : []),
    ['.errors', ['CallError', 'HttpError', 'Issue', 'RpcError', 'Warning']],
    ...(hasHttp ? [['.http_client', ['AsyncHttpClient', 'HttpClient']] as const] : []),
    ...(hasRpc
      ? [
          [
            '.rpc_client',
            [
              ...['AsyncRpcClient', 'RpcBatch', 'RpcClient'],
              ...(api.serverMethods.length > 0 ? ['AsyncRpcHandlers', 'RpcHandlers'] : []),
            ],
          ] as const,
        ]
      : []),
  ]
  const names = modules.flatMap(([, own]) => own).sort()
  return [
    PYTHON_HEADER,
    docstring([`${api.title} ${api.version}`]),
    '',
    ...modules.map(([module, own]) => importLine(module, own)),
    '',
    `__all__ = [${names.map(pythonString).join(', ')}]`,
    '',
  ].join('\n')
}
