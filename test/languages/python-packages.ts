import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emitPython } from '../../src/emit/python/python.js'
import type { Api } from '../../src/model/api.js'
import { failureOf, pythonProgram } from './python.js'

/** Writes the packages of some documents into one folder, each with its name. */
export const writePackages = (folder: string, apis: ReadonlyMap<string, Api>): void => {
  for (const [name, api] of apis)
    for (const file of emitPython(api, { name })) {
      mkdirSync(dirname(join(folder, file.name)), { recursive: true })
      writeFileSync(join(folder, file.name), file.text)
    }
  const settings = { include: ['src'], typeCheckingMode: 'strict', pythonVersion: '3.11' }
  writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
}

/** What is wrong with the packages of a folder: those that cannot be imported, and the errors of two type checkers. */
export const faultsOfPackages = (folder: string, names: Iterable<string>): readonly string[] => {
  const python = pythonProgram('python') ?? ''
  const check = (name: string, ...args: readonly string[]) =>
    failureOf(pythonProgram(name) ?? name, args, folder)
  const imports = [...names].map((name) => `import ${name}`).join('; ')
  return [
    failureOf(python, ['-c', `import sys; sys.path.insert(0, 'src'); ${imports}`], folder),
    check('pyright', '--pythonpath', python),
    check('mypy', '--strict', 'src'),
  ].filter((fault) => fault !== undefined)
}
