import type { Finding } from '../../src/model/finding.js'
import { markdownCell } from '../../src/text/escape.js'
import type { Fact, Notes, Other } from './notes.js'
import type { FactRow, OtherRow, Reckoning } from './reckon.js'

/** docs/examples/bitcoin.md. */
export function bitcoinPage(notes: Notes, reckonings: readonly Reckoning[]): string {
  const all = reckonings.map(sums)
  const total = all.reduce(add)
  return `# Example: Bitcoin Core 24 to 28

\`npm run evolution -- --write\` writes this page. It compares the OpenRPC documents of Bitcoin Core 24 to 28, version by version, with
\`twinspec diff\`, and reads what its [release notes](${notes.notes.replace(/\/[^/]*$/, '')}) say of RPC methods from a table in
our words, \`test/evolution/bitcoin.yaml\`. The command fails where \`diff\` misses a fact and the table does not explain it, and where an
explanation no longer applies: it checks each against both documents.

A fact counts once for each method and field that it names. "Stated" is a fact that the schemas of the documents state. The notes also
tell what no schema states, such as the meaning of a file, an error message, or speed.

| from | to | facts | found | stated | of these found | findings | in the notes | true, not in the notes | one document is wrong | false |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${reckonings.map(({ versions }, index) => `| ${row([...versions, ...figures(all[index] ?? total)])} |`).join('\n')}
| ${row(['**all**', '', ...figures(total)])} |

- **Recall:** \`diff\` finds ${share(total.found, total.facts)} of all facts, and ${share(total.foundStated, total.stated)} of what the documents state.
- **Precision:** ${share(total.findings - total.wrong, total.findings)} of the findings are true of the two documents. Of the server,
  ${share(total.noted + total.unnoted, total.findings)} are true: in the others, one document describes the server wrongly, which no comparison of documents can know.
- **What the notes omit:** ${total.unnoted} findings are changes of the server which the release notes do not mention, ${total.breaking} of them breaking.

${reckonings.map((one) => section(notes, one)).join('\n')}`
}

type Sums = Readonly<
  Record<
    | 'facts'
    | 'found'
    | 'stated'
    | 'foundStated'
    | 'findings'
    | 'noted'
    | 'unnoted'
    | 'breaking'
    | 'document'
    | 'wrong',
    number
  >
>

function sums({ rows, others, findings }: Reckoning): Sums {
  const count = (of: readonly FactRow[], take: 'count' | 'found') =>
    of.reduce((sum, one) => sum + one[take], 0)
  const stated = rows.filter(({ fact }) => isStated(fact))
  const verdict = (one: Other['verdict']) =>
    others.filter(({ other }) => other.verdict === one).flatMap((other) => other.findings)
  const unnoted = verdict('true')
  return {
    facts: count(rows, 'count'),
    found: count(rows, 'found'),
    stated: count(stated, 'count'),
    foundStated: count(stated, 'found'),
    findings: findings.length,
    noted: new Set(rows.flatMap((one) => one.findings)).size,
    unnoted: unnoted.length,
    breaking: unnoted.filter(({ level }) => level === 'error').length,
    document: verdict('document').length,
    wrong: verdict('false').length,
  }
}

/** A new method states its fields as well: what is missed of them is missed of what documents state. */
const isStated = ({ missed }: Fact): boolean =>
  missed === undefined || missed.because === 'new-method'

const add = (one: Sums, two: Sums): Sums => ({
  facts: one.facts + two.facts,
  found: one.found + two.found,
  stated: one.stated + two.stated,
  foundStated: one.foundStated + two.foundStated,
  findings: one.findings + two.findings,
  noted: one.noted + two.noted,
  unnoted: one.unnoted + two.unnoted,
  breaking: one.breaking + two.breaking,
  document: one.document + two.document,
  wrong: one.wrong + two.wrong,
})

const figures = (one: Sums) => [
  ...[one.facts, one.found, one.stated, one.foundStated],
  ...[one.findings, one.noted, one.unnoted, one.document, one.wrong],
]

const share = (some: number, all: number): string =>
  `${some} of ${all} (${all === 0 ? 0 : Math.floor((100 * some) / all)} %)`

const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => markdownCell(String(cell))).join(' | ')

function section(notes: Notes, { step, versions, rows, others, findings }: Reckoning): string {
  const source = (release: string) => notes.notes.replace('{release}', release)
  const of = (level: Finding['level']) => findings.filter((one) => one.level === level).length
  const releases = step.releases.map((one) => `[${one}](${source(one)})`).join(', ')
  return `## ${versions.join(' to ')}

\`diff\` reports ${of('error')} errors, ${of('warning')} warnings and ${of('note')} notes. Release notes of ${releases}.

| what the notes say, in our words | methods | source | \`diff\` |
| --- | --- | --- | --- |
${rows.map((one) => `| ${row(factCells(one, source))} |`).join('\n')}

What \`diff\` finds beside it:

| methods | findings | such as | verdict |
| --- | --- | --- | --- |
${others.map((one) => `| ${row(otherCells(one))} |`).join('\n')}
`
}

function factCells({ fact, count, found, findings }: FactRow, source: (release: string) => string) {
  const anchor = fact.section
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replace(/ /g, '-')
  const at = fact.at?.map((one) => `\`${one.replace(/^(params\.|result\.)/, '')}\``)
  const methods = fact.methods[0] === '*' ? 'every method' : fact.methods.join(', ')
  return [
    at === undefined ? fact.says : `${fact.says}: ${at.join(', ')}`,
    methods,
    `[${fact.release}, ${fact.section}](${source(fact.release)}#${anchor})${pullOf(fact)}`,
    fact.missed === undefined
      ? `${found === count ? 'found' : `found ${found} of ${count}`}: ${ruleCounts(findings)}`
      : `missed: ${fact.missed.why}`,
  ]
}

function otherCells({ other, findings }: OtherRow) {
  const verdicts = {
    true: 'true, not in the notes',
    document: 'one document is wrong',
    false: 'false',
  }
  return [
    other.methods.join(', '),
    ruleCounts(findings),
    findings[0]?.message ?? '',
    `${verdicts[other.verdict]}: ${other.why}${pullOf(other)}`,
  ]
}

const pullOf = ({ pull }: { readonly pull?: number | undefined }): string =>
  pull === undefined ? '' : ` ([#${pull}](https://github.com/bitcoin/bitcoin/pull/${pull}))`

/** `response-property-added` × 3, with the level where callers may break. */
export function ruleCounts(findings: readonly Finding[]): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))]
  return rules
    .map((rule) => {
      const of = findings.filter((one) => one.rule === rule)
      const level = of[0]?.level === 'note' ? '' : `**${of[0]?.level}** `
      return `${level}\`${rule}\`${of.length > 1 ? ` × ${of.length}` : ''}`
    })
    .join(', ')
}
