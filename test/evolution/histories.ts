import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'
import { diff } from '../../src/diff/diff.js'
import type { Finding } from '../../src/model/finding.js'
import { loadApi } from '../../src/read/load.js'
import { markdownCell } from '../../src/text/escape.js'
import { TODAY } from './reckon.js'

const closed = { additionalProperties: false } as const

const Read = Type.Object(
  {
    rule: Type.String(),
    /** The pointer into the newer document, or the operation: the first finding there is meant. */
    at: Type.Optional(Type.String()),
    operation: Type.Optional(Type.String()),
    verdict: Type.Union([Type.Literal('right'), Type.Literal('misleading'), Type.Literal('wrong')]),
    why: Type.String(),
  },
  closed,
)

const History = Type.Object(
  {
    name: Type.String(),
    kind: Type.Union([Type.Literal('openapi'), Type.Literal('openrpc')]),
    steps: Type.Array(Type.Object({ before: Type.String(), after: Type.String() }, closed)),
    read: Type.Array(Read),
  },
  closed,
)

const Histories = Type.Object({ histories: Type.Array(History) }, closed)

/** Versions of one document, and findings between them that a person has read. */
export type History = Static<typeof History>

/** Reads the histories of a YAML file. Throws an error that names the first member of a wrong shape. */
export function readHistories(file: string): readonly History[] {
  const value: unknown = parse(readFileSync(file, 'utf8'))
  if (Value.Check(Histories, value)) return value.histories
  const [first] = Value.Errors(Histories, value)
  throw new Error(`${file}${first?.instancePath}: ${first?.message}`)
}

export type Section = { readonly text: string; readonly problems: readonly string[] }

/** The part of docs/examples/histories.md about one history, from the versions in a folder. */
export async function historySection(history: History, folder: string): Promise<Section> {
  const steps: Step[] = []
  for (const { before, after } of history.steps) {
    const [was, is] = [join(folder, before), join(folder, after)]
    const [old, now] = [
      await loadApi({ [history.kind]: was }),
      await loadApi({ [history.kind]: is }),
    ]
    steps.push({
      name: `${nameOf(before)} to ${nameOf(after)}`,
      findings: diff(old, now, { today: TODAY }),
    })
  }
  const all = steps.flatMap(({ findings }) => findings)
  const rows = history.read.map((read) => ({
    read,
    finding: all.find((one) => isMeant(read, one)),
  }))
  const problems = rows.flatMap(({ read, finding }) =>
    finding ? [] : [`${history.name}: no finding is ${read.rule} at ${read.at ?? read.operation}`],
  )
  const wrong = history.read.filter(({ verdict }) => verdict === 'wrong').length
  if (wrong > 0) problems.push(`${history.name}: ${wrong} findings are wrong`)
  return { problems, text: sectionOf(history.name, steps, rows) }
}

type Step = { readonly name: string; readonly findings: readonly Finding[] }
type ReadRow = { readonly read: History['read'][number]; readonly finding: Finding | undefined }

const nameOf = (file: string): string => file.replace(/^.*\/|\.json$/g, '')

const isMeant = ({ rule, at, operation }: History['read'][number], finding: Finding): boolean =>
  finding.rule === rule &&
  (at === undefined || finding.location.pointer === at) &&
  (operation === undefined || finding.operations?.[0] === operation)

function sectionOf(name: string, steps: readonly Step[], read: readonly ReadRow[]): string {
  const all = steps.flatMap(({ findings }) => findings)
  const counts = (rule: string) =>
    steps.map(({ findings }) => findings.filter((one) => one.rule === rule).length)
  const sum = (rule: string) => counts(rule).reduce((total, count) => total + count, 0)
  const levels = ['error', 'warning', 'note'] as const
  const level = (rule: string) => all.find((one) => one.rule === rule)?.level ?? 'note'
  const rules = [...new Set(all.map(({ rule }) => rule))].toSorted(
    (a, b) =>
      levels.indexOf(level(a)) - levels.indexOf(level(b)) || sum(b) - sum(a) || a.localeCompare(b),
  )
  const of = (verdict: ReadRow['read']['verdict']) =>
    read.filter((one) => one.read.verdict === verdict).length
  return `## ${name}

| level | rule | ${steps.map((step) => step.name).join(' | ')} |
| --- | --- |${steps.map(() => ' --- |').join('')}
${rules.map((rule) => `| ${[level(rule), `\`${rule}\``, ...counts(rule)].join(' | ')} |`).join('\n')}
| | **all** | ${steps.map(({ findings }) => findings.length).join(' | ')} |

Of ${read.length} findings that were read, ${of('right')} are right, ${of('misleading')} misleading and ${of('wrong')} wrong.

| finding | verdict | the documents |
| --- | --- | --- |
${read.map(({ read: one, finding }) => `| ${[`${finding?.message ?? ''} (\`${one.rule}\`)`, one.verdict, one.why].map(markdownCell).join(' | ')} |`).join('\n')}
`
}

/** docs/examples/histories.md. */
export const historiesPage = (
  sections: readonly Section[],
): string => `# Example: histories of Discord, Lotus and Starknet

\`npm run evolution -- --write\` writes this page. It compares successive versions of three documents that have no release notes of their own
with \`twinspec diff\`: findings by rule, and ten findings of each that a person has read against both documents. The verdicts are in
\`test/evolution/histories.yaml\`. [Bitcoin Core](bitcoin.md) has release notes to compare with.

${sections.map(({ text }) => text).join('\n')}`
