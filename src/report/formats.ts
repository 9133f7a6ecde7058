import { githubReport } from './github.js'
import { htmlReport } from './html.js'
import { jsonReport } from './json.js'
import { junitReport } from './junit.js'
import { markdownReport } from './markdown.js'
import type { ReportFormat } from './report.js'
import { sarifReport } from './sarif.js'
import { textReport } from './text.js'

/** Every format, by its name in `--format`. A format is one file here and one row. */
export const FORMATS = {
  text: textReport,
  json: jsonReport,
  github: githubReport,
  sarif: sarifReport,
  junit: junitReport,
  markdown: markdownReport,
  html: htmlReport,
} as const satisfies Readonly<Record<string, ReportFormat>>

export type FormatName = keyof typeof FORMATS
