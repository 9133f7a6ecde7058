import type { IncomingResponse } from '../link/transport.js'
import { fileNameOf } from '../shared/file-name.js'

/** The bytes of a response; a File where Content-Disposition names it. */
export const readFile = async (response: IncomingResponse): Promise<Blob> => {
  const chunks = await response.chunks()
  const type = response.header('content-type')
  // The platform itself parses the media type.
  const body =
    chunks && new Response(new Blob([...chunks]), { headers: type ? { 'content-type': type } : {} })
  const blob = await (body ?? response.response()).blob()
  const name = fileNameOf(response.header('content-disposition') ?? '')
  return name ? new File([blob], name, { type: blob.type }) : blob
}
