/** One thing that a shelf does wrongly, and what should find it. */
export type ShelfDefect = {
  /** The switch of the server. */
  readonly fault: string
  /** The rule that finds it, and the operation that it blames. */
  readonly rule: string
  readonly operation: string
  /** Rules that find another consequence of it. */
  readonly also?: readonly string[]
  /** The operation whose cases meet it, if not the blamed one. */
  readonly by?: string
}

const row = (
  fault: string,
  rule: string,
  operation: string,
  ...also: readonly string[]
): ShelfDefect => ({ fault, rule, operation, also })

const BOOK = '/books/{id}'
const LABEL = '/labels/{name}'
const UNCHECKED = ['body-of-wrong-type-accepted', 'undeclared-property-accepted']

/** What is certain, by a clause. */
export const SHELF_DEFECTS: Readonly<Record<string, readonly ShelfDefect[]>> = {
  state: [
    row('delete-does-nothing', 'deleted-resource-remains', `DELETE ${BOOK}`),
    row('deleted-is-cached', 'deleted-resource-remains', `DELETE ${BOOK}`),
    row('review-stays', 'deleted-resource-remains', `DELETE ${BOOK}/reviews/{reviewId}`),
    row('label-stays', 'deleted-resource-remains', `DELETE ${LABEL}`),
    row('deleted-fails', 'server-fails', `GET ${BOOK}`),
    row(
      'change-of-a-deleted-book-fails',
      'server-fails',
      `PUT ${BOOK}`,
      'invalid-request-server-error',
    ),
    row('second-delete-fails', 'server-fails', `DELETE ${LABEL}`),
    row('put-is-not-stored', 'write-not-stored', `PUT ${BOOK}`),
    row('put-forgets-pages', 'write-not-stored', `PUT ${BOOK}`),
    row('put-forgets-title', 'write-not-stored', `PUT ${BOOK}`),
    row('patch-is-not-stored', 'write-not-stored', `PATCH ${BOOK}`),
    row('label-is-stored-once', 'write-not-stored', `PUT ${LABEL}`),
    row('read-is-cached', 'write-not-stored', `PUT ${BOOK}`),
    row('read-shortens-the-title', 'write-not-stored', 'POST /books'),
    row('review-loses-its-stars', 'write-not-stored', `POST ${BOOK}/reviews`),
    row('read-is-of-another', 'write-not-stored', 'POST /books'),
    row('created-is-not-stored', 'created-resource-missing', 'POST /books', 'link-target-missing'),
    row('location-leads-nowhere', 'created-resource-missing', 'POST /books'),
    row('created-books-share-an-id', 'created-resource-not-new', 'POST /books'),
    row('put-is-not-validated', 'invalid-request-accepted', `PUT ${BOOK}`, ...UNCHECKED),
    row('patch-is-not-validated', 'invalid-request-accepted', `PATCH ${BOOK}`, ...UNCHECKED),
    row(
      'review-is-not-validated',
      'invalid-request-accepted',
      `POST ${BOOK}/reviews`,
      ...UNCHECKED,
    ),
    row('label-is-not-validated', 'invalid-request-accepted', `PUT ${LABEL}`, ...UNCHECKED),
    row('pin-comes-back', 'write-only-value-returned', `PUT ${BOOK}`),
    row(
      'unknown-book-is-empty',
      'body-invalid',
      `GET ${BOOK}`,
      'header-missing',
      'invalid-request-accepted',
    ),
  ],
  lists: [
    row('pages-repeat', 'page-repeated', 'GET /books'),
    row('limit-is-ignored', 'limit-ignored', 'GET /books'),
    row('filter-is-ignored', 'filter-ignored', 'GET /books'),
    row('tags-are-not-validated', 'invalid-request-accepted', 'GET /books'),
    row('page-is-not-validated', 'invalid-request-accepted', 'GET /search'),
    row('next-page-is-a-number', 'body-invalid', 'GET /books'),
  ],
  caching: [
    row('etag-without-quotes', 'etag-invalid', `GET ${BOOK}`),
    row('etag-with-small-w', 'etag-invalid', `GET ${BOOK}`),
    row('etag-changes-each-time', 'etag-changes', `GET ${BOOK}`),
    { ...row('etag-stays-after-a-change', 'etag-unchanged', `GET ${BOOK}`), by: `PUT ${BOOK}` },
    row('each-condition-is-met', 'etag-precondition-wrong', `GET ${BOOK}`),
    row('conditions-are-ignored', 'etag-precondition-ignored', `GET ${BOOK}`),
    row('not-modified-has-no-tag', 'not-modified-without-etag', `GET ${BOOK}`),
    row('condition-of-put-is-ignored', 'precondition-ignored', `PUT ${BOOK}`),
    row('condition-of-patch-is-ignored', 'precondition-ignored', `PATCH ${BOOK}`),
    row('condition-of-delete-is-ignored', 'precondition-ignored', `DELETE ${BOOK}`),
    row('last-modified-is-iso', 'last-modified-invalid', `GET ${BOOK}`),
    row('head-has-length-zero', 'head-content-length-wrong', 'GET /books'),
    row('no-content-has-a-length', 'length-header-not-allowed', `DELETE ${BOOK}`),
  ],
  encoding: [
    row('encoded-slash-fails', 'malformed-request-server-error', `GET ${LABEL}`),
    row('null-byte-fails', 'malformed-request-server-error', `GET ${LABEL}`),
    row('other-letters-fail', 'malformed-request-server-error', `GET ${LABEL}`, 'server-fails'),
    row('broken-escape-fails', 'malformed-request-server-error', `GET ${LABEL}`),
    row('long-name-fails', 'malformed-request-server-error', `GET ${LABEL}`),
    row(
      'member-of-objects-fails',
      'malformed-request-server-error',
      `GET ${LABEL}`,
      'server-fails',
    ),
    row('repeated-parameter-fails', 'malformed-request-server-error', 'GET /search'),
    row('empty-parameter-fails', 'malformed-request-server-error', 'GET /search'),
    row('broken-query-fails', 'malformed-request-server-error', 'GET /search'),
    row('answers-in-latin-1', 'response-not-json', 'GET /search'),
    row('location-has-a-blank', 'location-invalid', 'POST /books'),
  ],
  idempotency: [
    row('key-is-ignored', 'idempotency-key-ignored', 'POST /books'),
    row('repeated-key-fails', 'server-fails', 'POST /books'),
    row('created-names-another', 'write-not-stored', 'POST /books'),
  ],
}

const EXACT = 'who sends back the tag that came is served, so no client is shown to be harmed'

/** What may be right, with the reason: nothing is reported. */
export const SHELF_UNCERTAIN: readonly (readonly [fault: string, reason: string])[] = [
  ['delete-only-marks', 'a service may keep what was deleted, and show that it was'],
  ['second-delete-succeeds', 'DELETE is idempotent, and 204 and 404 both say that nothing is left'],
  ['reviews-outlive-their-book', 'no clause says that what is below a resource ends with it'],
  ['titles-are-normalised', 'the response to the write says what was stored (RFC 9110, 9.3.4)'],
  ['changes-are-late', 'other copies of the data may learn of a change later'],
  ['reads-are-counted', 'a resource may change without a request of this run'],
  ['weak-etag-stays', 'a weak ETag need not change with each change (RFC 9110, 8.8.1)'],
  ['repeated-key-is-rejected', 'the draft lets a server reject a repeated request'],
  ['client-sets-no-id', 'a readOnly value is ignored or rejected (JSON Schema Validation, 9.4)'],
  ['location-is-absolute', 'Location is a URI reference of either form (RFC 9110, 10.2.2)'],
  ['tag-filter-is-ignored', 'no example shows what the parameter does to the list'],
  ['pages-are-small', 'a limit is the largest number of items, not the exact one'],
  ['encoded-slash-is-refused', 'a gateway may reject it before the service sees it'],
  ['star-matches-nothing', EXACT],
  ['only-one-tag-is-compared', EXACT],
  ['weak-tags-match-nothing', EXACT],
  ['last-parameter-wins', 'OpenAPI does not say how a repeated parameter is read'],
]
