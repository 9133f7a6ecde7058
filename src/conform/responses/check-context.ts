import type { Api, Operation } from '../../model/api.js'
import type { Checker } from '../../schema/check.js'
import type { CoverageKind } from '../case.js'
import type { Target } from '../target.js'

export type CheckContext = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  readonly cover: (kind: CoverageKind, name: string) => void
  /** Reports what is not judged, and why. */
  readonly skip: (what: string, why: string) => void
  /** Reports an operation that the server says it does not have. */
  readonly notOffered: (operation: Operation) => void
}
