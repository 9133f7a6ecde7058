import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createGoCalls } from '../../src/emit/go/calls.js'
import { goPackage } from '../../src/emit/go/package.js'
import { goImport } from '../../src/emit/go/project.js'
import { callValuesOf } from '../../src/emit/languages/call-values.js'
import { createPythonCalls } from '../../src/emit/python/calls.js'
import { type Mock, startMock } from '../../src/mock/mock.js'
import type { Api, Operation } from '../../src/model/api.js'
import { withExactExamples } from '../../src/model/exact-examples.js'
import { operationRecord } from '../../src/model/operation-record.js'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { credentialNames } from '../../src/runtime/client-options.js'
import { secretVariables } from '../../src/runtime/shared/server-url.js'
import { basePaths } from '../../src/runtime/wire/routes.js'
import { isSuccessKey } from '../../src/runtime/wire/status.js'
import { createChecker } from '../../src/schema/check.js'
import { createSampler } from '../../src/schema/readable.js'
import { CORPORA } from '../conformance/corpora.js'
import { pythonProgram } from './python.js'

/** A program that calls some operations of a mock server, and prints a line of JSON for each: its id, and the type of its result or its error. */
type Program = { readonly text: string; readonly called: readonly string[] }

/** An operation that the mock server responds to, where it is. */
type Called<Call> = { readonly operation: Operation; readonly server: string; readonly call: Call }

const MOST = 10

/** The first ten operations with a call in the language. */
const chosen = <Call>(
  input: Api,
  mock: Mock,
  callOf: (operation: Operation, values: ReadonlyMap<string, unknown>) => Call | undefined,
): readonly Called<Call>[] => {
  const api = withExactExamples(input)
  const makeUp = createSampler(api.schemas, 'request')
  const checker = createChecker(api.schemas)
  const absent = new Set(mock.notMocked.map((one) => one.operation))
  const found: Called<Call>[] = []
  for (const operation of api.operations) {
    // An operation may describe its errors alone.
    if (absent.has(operation.id) || !hasSuccess(operation)) continue
    const values = callValuesOf(fitting(operation, checker), makeUp, api.schemas)
    const call = values && callOf(operation, values)
    const server = serverOf(operation, api, mock)
    if (call !== undefined && server !== undefined) found.push({ operation, server, call })
    if (found.length === MOST) break
  }
  return found
}

const hasSuccess = (operation: Operation): boolean =>
  operation.kind === 'rpc' ||
  operation.responses.some(({ status }) => isSuccessKey(status) || status === 'default')

/** An operation without the examples of its request that break their schemas. */
const fitting = (operation: Operation, checker: ReturnType<typeof createChecker>): Operation => {
  if (operation.kind === 'rpc')
    return {
      ...operation,
      examples: operation.examples.filter(({ params }) =>
        params.every((value, at) =>
          checker.schema(operation.params[at]?.schema ?? true).check(value),
        ),
      ),
    }
  const { parameters, body } = operation
  return {
    ...operation,
    parameters: parameters.map((one) => ({
      ...one,
      examples: one.examples.filter(({ value }) => checker.schema(one.schema).check(value)),
    })),
    body: body && {
      ...body,
      content: body.content.map((one) => ({
        ...one,
        examples: one.examples.filter(({ value }) => checker.schema(one.schema).check(value)),
      })),
    },
  }
}

const serverOf = (operation: Operation, api: Api, mock: Mock): string | undefined => {
  if (operation.kind === 'rpc') {
    // The client fills in the key.
    const secret = new Set((api.rpc?.servers ?? []).flatMap(secretVariables))
    return mock.rpcUrl?.replace(/\{([^}]*)\}/g, (all, name) => (secret.has(name) ? all : 'x'))
  }
  const record = operationRecord(operation, api)
  const [base] = 'servers' in record ? basePaths(record.servers) : []
  return base === undefined ? undefined : `${mock.url}${base.replace(/\{[^}]*\}/g, 'x')}`
}

const secretsIn = (api: Api): readonly string[] => [
  ...[...(api.http?.servers ?? []), ...(api.rpc?.servers ?? [])].flatMap(secretVariables),
  ...api.operations.flatMap((one) => (one.kind === 'http' ? credentialNames(one) : [])),
]

const pythonProgramFor = (api: Api, module: string, mock: Mock): Program => {
  const calls = createPythonCalls(api)
  const all = chosen(api, mock, calls.callOf)
  const secrets = secretsIn(api)
  const lines = all.map(({ operation, server, call }) => {
    const client = calls.clientOf(operation.kind, { server, secrets })
    const id = JSON.stringify(operation.id)
    const text = `client.${call.text.replaceAll('\n', '\n    ')}`
    const made = call.returns === 'stream' ? `next(${text})` : text
    return `with ${client.text} as client:\n    tell(${id}, lambda: ${made})`
  })
  const kinds = new Set(
    all.map((one) => (one.operation.kind === 'http' ? 'HttpClient' : 'RpcClient')),
  )
  const text = `import json
import sys
from collections.abc import Callable

sys.path.insert(0, "src")
from ${module} import ${[...kinds].join(', ')}


def tell(name: str, call: Callable[[], object]) -> None:
    try:
        print(json.dumps([name, type(call()).__name__]))
    except Exception as error:
        print(json.dumps([name, "error", f"{type(error).__name__}: {error}"]))


${lines.join('\n')}
`
  return { text, called: all.map(({ operation }) => operation.id) }
}

const goProgramFor = (api: Api, module: string, mock: Mock): Program => {
  const calls = createGoCalls(goPackage(api, { module }))
  const all = chosen(api, mock, calls.callOf)
  const secrets = secretsIn(api)
  const blocks = all.map(({ operation, server, call: { returns, text: written } }) => {
    const text = `client.${written.replaceAll('\n', '\n\t\t')}`
    const id = JSON.stringify(operation.id)
    const client = calls.clientOf(operation.kind, { server, secrets })
    const value = returns === 'stream' ? `first(${text})` : text
    const made =
      returns === 'nothing'
        ? `tell(${id}, nil, ${text})`
        : `result, err := ${value}\n\t\ttell(${id}, result, err)`
    return `\t{\n\t\tclient, err := ${client}\n\t\tif err != nil {\n\t\t\tpanic(err)\n\t\t}\n\t\t${made}\n\t}`
  })
  const body = blocks.join('\n')
  const standard = [
    'context',
    'encoding/json',
    'fmt',
    ...(body.includes('first(') ? ['iter'] : []),
    ...(body.includes('strings.NewReader') ? ['strings'] : []),
  ]
  const text = `//lint:file-ignore SA1019 Calls of deprecated operations are tried too.

package main

import (
${standard.map((one) => `\t"${one}"\n`).join('')}
	${goImport(calls)}
)

func tell(name string, value any, err error) {
	line := []string{name, fmt.Sprintf("%T", value)}
	if err != nil {
		line = []string{name, "error", err.Error()}
	}
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}
${
  body.includes('first(')
    ? `
func first[T any](items iter.Seq2[T, error]) (item T, err error) {
	for item, err = range items {
		break
	}
	return item, err
}
`
    : ''
}
func main() {
	ctx := context.Background()
${body}
}
`
  return { text, called: all.map(({ operation }) => operation.id) }
}

/** The lines of calls that fail or print nothing, while the mock server of this process responds; else how many there were. */
const outcomeOf = async (
  { called }: Program,
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<number | readonly string[]> => {
  const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 1e8 })
  const lines = stdout.trim().split('\n').filter(Boolean)
  const failed = lines.filter((line) => JSON.parse(line)[1] === 'error')
  const ids = lines.map((line): string => JSON.parse(line)[0])
  const silent = called.filter((id) => !ids.includes(id))
  return failed.length + silent.length > 0 ? [...failed, ...silent] : called.length
}

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** A document of the corpus, with the files that it refers to in the folders of its owner. */
export const loadOfCorpus = (kind: 'openapi' | 'openrpc', file: string): Promise<Api> => {
  const [first = '', owner, ...below] = file.split('/')
  const allowed = owner === undefined ? undefined : join(CORPORA, 'documents', first, owner)
  return loadApi(
    { [kind]: join(CORPORA, 'documents', file) },
    { ...disk, ...(below.length > 0 && { allowed }) },
  )
}

/** Calls operations with the package of a document in a folder. */
export const callInPython = async (
  folder: string,
  name: string,
  api: Api,
): Promise<number | readonly string[]> => {
  const mock = await startMock(api)
  try {
    const program = pythonProgramFor(api, name, mock)
    const path = `calls/${name}.py`
    write(folder, path, program.text)
    return await outcomeOf(program, pythonProgram('python') ?? '', [path], folder)
  } finally {
    await mock.stop()
  }
}

/** Calls operations with the module of a document in a folder; the program stays in it for other tools. */
export const callInGo = async (
  folder: string,
  module: string,
  api: Api,
): Promise<number | readonly string[]> => {
  const mock = await startMock(api)
  try {
    const program = goProgramFor(api, module, mock)
    write(folder, 'cmd/calls/main.go', program.text)
    return await outcomeOf(program, 'go', ['run', './cmd/calls'], folder)
  } finally {
    await mock.stop()
  }
}
