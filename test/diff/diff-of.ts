import { join } from 'node:path'
import { expect } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { findingsIn } from '../report/report-of.js'

/** What the command line reports for two versions of an OpenAPI document. */
export const diffOf = async (before: object, after: object): Promise<readonly Finding[]> => {
  const folder = await folderOf({
    'old.json': JSON.stringify(before),
    'new.json': JSON.stringify(after),
  })
  const { stdout, stderr } = await twinspec(
    ...['diff', '--format', 'json', '--openapi', join(folder, 'new.json')],
    ...['--against', join(folder, 'old.json')],
  )
  expect(stdout, stderr).toMatch(/^\{/)
  return findingsIn(stdout)
}

export type Finding = {
  readonly rule: string
  readonly level: string
  readonly message: string
  readonly witness?: { readonly value: unknown }
}

/** The rule and the witness of each error. */
export const errors = (findings: readonly Finding[]) =>
  findings
    .filter(({ level }) => level === 'error')
    .map(({ rule, witness }) => [rule, witness?.value])
