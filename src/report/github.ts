import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type Finding, isAboutFile, isAtRevision } from '../model/finding.js'
import { annotationProperty, annotationText, workflowLogLine } from '../text/escape.js'
import { details } from './details.js'
import { foldedFindings } from './fold.js'
import { LEVELS } from './levels.js'
import type { ReportFormat, ReportSection } from './report.js'
import { placeOf, sectionLines } from './text.js'

/**
 * Workflow commands: GitHub shows findings next to the lines of a pull request, and the sections folded in the log. It shows at
 * most ten annotations per level, so each cause gets one, the most severe first.
 */
export const githubReport: ReportFormat = (
  { command, findings, sections, inconclusive },
  { workspace },
) => {
  const folded = foldedFindings(findings)
  const sorted = LEVELS.flatMap((level) => folded.filter((one) => one.level === level))
  return [
    ...sorted.map((finding) => annotation(finding, workspace)),
    ...(inconclusive === undefined
      ? []
      : [`::error title=twinspec ${command}::${annotationText(inconclusive)}\n`]),
    ...sections.map(group),
  ].join('')
}

const group = (section: ReportSection): string => {
  const lines = sectionLines(section, {}).map((line) => `${workflowLogLine(line)}\n`)
  return lines.length === 0
    ? ''
    : `::group::${annotationText(section.title)}\n${lines.join('')}::endgroup::\n`
}

const annotation = (finding: Finding, workspace: string | undefined): string => {
  const { rule, level, message } = finding
  const { file, line, column } = finding.location
  // A file of another revision is not in the pull request, so its annotation has no place.
  const isElsewhere = isAtRevision(file)
  const title = isElsewhere ? `${placeOf(finding)} ${message}` : message
  const lines = [title, ...details(finding).map(({ label, words }) => `${label} ${words}`)]
  const kind = level === 'note' ? 'notice' : level
  const place = isElsewhere
    ? ''
    : `file=${annotationProperty(fromTop(file, workspace))},${isAboutFile(finding) ? '' : `line=${line},col=${column},`}`
  return `::${kind} ${place}title=${annotationProperty(rule)}::${annotationText(lines.join('\n'))}\n`
}

/** The path from the top of the repository; files outside of it keep their path. */
const fromTop = (file: string, workspace: string | undefined): string => {
  if (!workspace) return file
  const path = relative(workspace, resolve(file))
  return isAbsolute(path) || path.startsWith('..') ? file : path.split(sep).join('/')
}
