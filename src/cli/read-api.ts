import type { Api } from '../model/api.js'
import type { FileTree } from '../read/file-tree.js'
import type { ApiFiles } from '../read/load.js'
import { framed } from '../report/framed.js'
import { errorsIn, type Io, isColoured, withProgress, writeStyled } from './io.js'

/** Reads documents, and prints the errors in parts of them: what depends on such a part is unknown, or left out. */
export const readApi = async (files: ApiFiles, tree: FileTree, io: Io): Promise<Api> => {
  const { loadApi } = await import('../read/load.js')
  const api = await withProgress(io, (show) => {
    show('reading the documents …')
    return loadApi(files, tree)
  })
  printErrors(api, io)
  return api
}

export const printErrors = (api: Api, { stderr }: Pick<Io, 'stderr'>): void => {
  const hint = ' (twinspec lint shows all)'
  const lines = framed(errorsIn(api), { coloured: isColoured(stderr), hint })
  for (const line of lines) writeStyled(stderr, line)
}
