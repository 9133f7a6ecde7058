import type { File } from '../emit/file.js'
import { emitPython } from '../emit/python/python.js'
import type { Api } from '../model/api.js'
import { copyrightHolder, infoOf } from './holder.js'
import { licenceId, writeLicence } from './licence.js'
import { nextVersion } from './version.js'

/** The files of a Python package of an Api, by path, or why there are none. Its first version is 0.1.0 unless `version` is set. */
export const packPython = (
  api: Api,
  { name, version, license, today }: PythonOptions,
):
  | { readonly kind: 'packed'; readonly files: readonly File[]; readonly why: string }
  | { readonly kind: 'rejected'; readonly sentence: string } => {
  const next = nextVersion({ before: undefined, findings: [], texts: [], wanted: version })
  if (next.kind === 'rejected') return next
  const id = licenceId(license ?? infoOf(api).license)
  // Python's metadata has no word for what is not licensed, or is licensed elsewhere.
  const isSpdx = id !== 'UNLICENSED' && !id.startsWith('SEE ')
  const files = emitPython(api, { name, version: next.version, license: isSpdx ? id : undefined })
  const text = writeLicence({
    id,
    holder: copyrightHolder(api, name),
    year: today.getUTCFullYear(),
  })
  return { kind: 'packed', files: [...files, { name: 'LICENSE', text }], why: next.why }
}

type PythonOptions = {
  readonly name: string
  readonly version: string | undefined
  readonly license: string | undefined
  readonly today: Date
}

/** Why a name is not one of a Python distribution, as the end of a sentence; undefined for a valid name. */
export const distributionFault = (name: string): string | undefined =>
  /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(name)
    ? undefined
    : 'it may have ASCII letters and digits, and ".", "-" and "_" between them'
