import { emitGo } from '../emit/go/go.js'
import type { Api } from '../model/api.js'
import { copyrightHolder, infoOf } from './holder.js'
import { licenceId, writeLicence } from './licence.js'
import {
  type OtherPackage,
  type OtherPackageOptions,
  packedDocuments,
  versionAfter,
} from './other-languages.js'

/** The files of a Go module of an Api, by path, or why there are none. */
export const packGo = (
  api: Api,
  { module, ...options }: OtherPackageOptions & { readonly module: string },
): OtherPackage => {
  const emitted = emitGo(api, { module })
  const next = versionAfter(api, options, () =>
    emitted.filter(({ name }) => /\.go$|^operations\.json$/.test(name)),
  )
  if (next.kind === 'rejected') return next
  const major = Number(next.version.split('.')[0])
  const suffix = /\/v(\d+)$/.exec(module)?.[1]
  // Go modules: from major version 2 on, the path of a module ends with it.
  if (suffix !== (major > 1 ? String(major) : undefined)) {
    const base = module.replace(/\/v\d+$/, '')
    const right = major > 1 ? `${base}/v${major}` : base
    return {
      kind: 'rejected',
      sentence: `version ${next.version} of a Go module has the path ${right}: name it in --name`,
    }
  }
  const text = writeLicence({
    id: licenceId(options.license ?? infoOf(api).license),
    holder: copyrightHolder(api, module),
    year: options.today.getUTCFullYear(),
  })
  const documents = packedDocuments(api, module, next.version)
  const files = [...emitted, ...documents, { name: 'LICENSE', text }]
  return { kind: 'packed', files, why: `${next.why}; tag the commit v${next.version}` }
}

/** Why a name is not the path of a Go module, as the end of a sentence; undefined for a valid path. */
export const moduleFault = (path: string): string | undefined =>
  /^[a-z0-9](?:[A-Za-z0-9._~-]*[A-Za-z0-9])?(?:\/[A-Za-z0-9](?:[A-Za-z0-9._~-]*[A-Za-z0-9])?)*$/.test(
    path,
  )
    ? undefined
    : 'it has parts of ASCII letters, digits and ". _ ~ -" between slashes, as in example.com/acme/orders'
