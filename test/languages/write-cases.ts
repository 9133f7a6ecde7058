/**
 * Writes cases.jsonl: the cases of the table, with what the TypeScript client does where the table does not say it. Review the
 * differences before a commit. `npx tsx -C twinspec-source test/languages/write-cases.ts`
 */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Case } from './case.js'
import { commandOf, generateFor } from './languages.js'
import { differences, type Played, playCases } from './run.js'
import { createTable } from './table.js'

const folder = await mkdtemp(join(tmpdir(), 'twinspec-cases-'))
try {
  await generateFor('typescript', folder)
  const played = await playCases(commandOf('typescript', folder), createTable())
  const wrong = played.flatMap(differences)
  for (const one of wrong) console.error(one)
  writeFileSync(
    new URL('cases.jsonl', import.meta.url),
    played.map((one) => `${JSON.stringify(completed(one))}\n`).join(''),
  )
  console.error(`${played.length} cases, ${wrong.length} differences`)
  process.exitCode = wrong.length > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}

function completed({ one, answer, requests }: Played): Case {
  const { outcome, waits, warnings, handled } = answer
  const isStill = one.options?.clock !== 'real'
  const seen = {
    outcome,
    requests,
    ...(isStill && { waits, warnings }),
    ...(handled && { handled }),
  }
  return { ...one, wanted: { ...seen, ...one.wanted } }
}
