import { type Finding, isAboutFile } from '../model/finding.js'
import { findingLines, type LineOptions } from './text.js'

/**
 * Findings that stop a command, or concern only parts of documents, with their source lines. Files that could not be read come
 * first, in a separate group.
 */
export const framed = (
  findings: readonly Finding[],
  { command, ...options }: FramedOptions,
): readonly string[] => {
  const files = findings.filter(isAboutFile)
  const others = findings.filter((finding) => !isAboutFile(finding))
  const lines = { ...options, frames: true }
  if (files.length === 0) return findingLines(others, lines)
  const what = files.length === 1 ? 'a file cannot be read' : 'these files cannot be read'
  return [
    `${command === undefined ? '' : `${command}: `}${what}:`,
    ...findingLines(files, lines).map((line) => `  ${line}`),
    ...findingLines(others, lines),
  ]
}

export type FramedOptions = Pick<LineOptions, 'coloured' | 'hint'> & {
  /** Shown before files that cannot be read: `twinspec lint`. */
  readonly command?: string
}
