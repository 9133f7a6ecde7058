import { FORMATS, type FormatName } from '../report/formats.js'
import { isFailing } from '../report/levels.js'
import type { CheckReport, ReportSetting } from '../report/report.js'
import { terminalLine } from '../text/escape.js'
import {
  type ExitCode,
  errorsIn,
  type Io,
  isColoured,
  isExpected,
  writeLine,
  writeWhole,
} from './io.js'
import { printRulePages } from './rule-list.js'
import { version } from './version.js'

/**
 * Prints a report to standard output, and its summary to standard error. With `out`, the report goes to that file, and text to
 * standard output. Returns the exit code of the report.
 */
export const printReport = async (
  report: CheckReport,
  { format, out, verbose = false, frames = false }: PrintOptions,
  io: Io,
): Promise<ExitCode> => {
  const { stdout, stderr } = io
  const coloured = isColoured(stdout)
  const isText = format === 'text' || out !== undefined
  if (out !== undefined) {
    const whole = await reportText(report, format, io, { verbose, frames })
    writeWhole(out, format === 'text' ? `${whole}\n${terminalLine(report.summary)}\n` : whole)
  }
  stdout.write(
    await reportText(report, isText ? 'text' : format, io, { verbose, frames, coloured }),
  )
  writeLine(stderr, report.summary)
  if (out !== undefined) writeLine(stderr, `the report is in ${out}`)
  if (isText) await printRulePages(report.findings, io)
  return exitCodeOf(report)
}

export type PrintOptions = Pick<ReportSetting, 'verbose' | 'frames'> & {
  readonly format: FormatName
  readonly out?: string | undefined
}

/** A report in a format. The texts of rules are read only for formats that print them. */
export const reportText = async (
  report: CheckReport,
  format: FormatName,
  { env }: Pick<Io, 'env'>,
  setting: ReportSetting = {},
): Promise<string> => {
  const rules = format === 'sarif' || format === 'html' ? (await import('./rules.js')).RULES : []
  const own = { version, workspace: env.GITHUB_WORKSPACE, rules }
  return FORMATS[format](report, { ...own, ...setting })
}

export const exitCodeOf = ({ findings, failOn, inconclusive }: CheckReport): ExitCode => {
  if (inconclusive !== undefined) return 2
  return findings.some((one) => isFailing(one, failOn)) ? 1 : 0
}

/** Runs work; in formats other than text, errors that prevent reading documents are also printed as a report. */
export const reportingErrors = async <T>(
  command: string,
  format: FormatName,
  io: Io,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (format !== 'text' && isExpected(error) && 'findings' in error) {
      const findings = errorsIn(error)
      const report: CheckReport = {
        ...{ command, subject: error.finding.location.file, findings, failOn: 'error' },
        verdict: 'The documents could not be read',
        summary: error.message,
        inconclusive: 'the documents could not be read',
        ...{ facts: {}, sections: [] },
      }
      io.stdout.write(await reportText(report, format, io))
    }
    throw error
  }
}
