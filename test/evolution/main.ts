import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CORPORA } from '../conformance/corpora.js'
import { bitcoin, histories } from './pages.js'

const USAGE = `npm run evolution -- [--folder FOLDER] [--write]

Compares successive versions of real documents with \`diff\`, and says how much of the release notes it finds.

  --folder FOLDER  the versions; ../shared/corpora/histories by default
  --write          writes docs/examples/bitcoin.md and docs/examples/histories.md

Exit 0 where the pages are up to date or written, 1 where not, or where a miss has no explanation that applies, 2 where the versions are missing.
`

const DOCS = fileURLToPath(new URL('../../docs/examples', import.meta.url))

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      folder: { type: 'string', default: join(CORPORA, 'histories') },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  if (!existsSync(join(values.folder, 'index.json'))) {
    process.stderr.write(`There is no ${join(values.folder, 'index.json')}.\n`)
    return 2
  }
  let code = 0
  for (const make of [bitcoin, histories]) {
    const { name, text, problems } = await make(values.folder)
    for (const problem of problems) process.stderr.write(`${name}: ${problem}\n`)
    const file = join(DOCS, name)
    const isWritten = existsSync(file) && readFileSync(file, 'utf8') === text
    if (problems.length > 0) code = 1
    else if (values.write) await writeFile(file, text)
    else if (!isWritten) {
      process.stderr.write(`${name} is not up to date: npm run evolution -- --write\n`)
      code = 1
    }
    process.stdout.write(text)
  }
  return code
}
