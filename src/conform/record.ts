import type { Operation } from '../model/api.js'
import type { Exchange } from '../traffic/exchange.js'
import type { CoverageKind, ExchangeFinding, Inferred, Recorder } from './case.js'
import { NOT_OFFERED, ownName } from './operations.js'
import { createKeywordRecord, type KeywordRecord } from './report/keywords.js'

/** Creates the record of a run: what cases and the checks of responses found, and what they say about the rest. */
export const createRecord = (signal?: AbortSignal): Recorded => {
  const findings: ExchangeFinding[] = []
  const ways = new Map<string, { readonly way: string; readonly exchange: Exchange }[]>()
  const skipped = new Map<string, Set<string>>()
  const covered = new Map<CoverageKind, Set<string>>()
  const absent = new Set<Operation>()
  const closed = new Set<Operation>()
  const inferred: Inferred[] = []
  const keywords = createKeywordRecord()
  // A case may continue briefly after the run was ended.
  const reportAll = (more: readonly ExchangeFinding[]) => {
    if (!signal?.aborted) for (const one of more) findings.push(one)
  }
  const skip = (what: string, why: string) =>
    void skipped.set(why, (skipped.get(why) ?? new Set()).add(what))
  return {
    seen: { findings, ways, skipped, covered, keywords, inferred, absent },
    recorder: {
      ...{ reportAll, skip },
      report: (rule, exchange, words) => reportAll([{ rule, exchange, ...words }]),
      observe: (choice, way, exchange) =>
        void ways.set(choice, [...(ways.get(choice) ?? []), { way, exchange }]),
      infer: (one) => void inferred.push(one),
      notOffered: (operation) => {
        absent.add(operation)
        skip(ownName(operation), NOT_OFFERED)
      },
      isOpen: (operation) => !closed.has(operation),
      close: (operation) => void closed.add(operation),
      cover: (kind, name) => void covered.set(kind, (covered.get(kind) ?? new Set()).add(name)),
      ...{
        tryKeyword: keywords.note,
        noteValid: keywords.noteValid,
        isOfValid: keywords.isOfValid,
      },
    },
  }
}

type Recorded = { readonly seen: RunRecord; readonly recorder: Recorder }

/** What a run has recorded. */
export type RunRecord = {
  readonly findings: readonly ExchangeFinding[]
  /** Choice -> the behaviours of the server, in the order observed. */
  readonly ways: ReadonlyMap<
    string,
    readonly { readonly way: string; readonly exchange: Exchange }[]
  >
  /** Why -> what was not tested for this reason. */
  readonly skipped: ReadonlyMap<string, ReadonlySet<string>>
  readonly covered: ReadonlyMap<CoverageKind, ReadonlySet<string>>
  readonly keywords: Pick<KeywordRecord, 'tested' | 'unproven'>
  readonly inferred: readonly Inferred[]
  readonly absent: ReadonlySet<Operation>
}
