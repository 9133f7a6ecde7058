import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { File } from '../../src/emit/file.js'
import { emitGo } from '../../src/emit/go/go.js'
import { emitPython } from '../../src/emit/python/python.js'
import { isObject } from '../../src/model/json.js'
import { apiOfData } from '../docs/site-of.js'
import { hostileOpenapi, hostileOpenrpc } from '../emit/hostile-documents.js'
import { temporaryFolder } from '../temporary-folder.js'
import { HAS_GO, WITHOUT_GO } from './go.js'
import { faultsOfModule } from './go-packages.js'
import { failureOf, pythonProgram, WITHOUT_PYTHON } from './python.js'
import { faultsOfPackages } from './python-packages.js'

/** In JavaScript, and in Python: it sets a global that nothing else sets. */
const RUN = `Reflect.set(globalThis,'HOSTILE',1)`
const RUN_IN_PYTHON = `__import__("builtins").__setattr__("HOSTILE",1)`

/** The texts of a document, hostile to Python: three quotes end a docstring. */
const inPython = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.replaceAll(RUN, RUN_IN_PYTHON).replaceAll('```', '"""')
  if (Array.isArray(value)) return value.map(inPython)
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inPython(one)]))
    : value
}

const write = (folder: string, files: readonly File[]): void => {
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const python = pythonProgram('python')

it.skipIf(!python)(
  `Python: a document whose every text is hostile is no code in a package, which builds${WITHOUT_PYTHON}`,
  async () => {
    const folder = temporaryFolder('hostile-python')
    const documents = {
      openapi: inPython(hostileOpenapi()) as object,
      openrpc: inPython(hostileOpenrpc()) as object,
    }
    write(folder, emitPython(await apiOfData(documents), { name: 'hostile' }))
    const settings = { include: ['src'], typeCheckingMode: 'strict', pythonVersion: '3.11' }
    writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
    const program = `import builtins, sys
sys.path.insert(0, "src")
import hostile, hostile.errors, hostile.inputs, hostile.types
assert not hasattr(builtins, "HOSTILE")`
    expect(failureOf(python ?? '', ['-c', program], folder)).toBeUndefined()
    expect(failureOf(python ?? '', ['-m', 'hatchling', 'metadata'], folder)).toBeUndefined()
    expect(faultsOfPackages(folder, ['hostile'])).toEqual([])
  },
)

it.skipIf(!HAS_GO)(
  `Go: a document whose every text is hostile has a module that builds${WITHOUT_GO}`,
  async () => {
    const folder = temporaryFolder('hostile-go')
    const documents = { openapi: hostileOpenapi(), openrpc: hostileOpenrpc() }
    write(folder, emitGo(await apiOfData(documents), { module: 'example.com/hostile' }))
    expect(faultsOfModule(folder)).toEqual([])
  },
)
