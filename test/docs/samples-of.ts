import { clientsOf } from '../../src/docs/client-languages.js'
import { httpSample, rpcSample, type Sample } from '../../src/docs/samples.js'
import type { Site, SiteOptions } from '../../src/docs/site.js'
import type { Api } from '../../src/model/api.js'
import { createSampler } from '../../src/schema/readable.js'

/** A site of which only samples are written. */
export const siteOf = (api: Api, options: SiteOptions = {}): Site => ({
  api,
  title: '',
  options,
  groups: [],
  operationFiles: new Map(),
  schemaFiles: new Map(),
  unknowns: [],
  madeUp: createSampler(api.schemas),
  clients: clientsOf(api, options),
})

/** The samples of all examples. */
export const samplesOf = (site: Site): readonly Sample[] =>
  site.api.operations.flatMap((operation): readonly Sample[] => {
    if (operation.kind === 'rpc')
      return operation.examples.map((example) => rpcSample(site, operation, example))
    const sent = (operation.body?.content ?? []).flatMap((media) =>
      media.examples.map((example) => ({ media, example })),
    )
    return (sent.length > 0 ? sent : [undefined]).map((one) => httpSample(site, operation, one))
  })
