import type { Kind } from '../init/family.js'
import type { Sources } from '../init/take-over.js'
import { readDocument } from '../model/document.js'
import { shellWord } from '../model/escape.js'
import type { DocumentError } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { framed, PER_RULE } from './framed.js'
import { fatalIn, type Io, isColoured, writeLine, writeStyled } from './io.js'

/** Why a document was not taken over, at its lines, and what whoever has such a one does. */
export const reportInitError = (error: DocumentError, sources: Sources, { stderr }: Io): void => {
  const findings = fatalIn(error)
  for (const line of framed(findings, { coloured: isColoured(stderr), perRule: PER_RULE })) {
    writeStyled(stderr, line)
  }
  const { rule, location } = error.finding
  const advice =
    rule === VERSION
      ? adviceOn(
          location.file,
          KINDS.find((kind) => sources[kind] === location.file),
        )
      : MEND
  writeLine(stderr, `nothing was written${ABSENT.has(rule) ? '' : `: ${advice}`}`)
}

const VERSION = 'document-version-is-unknown'
const MEND = 'mend it where it is, and run init again'
const ABSENT = new Set([
  'document-does-not-exist',
  'document-is-a-folder',
  'document-is-unreadable',
])

/** What to do about a version that we do not read. */
const adviceOn = (file: string, given: Kind | undefined): string => {
  const { value } = readDocument(file)
  if (!isObject(value)) return MEND
  if ('swagger' in value) {
    return `\`npx swagger2openapi ${shellWord(file)} --patch --outfile openapi.json\` makes OpenAPI 3.0 of it; give init that file`
  }
  if (/^3\.[2-9]/.test(String(value.openapi))) {
    return 'where it uses nothing that came after 3.1, write openapi: 3.1.1 in it, and run init again'
  }
  const kind = KINDS.find((one) => one in value)
  return kind === undefined || kind === given ? MEND : `give it as --from-${kind}`
}

const KINDS = ['openapi', 'openrpc'] as const
