import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startMock } from '../../src/mock/mock.js'
import { loadApi } from '../../src/read/load.js'
import { ran } from '../cli/command.js'
import { compileErrors, STRICTEST } from '../compile.js'
import { createFolder } from './begun-project.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSX = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href
const guide = readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8')

/** The section of the guide with this heading, and its first block of each language. */
const section = (heading: string) => {
  const [text = ''] = guide.split(/^## /m).filter((one) => one.startsWith(`${heading}\n`))
  const block = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? ''
  return { document: block('yaml'), program: block('ts'), commands: block('sh') }
}

/** A project that has followed the guide up to its program. */
const followed = async (heading: string, kind: 'openapi' | 'openrpc') => {
  const { document, program, commands } = section(heading)
  const name = /generate (\S+\.yaml) --out src\/generated/.exec(commands)?.[1] ?? ''
  const project = createFolder()
  onTestFinished(() => project.remove())
  project.write([
    { path: 'package.json', text: '{ "type": "module" }' },
    { path: name, text: document },
  ])
  const file = join(project.folder, name)
  const generated = await ran(['generate', file, '--out', join(project.folder, 'src/generated')])
  expect(generated).toMatchObject({ code: 0 })
  const linted = await ran(['lint', file])
  expect(linted).toMatchObject({ code: 0 })
  const mock = await startMock(await loadApi({ [kind]: file }), { port: 0 })
  onTestFinished(() => mock.stop())

  project.write([{ path: 'src/call.ts', text: program.replace('http://127.0.0.1:4010', mock.url) }])
  const call = join(project.folder, 'src/call.ts')
  return {
    errors: () => compileErrors({ files: [call], options: STRICTEST }),
    run: async () => {
      const flags = ['--import', TSX, '-C', 'twinspec-source', call]
      const { stdout } = await promisify(execFile)(process.execPath, flags)
      return stdout
    },
  }
}

test.each([
  ['You have an OpenAPI document', 'openapi', 'Emma\n'],
  ['You have an OpenRPC document', 'openrpc', '12\n[ 12, 12 ]\n'],
] as const)(
  'docs/getting-started.md, "%s": its program compiles and prints what it says',
  async (heading, kind, printed) => {
    const { errors, run } = await followed(heading, kind)
    expect(errors()).toEqual([])
    expect(await run()).toBe(printed)
  },
)
