import { jsonText } from '../text/escape.js'
import type { ReportFormat } from './report.js'

/** The report as it is: docs/reports.md describes its members. */
export const jsonReport: ReportFormat = (report) => `${jsonText(report, 2)}\n`
