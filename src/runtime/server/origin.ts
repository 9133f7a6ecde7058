/**
 * Whether a page of an origin may send a request that runs with the credentials of the browser (RFC 6455, 10.2): by default one of
 * the server itself. A request without `Origin` is not from a browser.
 */
export const isAllowedOrigin = (
  origin: string | undefined,
  host: string | undefined,
  origins: readonly string[] | undefined,
): boolean => {
  if (origin === undefined || origins?.includes('*')) return true
  if (origins) return origins.includes(origin)
  return URL.canParse(origin) && new URL(origin).host === host
}
