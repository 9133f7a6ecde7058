import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import { generateFor } from './languages.js'
import { failureOf, pythonProgram, WITHOUT_PYTHON } from './python.js'

const python = pythonProgram('python')
const program = fileURLToPath(new URL('programs.py', import.meta.url))
const scenarios = [...readFileSync(program, 'utf8').matchAll(/^(?:async )?def (\w+)\(\):$/gm)].map(
  ([, name = '']) => name,
)

let folder: string
beforeAll(async () => {
  folder = temporaryFolder('python-programs')
  if (python) await generateFor('python', folder)
})

describe.skipIf(!python)(`a program in Python${WITHOUT_PYTHON}`, () => {
  it.each(scenarios)('%s', (name) => {
    expect(failureOf(python ?? '', [program, folder, name], folder)).toBeUndefined()
  })
})
