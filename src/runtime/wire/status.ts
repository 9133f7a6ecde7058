import type { DeclaredResponse } from '../operation.js'

/** Whether a key of `responses` describes only successful statuses (RFC 9110, 15.3): `201` or `2XX`. */
export const isSuccessKey = (key: string): boolean => key.startsWith('2')

/**
 * The response that describes a status: that of the status itself, else of its range (`2XX`), else `default`,
 * which describes every status that no other one does, the successful ones too (OpenAPI, Responses Object).
 *
 * @example
 * declaredResponse([{ status: '200' }, { status: '4XX' }, { status: 'default' }], 202)?.status // 'default'
 */
export const declaredResponse = <Response extends { readonly status: string }>(
  responses: readonly Response[],
  status: number,
): Response | undefined =>
  [`${status}`, `${Math.floor(status / 100)}XX`, 'default']
    .map((wanted) => responses.find((one) => one.status === wanted))
    .find((one) => one)

/**
 * Whether a response describes only errors of a 2xx status: `default` beside a status of success. Such a 2xx is documented, but
 * it is not the success that callers expect.
 */
export const isErrorDefault = (
  responses: readonly { readonly status: string }[],
  response: { readonly status: string } | undefined,
): boolean => response?.status === 'default' && responses.some(({ status }) => isSuccessKey(status))

/** The responses that describe successes of an operation: those of 2xx, else `default`, which then describes them too. */
export const successResponses = <Response extends { readonly status: string }>(
  responses: readonly Response[],
): readonly Response[] => {
  const found = responses.filter(({ status }) => isSuccessKey(status))
  return found.length > 0 ? found : responses.filter(({ status }) => status === 'default')
}

/** Whether a status is a success of an operation: 2xx, unless only a `default` beside a success describes it. */
export const isSuccessOf = (
  responses: readonly { readonly status: string }[],
  status: number,
): boolean =>
  status >= 200 && status < 300 && !isErrorDefault(responses, declaredResponse(responses, status))

/** The responses that describe only redirects and other statuses of 3xx: `302` or `3XX`. `default` declares no redirect. */
export const declaredRedirects = <Response extends { readonly status: string }>(
  responses: readonly Response[],
): readonly Response[] => responses.filter(({ status }) => status.startsWith('3'))

/** Whether a status is a declared redirect of an operation without a success, which is then what callers expect (RFC 9110, 15.4). */
export const isRedirectOf = (
  responses: readonly { readonly status: string }[],
  status: number,
): boolean =>
  !responses.some((one) => isSuccessKey(one.status)) &&
  declaredResponse(declaredRedirects(responses), status) !== undefined

/** Whether a response may be a stream. */
export const hasStream = (responses: readonly DeclaredResponse[]): boolean =>
  responses.some(({ content }) => content.some(({ stream }) => stream))

/** What belongs to a media type of a status, in a table whose keys are `200` or, where the types differ, `200 text/csv`. */
export const ofContent = <Value>(
  entries: Readonly<Record<string, Value>> | undefined,
  key: string | undefined,
  type: string | undefined,
): Value | undefined => entries?.[`${key} ${type}`] ?? entries?.[`${key}`]
