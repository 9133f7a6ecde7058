import type { Finding, Level } from '../model/finding.js'

/**
 * What a command that checks something found. It is data: each format in this folder prints every report, and no format knows a
 * command.
 */
export type CheckReport = {
  /** `lint`, `diff`, `conform`, `compatibility`, `generate`. */
  readonly command: string
  /** What was checked: files, or the address of a server without secrets. */
  readonly subject: string
  readonly findings: readonly Finding[]
  /** The findings that end the command with exit code 1. */
  readonly failOn: FailOn
  /** The result as a heading: `The server conforms, with warnings`. */
  readonly verdict: string
  /** The result in one line, with counts. It agrees with the exit code. */
  readonly summary: string
  /** Why nothing is known, in a sentence; the exit code is 2. */
  readonly inconclusive?: string
  /** Counts and settings of the run, by a label for people: `cases`, `seed`. */
  readonly facts: Readonly<Record<string, string | number>>
  /** Operations, by the names that findings use. In `junit`, each that is covered and has no failing finding passes. */
  readonly checked?: readonly { readonly name: string; readonly isCovered: boolean }[]
  /** What else is known, in the order of importance. */
  readonly sections: readonly ReportSection[]
}

/** A level, or `used`: errors that no recorded request proves harmless, and warnings that affect a recorded request. */
export type FailOn = Level | 'used'

/** Data besides findings. */
export type ReportSection = {
  /** In kebab case, the same in all reports of a command: `not-tested`. */
  readonly name: string
  /** A heading: `not tested`. */
  readonly title: string
  /** It describes the whole result, so pages show it before the findings. */
  readonly isOverview?: true
} & (ListSection | ReasonSection | CoverageSection | TableSection)

/** Names or sentences. */
export type ListSection = { readonly kind: 'list'; readonly items: readonly string[] }

/** What was left out, by the reason. */
export type ReasonSection = {
  readonly kind: 'reasons'
  readonly groups: readonly { readonly why: string; readonly what: readonly string[] }[]
}

/** How much of what is declared was tested. */
export type CoverageSection = {
  readonly kind: 'coverage'
  readonly rows: readonly {
    /** `operation`, `error code`. */
    readonly name: string
    readonly declared: readonly string[]
    readonly met: readonly string[]
  }[]
}

export type TableSection = {
  readonly kind: 'table'
  /** The headings: of the names of rows, and of their cells. */
  readonly columns: readonly string[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly TableCell[] }[]
}

export type TableCell = {
  readonly text: string
  /** Set in tables of results: tables for people leave out rows in which all is good. */
  readonly level?: Level | 'good'
  /** What a program may want to know of the cell; only `json` and `sarif` print it. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** What a format knows besides the report. */
export type ReportSetting = {
  /** The version of this program. */
  readonly version?: string
  /** Texts of rules; findings of others are described by their id. */
  readonly rules?: readonly ReportedRule[]
  /** For terminals. */
  readonly coloured?: boolean
  /** Formats for people shorten long lists if it is not set. */
  readonly verbose?: boolean
  /** Whether `text` shows the lines of the documents. */
  readonly frames?: boolean
  /** The top folder of the repository; paths in `github` are relative to it. */
  readonly workspace?: string | undefined
}

/** A row of any table of rules. */
export type ReportedRule = {
  readonly id: string
  readonly purpose: string
  /** The specification that the rule implements. */
  readonly clause?: string
  readonly example?: string
  readonly fix?: string
}

/** A format: the whole text of a report. It ends with a newline unless it is empty. */
export type ReportFormat = (report: CheckReport, setting: ReportSetting) => string
