import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SiteOptions } from '../../src/docs/site.js'
import { emitGo } from '../../src/emit/go/go.js'
import { emitPython } from '../../src/emit/python/python.js'
import type { Api } from '../../src/model/api.js'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { HAS_GO, outputOf, WITHOUT_GO } from '../languages/go.js'
import { failureOf, pythonProgram, WITHOUT_PYTHON } from '../languages/python.js'
import { temporaryFolder } from '../temporary-folder.js'
import { samplesOf, siteOf } from './samples-of.js'

const DOCUMENTS = {
  ours: { openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' },
  petstore: { openapi: 'node_modules/@readme/oas-examples/3.1/json/petstore.json' },
}

const COUNTS: Readonly<Record<string, number>> = { ours: 90, petstore: 20 }

const MODULE = 'example.com/acme/orders'

const samplesIn = (api: Api, language: string, options: SiteOptions = PACKAGES) =>
  samplesOf(siteOf(api, options)).flatMap(({ others }) =>
    others.flatMap((one) => (one.language === language ? [one.text] : [])),
  )

const PACKAGES = { pythonPackage: 'acme-orders', goModule: MODULE }

describe.each(Object.entries(DOCUMENTS))('the reference of %s', (name, documents) => {
  let api: Api

  beforeAll(async () => {
    api = await loadApi(documents, disk)
  })

  const write = (folder: string, path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  it.skipIf(!pythonProgram('mypy'))(
    `calls the Python client, as mypy accepts it${WITHOUT_PYTHON}`,
    () => {
      const folder = temporaryFolder(`samples-python-${name}`)
      for (const file of emitPython(api, { name: 'acme-orders' }))
        write(folder, file.name, file.text)
      const samples = samplesIn(api, 'Python')
      expect(samples.length).toBeGreaterThanOrEqual(COUNTS[name] ?? 0)
      expect(samples.filter((text) => !text.startsWith('from acme_orders import'))).toEqual([])
      samples.forEach((text, at) => {
        write(folder, `src/sample_${at}.py`, `${text}\n`)
      })
      const check = () => failureOf(pythonProgram('mypy') ?? '', ['--strict', 'src'], folder)
      expect(check()).toBeUndefined()
      // A sample that is wrong is reported, or the line above says nothing.
      write(
        folder,
        'src/sample_0.py',
        `${samples[0]?.replace(/client\.(\w+)\(/, 'client.$1(17, 18, ')}\n`,
      )
      expect(check()).toContain('sample_0.py')
    },
  )

  it.skipIf(!HAS_GO)(`calls the Go client, as it builds${WITHOUT_GO}`, () => {
    const folder = temporaryFolder(`samples-go-${name}`)
    for (const file of emitGo(api, { module: MODULE })) write(folder, file.name, file.text)
    const samples = samplesIn(api, 'Go')
    expect(samples.length).toBeGreaterThanOrEqual(COUNTS[name] ?? 0)
    expect(samples.filter((text) => !text.includes(`"${MODULE}"`))).toEqual([])
    samples.forEach((text, at) => {
      write(folder, `cmd/sample${at}/main.go`, `${text}\n`)
    })
    expect(failureOf('go', ['vet', './...'], folder)).toBeUndefined()
    expect(outputOf('gofmt', ['-l', '.'], folder)).toBe('')
  })
})

it('samples send requests without a client where no package is named', async () => {
  const api = await loadApi(DOCUMENTS.petstore, disk)
  const python = samplesIn(api, 'Python', {})
  expect(python.length).toBe(COUNTS.petstore)
  expect(python.filter((text) => !text.startsWith('import requests'))).toEqual([])
  expect(samplesIn(api, 'Go', {}).filter((text) => text.includes(MODULE))).toEqual([])
})
