import { createGoCalls } from '../emit/go/calls.js'
import { goPackage } from '../emit/go/package.js'
import { goImport } from '../emit/go/project.js'
import type { CallValues } from '../emit/languages/call-values.js'
import { createPythonCalls } from '../emit/python/calls.js'
import { pythonPackageName } from '../emit/python/names.js'
import type { Api, Operation } from '../model/api.js'
import type { Snippet } from './rpc-languages.js'
import type { Site, SiteOptions } from './site.js'

/** The clients of the packages that the options name. */
export const clientsOf = (api: Api, { pythonPackage, goModule }: SiteOptions): Site['clients'] => ({
  python:
    pythonPackage === undefined
      ? undefined
      : { module: pythonPackageName(pythonPackage), calls: createPythonCalls(api) },
  go: goModule === undefined ? undefined : createGoCalls(goPackage(api, { module: goModule })),
})

/** What a client is made for: a name of the document or an address, and the names of its credentials. */
type ClientFor = { readonly server: string; readonly secrets: readonly string[] }

/** Samples in all languages, where those with a package are calls of its client. */
export const withClients = (
  snippets: readonly Snippet[],
  { clients }: Site,
  operation: Operation,
  values: CallValues | undefined,
  made: ClientFor,
): readonly Snippet[] =>
  snippets.map(({ language, text }) => {
    const own =
      values === undefined
        ? undefined
        : language === 'Python'
          ? pythonText(clients.python, operation, values, made)
          : language === 'Go'
            ? goText(clients.go, operation, values, made)
            : undefined
    return { language, text: own ?? text }
  })

const pythonText = (
  python: Site['clients']['python'],
  operation: Operation,
  values: CallValues,
  made: ClientFor,
): string | undefined => {
  const call = python?.calls.callOf(operation, values)
  if (python === undefined || call === undefined) return undefined
  const { name, text } = python.calls.clientOf(operation.kind, made)
  const imported = `from ${python.module} import ${name}`
  const called = call.text.replaceAll('\n', '\n    ')
  const body = {
    nothing: `    client.${called}`,
    result: `    result = client.${called}
    print(result)`,
    stream: `    with client.${called} as items:
        for item in items:
            print(item)`,
  }[call.returns]
  return `${imported}\n\nwith ${text} as client:\n${body}`
}

const goText = (
  go: Site['clients']['go'],
  operation: Operation,
  values: CallValues,
  made: ClientFor,
): string | undefined => {
  const call = go?.callOf(operation, values)
  if (go === undefined || call === undefined) return undefined
  const text = call.text.replaceAll('\n', '\n\t')
  const calling = {
    nothing: `	if err := client.${text}; err != nil {
		panic(err)
	}`,
    result: `	result, err := client.${text}
	if err != nil {
		panic(err)
	}
	fmt.Println(result)`,
    stream: `	for item, err := range client.${text} {
		if err != nil {
			panic(err)
		}
		fmt.Println(item)
	}`,
  }[call.returns]
  const client = go.clientOf(operation.kind, made)
  const packages = [
    ['context', true],
    ['encoding/json', /(?<!\w)json\.Number\(/.test(text)],
    ['fmt', call.returns !== 'nothing'],
    ['strings', text.includes('strings.NewReader(')],
  ] as const
  const standard = packages.flatMap(([name, isUsed]) => (isUsed ? [`\t"${name}"\n`] : []))
  return `package main

import (
${standard.join('')}
	${goImport(go)}
)

func main() {
	ctx := context.Background()
	client, err := ${client}
	if err != nil {
		panic(err)
	}
${calling}
}`
}
