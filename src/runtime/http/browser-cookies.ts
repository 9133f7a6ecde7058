import type { HttpOperation, SecurityScheme } from '../operation.js'
import type { AnyInput } from './request.js'

/**
 * In a browser, the same operation and input without cookies, which are removed from the headers, too: only the browser sets
 * them, and a program cannot know which it has. No secret and no value is needed for them. Alternatives without a cookie come
 * first, because for those the caller may have given the credentials.
 */
export const leaveCookiesToBrowser = (
  operation: HttpOperation,
  input: AnyInput,
  headers: Record<string, string>,
): readonly [HttpOperation, AnyInput] => {
  if (!hasOwnCookies()) return [operation, input]
  delete headers.cookie
  const { parameters, schemes, security } = operation
  const needsCookie = (names: readonly string[]): boolean =>
    names.some((name) => Object.hasOwn(schemes, name) && isInCookie(schemes[name]))
  const isFirst = (names: readonly string[]): boolean => names.length > 0 && !needsCookie(names)
  const adapted: HttpOperation = {
    ...operation,
    parameters: parameters.filter((parameter) => parameter.in !== 'cookie'),
    security: [...security.filter(isFirst), ...security.filter((names) => !isFirst(names))],
    schemes: Object.fromEntries(
      Object.entries(schemes).map(([name, scheme]) => [
        name,
        isInCookie(scheme) ? { kind: 'outside', type: 'cookie' } : scheme,
      ]),
    ),
  }
  return [adapted, { ...input, cookie: undefined }]
}

const isInCookie = (scheme: SecurityScheme | undefined): boolean =>
  scheme?.kind === 'key' && scheme.in === 'cookie'

/**
 * Whether the requests of this platform have cookies of their own: in pages and workers of browsers. There a program cannot set
 * the header `Cookie` (Fetch standard, "forbidden request-header"); on servers it can.
 */
const hasOwnCookies = (): boolean =>
  'document' in globalThis ||
  !new Request('http://localhost', { headers: { cookie: 'a=b' } }).headers.has('cookie')
