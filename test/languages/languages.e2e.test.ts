import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import { commandOf, generateFor, type Language } from './languages.js'
import { failureOf, pythonProgram, WITHOUT_PYTHON } from './python.js'
import { differences, playCases, readCases } from './run.js'

const python = pythonProgram('python')

const faultsOf = async (language: Language, change?: (folder: string) => void) => {
  const folder = temporaryFolder('contract')
  await generateFor(language, folder)
  change?.(folder)
  return (await playCases(commandOf(language, folder, python), readCases())).flatMap(differences)
}

describe('the contract holds', () => {
  it('in TypeScript', async () => {
    expect(await faultsOf('typescript')).toEqual([])
  })

  it.skipIf(!python)(`in Python, blocking${WITHOUT_PYTHON}`, async () => {
    expect(await faultsOf('python')).toEqual([])
  })

  it.skipIf(!python)(`in Python, async${WITHOUT_PYTHON}`, async () => {
    expect(await faultsOf('python async')).toEqual([])
  })
})

describe.skipIf(!python)(`a Python package of the contract${WITHOUT_PYTHON}`, () => {
  it('has types that pyright and mypy accept in their strictest settings', async () => {
    const folder = temporaryFolder('contract-types')
    await generateFor('python', folder)
    const settings = { include: ['src'], typeCheckingMode: 'strict', pythonVersion: '3.11' }
    writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
    const check = (name: string, ...args: readonly string[]) =>
      failureOf(pythonProgram(name) ?? name, args, folder)
    expect(check('pyright', '--pythonpath', python ?? '')).toBeUndefined()
    expect(check('mypy', '--strict', 'src')).toBeUndefined()
  })
})
