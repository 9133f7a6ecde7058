import type { Finding } from '../../src/model/finding.js'
import { FORMATS, type FormatName } from '../../src/report/formats.js'
import type { CheckReport, ReportSection, ReportSetting } from '../../src/report/report.js'

/** A report of findings alone. */
export const reportOf = (
  findings: readonly Finding[],
  more: Partial<CheckReport> = {},
): CheckReport => ({
  ...{ command: 'lint', subject: 'spec', findings, failOn: 'error', verdict: 'Done' },
  ...{ summary: 'done', facts: {}, sections: [], ...more },
})

/** Findings in a format. */
export const printed = (
  findings: readonly Finding[],
  format: FormatName,
  { failOn = 'error', command = 'lint', ...setting }: PrintedOptions = {},
): string => FORMATS[format](reportOf(findings, { failOn, command }), setting)

export type PrintedOptions = ReportSetting & Partial<Pick<CheckReport, 'failOn' | 'command'>>

/** The findings in `--format json`. */
export const findingsIn = <One = Finding>(stdout: string): readonly One[] =>
  JSON.parse(stdout).findings

/** The section of this name in `--format json`. */
export const sectionIn = (
  { sections }: Pick<CheckReport, 'sections'>,
  name: string,
): ReportSection | undefined => sections.find((one) => one.name === name)
