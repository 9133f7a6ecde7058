import { defineCommand } from 'citty'
import type { Finding } from '../model/finding.js'
import { nearest } from '../model/nearest.js'
import { currentRule } from '../model/old-names.js'
import type { RuleRow } from '../model/rule.js'
import { arazzoFlag, diskAllowing, documentFlags, documentsNamed, type Paths } from './documents.js'
import { framed, PER_RULE } from './framed.js'
import { type Io, isColoured, isExpected, UsageError, writeLine, writeStyled } from './io.js'
import { counted, failOnFlag, isAsBad } from './levels.js'
import { FORMATS, type Format, report } from './report.js'
import { printRules } from './rule-table.js'
import { version } from './version.js'

export const lint = defineCommand({
  meta: { name: 'lint', description: 'Says what in documents is wrong, missing or left open' },
  args: {
    ...documentFlags,
    arazzo: arazzoFlag,
    format: {
      type: 'enum',
      options: [...FORMATS],
      default: 'text',
      description: 'How findings are printed',
    },
    'fail-on': failOnFlag('finding'),
    only: { type: 'string', valueHint: 'rule,rule', description: 'Ask these rules alone' },
    'list-rules': { type: 'boolean', description: 'Print the table of rules, as text or json' },
    verbose: {
      type: 'boolean',
      description: 'Print notes too, and every finding, not the first ten of each rule',
    },
  },
  run: async ({ args, data }) => {
    const io = data as Io
    const format = FORMATS.find((one) => one === args.format) ?? 'text'
    const { LINT_RULES, lint: lintApi, inOrder } = await import('../lint/lint.js')
    if (args['list-rules']) {
      printRules('lint', LINT_RULES, format, io)
      return 0
    }
    const { openapi, openrpc, arazzo } = args
    const tree = diskAllowing(args['allow-outside'])
    const job: Job = {
      documents: documentsNamed({ openapi, openrpc, arazzo }),
      only: args.only === undefined ? undefined : rulesNamed(args.only, LINT_RULES),
      format,
      failOn: args['fail-on'],
      verbose: args.verbose === true,
    }
    const found = await findingsOf(job, io, async () => {
      const { loadApi } = await import('../model/load.js')
      return lintApi(await loadApi(job.documents, tree), { only: job.only })
    })
    const findings = inOrder(found)
    if (format === 'text') printText(findings, job, LINT_RULES.length, io)
    else
      io.stdout.write(
        report(findings, format, {
          version,
          rules: LINT_RULES,
          failOn: job.failOn,
          workspace: io.env.GITHUB_WORKSPACE,
        }),
      )
    return findings.some(({ level }) => isAsBad(level, job.failOn)) ? 1 : 0
  },
})

type Job = {
  readonly documents: Paths
  readonly only: readonly string[] | undefined
  readonly format: Format
  readonly failOn: Level
  readonly verbose: boolean
}

type Level = Finding['level']

const rulesNamed = (list: string, rules: readonly RuleRow[]): readonly string[] => {
  const ids = rules.map(({ id }) => id)
  const named = list.split(',').map((name) => currentRule(name.trim()))
  for (const name of named) {
    if (ids.includes(name)) continue
    const near = nearest(name, ids)
    const meant = near === undefined ? '--list-rules lists them' : `did you mean ${near}?`
    throw new UsageError(`twinspec lint: there is no rule ${name || '""'}: ${meant}`)
  }
  return named
}

/** What keeps a document from being read is a finding of it; that it is not there at all is none. */
const findingsOf = async (
  { format }: Job,
  io: Io,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> => {
  try {
    return await work()
  } catch (error) {
    if (!isExpected(error) || !('finding' in error)) throw error
    const { findings } = error
    if (!findings.some(({ rule }) => ABSENT.has(rule))) return findings
    if (format !== 'text')
      io.stdout.write(report(findings, format, { version, workspace: io.env.GITHUB_WORKSPACE }))
    throw error
  }
}

const ABSENT = new Set([
  'document-does-not-exist',
  'document-is-a-folder',
  'document-is-unreadable',
  'document-is-too-large',
])

/** Findings with the lines that they are about, and how many there are of each level. */
const printText = (findings: readonly Finding[], job: Job, rules: number, io: Io): void => {
  const coloured = isColoured(io.stdout)
  const { verbose, failOn, only } = job
  const shown = findings.filter(
    ({ level }) => level !== 'note' || verbose || failOn === 'note' || only !== undefined,
  )
  const hint = ' (--verbose shows all)'
  const bound = verbose ? {} : { perRule: PER_RULE, hint }
  for (const line of framed(shown, { coloured, ...bound })) writeStyled(io.stdout, line)
  const hidden = findings.length > shown.length ? ' (--verbose shows the notes)' : ''
  writeLine(io.stderr, `${summary(findings, only?.length ?? rules)}${hidden}`)
}

const summary = (findings: readonly Finding[], rules: number): string => {
  const asked = rules === 1 ? 'one rule' : `${rules} rules`
  return `${counted(findings) || 'clean'} by ${asked}`
}
