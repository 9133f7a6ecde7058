import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { startMock } from '../../src/mock/mock.js'
import { apiOf } from '../read/api-of.js'
import { temporaryFolder } from '../temporary-folder.js'
import { OPENRPC } from './documents.js'
import { generateFor } from './languages.js'
import { failureOf, pythonProgram, WITHOUT_PYTHON } from './python.js'

const python = pythonProgram('python')
const program = fileURLToPath(new URL('links.py', import.meta.url))
const scenarios = [...readFileSync(program, 'utf8').matchAll(/^def (\w+)\(\):$/gm)].map(
  ([, name = '']) => name,
)

let folder: string
beforeAll(async () => {
  folder = temporaryFolder('python-links')
  if (python) await generateFor('python', folder)
})

describe.skipIf(!python)(`a Python client over a WebSocket${WITHOUT_PYTHON}`, () => {
  it.each(scenarios)('%s', (name) => {
    expect(failureOf(python ?? '', [program, folder, name], folder)).toBeUndefined()
  })

  it('gets results, items and batches of a mock server', async () => {
    const mock = await startMock(await apiOf({ openrpc: OPENRPC }), { port: 0, pushInterval: 20 })
    try {
      const url = mock.url.replace('http', 'ws')
      const args = [program, folder, 'a_mock_server', url]
      expect(await promisify(execFile)(python ?? '', args)).toEqual({ stdout: '', stderr: '' })
    } finally {
      await mock.stop()
    }
  })
})
