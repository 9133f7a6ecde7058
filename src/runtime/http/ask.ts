import createClient from 'openapi-fetch'
import type { HttpOperation } from '../operation.js'
import type { Deadline } from '../shared/deadline.js'
import type { PlainResponse } from '../transport/plain-fetch.js'
import { fillPath } from './fill-path.js'
import type { WrittenRequest } from './request.js'
import type { RawResponse } from './response.js'
import type { Transport } from './transport.js'

/** Sends a written request by openapi-fetch, which also reads what refuses it; parameters and bodies reach it serialised. */
export const ask = (
  { method, path }: HttpOperation,
  { Request, send }: Transport,
  { baseUrl, request, deadline, answered, onSent }: Asked,
): Promise<RawResponse> =>
  client.request(method, path, {
    baseUrl,
    params: { path: request.path },
    pathSerializer: (template: string) => fillPath(template, request.path),
    querySerializer: () => request.query,
    bodySerializer: (body: BodyInit) => body,
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(request.body instanceof ReadableStream ? { duplex: 'half' } : {}),
    headers: request.headers,
    parseAs: 'stream',
    deadline,
    Request,
    fetch: (made: InstanceType<Transport['Request']>) => {
      if (answered !== undefined) return answered
      onSent()
      return send(made)
    },
  })

type Asked = {
  readonly baseUrl: string
  readonly request: WrittenRequest
  readonly deadline: Deadline
  /** What has been answered already, and is only to be read. */
  readonly answered: PlainResponse | undefined
  /** Called when the request is made and about to go out. */
  readonly onSent: () => void
}

/** Its own types want a document; here the descriptor is the document. */
type OpenapiFetch = {
  readonly request: (method: string, path: string, init: object) => Promise<RawResponse>
}

const client = createClient() as unknown as OpenapiFetch
