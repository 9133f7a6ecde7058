import { emitPython } from '../emit/python/python.js'
import type { Api } from '../model/api.js'
import { copyrightHolder, infoOf } from './holder.js'
import { licenceId, writeLicence } from './licence.js'
import {
  type OtherPackage,
  type OtherPackageOptions,
  packedDocuments,
  versionAfter,
} from './other-languages.js'

/** The files of a Python package of an Api, by path, or why there are none. */
export const packPython = (
  api: Api,
  { name, ...options }: OtherPackageOptions & { readonly name: string },
): OtherPackage => {
  const id = licenceId(options.license ?? infoOf(api).license)
  // Python's metadata has no word for what is not licensed, or is licensed elsewhere.
  const isSpdx = id !== 'UNLICENSED' && !id.startsWith('SEE ')
  const emitted = (version?: string) =>
    emitPython(api, { name, version, license: isSpdx ? id : undefined })
  const next = versionAfter(api, options, () =>
    emitted().filter((file) => file.name.startsWith('src/')),
  )
  if (next.kind === 'rejected') return next
  const text = writeLicence({
    ...{ id, holder: copyrightHolder(api, name) },
    year: options.today.getUTCFullYear(),
  })
  const documents = packedDocuments(api, name, next.version)
  const files = [...emitted(next.version), ...documents, { name: 'LICENSE', text }]
  return { kind: 'packed', files, why: next.why }
}

/** Why a name is not one of a Python distribution, as the end of a sentence; undefined for a valid name. */
export const distributionFault = (name: string): string | undefined =>
  /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(name)
    ? undefined
    : 'it may have ASCII letters and digits, and ".", "-" and "_" between them'
