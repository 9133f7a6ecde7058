import { plainFetch } from '#fetch'
import { startDeadline } from '../shared/deadline.js'

/** Sends as the platform's `fetch` does; `init` has a method, headers, maybe a body and a signal. */
export const platformFetch = (url: string, init: RequestInit): Promise<Response> => {
  const { method = 'GET', headers, body, signal } = init
  return plainFetch(url, {
    method,
    headers: new Headers(headers),
    body: body ?? undefined,
    deadline: startDeadline({ signal: signal ?? undefined }),
  }) as Promise<Response>
}
