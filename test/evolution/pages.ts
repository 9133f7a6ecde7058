import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bitcoinPage } from './bitcoin-page.js'
import { historiesPage, historySection, readHistories } from './histories.js'
import { readNotes } from './notes.js'
import { reckon } from './reckon.js'

/** A page of docs/examples, and what is wrong with the data that it is written from. */
export type Page = {
  readonly name: string
  readonly text: string
  readonly problems: readonly string[]
}

/** docs/examples/bitcoin.md from the versions in a folder. */
export async function bitcoin(folder: string): Promise<Page> {
  const notes = readNotes(fileURLToPath(new URL('bitcoin.yaml', import.meta.url)))
  const reckonings = []
  for (const step of notes.steps) {
    const files = {
      before: join(folder, 'bitcoin', `${step.before}.json`),
      after: join(folder, 'bitcoin', `${step.after}.json`),
    }
    const texts = { before: json(files.before), after: json(files.after) }
    reckonings.push(await reckon(step, files, texts))
  }
  const problems = reckonings.flatMap((one) => one.problems)
  return { name: 'bitcoin.md', text: bitcoinPage(notes, reckonings), problems }
}

/** docs/examples/histories.md from the versions in a folder. */
export async function histories(folder: string): Promise<Page> {
  const sections = []
  for (const history of HISTORIES) sections.push(await historySection(history, folder))
  const problems = sections.flatMap((one) => one.problems)
  return { name: 'histories.md', text: historiesPage(sections), problems }
}

/** Discord, Lotus and Starknet. */
export const HISTORIES = readHistories(fileURLToPath(new URL('histories.yaml', import.meta.url)))

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
