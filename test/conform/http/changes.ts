import type { Change } from './judge-library.js'
import { type Asked, type Given, KEY } from './library.js'

/** How a library goes wrong. */
export const ok = (asked: Asked): Given => ({
  status: 200,
  body: { id: `x${asked.at}`, ticket: `t${asked.at}` },
})
export const lends = ({ path, method }: Asked) =>
  path === `/desks/${KEY}/loans` && method === 'POST'
export const looks = ({ path }: Asked) => path.startsWith('/loans/')
export const text = ({ body }: Asked) => String(body)
export const isFull = (_: Asked, right: Given) => right.status === 200

export const changed =
  (
    when: (asked: Asked, right: Given) => boolean,
    into: (asked: Asked, right: Given) => Given | 'silence',
  ): Change =>
  (asked, right) =>
    when(asked, right) ? into(asked, right) : right
export const status =
  (code: number) =>
  (_: Asked, right: Given): Given => ({ ...right, status: code })
export const within =
  (more: object) =>
  (_: Asked, { body, ...right }: Given): Given => ({
    ...right,
    body: { ...(body as object), ...more },
  })
export const stateOf = ({ body }: Given) => (body as { state?: string }).state
