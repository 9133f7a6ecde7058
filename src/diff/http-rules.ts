import { about, error, note, warning } from './rule-row.js'

/** Changes of an HTTP operation outside its schemas. Params of methods use the rows of parameters. */
export const HTTP_CHANGE_RULES = {
  'parameter-added-required': error(
    'a new parameter is required, and no caller sends it yet',
    'make it optional, and describe what its absence means',
  ),
  'path-parameter-renamed': warning(
    'a path parameter was renamed: requests stay the same, but code that calls a generated client no longer compiles',
    'keep the name',
  ),
  'parameter-added-optional': note('a new parameter is optional'),
  'parameter-removed': warning(
    'a parameter is removed: the service ignores or rejects it',
    'keep it, mark it deprecated, and remove it later',
  ),
  'parameter-removed-before-sunset': error(
    'a deprecated parameter is removed before its x-sunset date',
    'keep it until its x-sunset date',
  ),
  'parameter-removed-after-deprecation': note('a deprecated parameter is removed in time'),
  'parameter-became-required': error(
    'an optional parameter is required now',
    'keep it optional, and describe what its absence means',
  ),
  'parameter-became-optional': note('a required parameter is optional now'),
  'parameter-serialization-changed': error(
    'the serialization of a parameter changed: its style, explode or media type',
    'keep the serialization, or add a parameter with another name',
  ),
  'parameter-reserved-changed': warning(
    'reserved characters in a parameter must be encoded now, or no longer have to be (allowReserved)',
    'accept reserved characters both encoded and as they are',
  ),
  'parameter-empty-value-rejected': warning(
    'a query parameter may no longer be sent without a value (allowEmptyValue)',
    'keep accepting the parameter without a value',
  ),
  'parameter-empty-value-accepted': note(
    'a query parameter may be sent without a value now (allowEmptyValue)',
  ),
  'parameter-default-changed': error('the default of a parameter changed', 'keep the default'),
  'request-body-added-required': error(
    'a request body is required, and no caller sends it yet',
    'make it optional, or offer an operation of its own',
  ),
  'request-body-added-optional': note('a request may have a body now'),
  'request-body-removed': error(
    'a request body is removed: the service ignores or rejects it',
    'keep accepting it',
  ),
  'request-body-became-required': error(
    'an optional request body is required now',
    'keep it optional',
  ),
  'request-body-became-optional': note('a required request body is optional now'),
  'request-media-type-removed': error(
    'a request body is no longer accepted in a media type',
    'keep accepting it besides the others',
  ),
  'request-media-type-added': note('a request body is accepted in one more media type'),
  'request-encoding-changed': error(
    'the service reads a form part in another encoding than callers send',
    'keep the encoding, and add a part with another name',
  ),
  'request-encoding-relaxed': note('a form part is accepted in more content types'),
  ...about('response', {
    'response-encoding-changed': error(
      'the service sends a form part in another encoding than clients read',
      'keep the encoding, and add a part with another name',
    ),
    'response-encoding-relaxed': note('a form part is sent in fewer content types'),
    'response-media-type-removed': error(
      'a response is no longer sent in a media type that clients may need',
      'keep offering it besides the others',
    ),
    'stream-end-changed': error(
      'the text that ends a stream changed: clients read the end as an item, or wait for it',
      'keep x-stream-end',
    ),
    'response-media-type-added': note('a response may be sent in one more media type'),
    'response-media-type-generalized': error(
      'a response may be sent in media types that clients do not expect',
      'name the media types one by one',
    ),
    'response-media-type-specialized': note('a response is sent in fewer media types'),
    'success-status-removed': error(
      'a success or redirect status is no longer returned',
      'keep returning that status',
    ),
    'success-status-added': note('one more success or redirect status may be returned'),
    'error-status-removed': note('an error status, or 304, is no longer declared'),
    'error-status-added': note('a new error status, or 304, is declared'),
    'required-response-header-removed': error(
      'a required response header is removed',
      'keep sending it',
    ),
    'optional-response-header-removed': warning(
      'an optional response header is removed',
      'keep sending it, or make sure that nobody reads it',
    ),
    'response-header-became-optional': error(
      'a required response header is optional now',
      'keep sending it always',
    ),
    'response-header-added': note('responses have a new header'),
    'response-header-became-required': note('an optional response header is required now'),
    'poll-changed': warning(
      'the way in which clients must poll changed (x-poll)',
      'keep the field and its values',
    ),
  }),
  'security-became-required': error(
    'an operation that required no credentials requires them now',
    'keep it open, or announce the date and give callers credentials in advance',
  ),
  'security-alternative-removed': error(
    'credentials that were sufficient are no longer accepted',
    'keep accepting them besides the others',
  ),
  'security-scope-added': error(
    'an operation requires a scope that existing tokens do not have',
    'add the scope to existing tokens before it is required',
  ),
  'security-scheme-changed': error(
    'the way in which credentials are sent changed',
    'declare a second scheme, and accept both',
  ),
  'oauth-flow-removed': error(
    'an OAuth flow was removed: callers can no longer get a token with it',
    'keep the flow besides the others',
  ),
  'oauth-flow-added': note('an OAuth flow was added'),
  'oauth-url-changed': warning(
    'the URL where callers get tokens, or learn how to get them, changed',
    'keep the old address in use until callers have moved',
  ),
  'oauth-scope-removed': warning(
    'an OAuth scope was removed: callers can no longer get a token with it',
    'keep the scope, even when no operation needs it',
  ),
  'oauth-scope-added': note('an OAuth scope was added'),
  'security-relaxed': note('one more kind of credentials is accepted, or none is required'),
  'security-scheme-renamed': note(
    'a security scheme was renamed in the document: callers send the same credentials',
  ),
  'security-scheme-removed': note('a security scheme is no longer declared'),
  'variant-removed': error(
    'a variant of a request or of a method (x-variants) is removed',
    'keep accepting it besides the others',
  ),
  'variant-added': note('a variant of a request or of a method (x-variants) is new'),
  'schema-removed': note('a named schema is removed: generated types lose its name'),
} as const

/** Changes of a request that the service sends, outside its schemas: the service is the sender, and subscribers reply. */
export const OUTGOING_RULES = about('outgoing', {
  'webhook-removed': error(
    'the service no longer sends a webhook that subscribers expect',
    'keep sending it until subscribers have moved',
  ),
  'webhook-added': note('the service sends a new webhook'),
  'callback-removed': error(
    'the service no longer sends a callback that callers of an operation expect',
    'keep sending it until callers have moved',
  ),
  'callback-added': note('an operation has a new callback'),
  'callback-url-changed': error(
    'the service reads the URL of a callback from another part of the request',
    'keep reading the address from where it was, or declare both',
  ),
  'callback-method-changed': error(
    'the method of a webhook or callback changed',
    'keep the method, or send a new webhook beside the old one',
  ),
  'outgoing-body-added': note('a webhook or callback has a body for the first time'),
  'outgoing-body-removed': error(
    'a webhook or callback no longer has a body',
    'keep sending the body',
  ),
  'outgoing-body-became-optional': error(
    'the required body of a webhook or callback is optional now',
    'keep sending the body',
  ),
  'outgoing-body-became-required': note(
    'the optional body of a webhook or callback is required now',
  ),
  'outgoing-media-type-added': error(
    'a webhook or callback may be sent in a media type that subscribers do not expect',
    'keep sending the media type that subscribers read',
  ),
  'outgoing-media-type-removed': note('a webhook or callback is no longer sent in a media type'),
  'outgoing-parameter-added': note('a webhook or callback has a new parameter'),
  'outgoing-required-parameter-removed': error(
    'a required parameter of a webhook or callback is removed',
    'keep sending the parameter',
  ),
  'outgoing-optional-parameter-removed': warning(
    'an optional parameter of a webhook or callback is removed',
    'keep sending the parameter, or make sure that no subscriber reads it',
  ),
  'outgoing-parameter-became-optional': error(
    'a required parameter of a webhook or callback is optional now',
    'keep sending the parameter always',
  ),
  'outgoing-parameter-became-required': note(
    'an optional parameter of a webhook or callback is required now',
  ),
  'outgoing-parameter-serialization-changed': error(
    'the serialization of a parameter of a webhook or callback changed',
    'keep the style, explode and media type, or send a parameter with another name',
  ),
  'outgoing-security-added': note(
    'the service sends credentials with a webhook or callback for the first time',
  ),
  'outgoing-security-changed': warning(
    'the service sends other credentials with a webhook or callback, or no longer sends any',
    'keep presenting the credentials that subscribers check',
  ),
  'reply-status-removed': error(
    'the service no longer declares a success or redirect status that subscribers reply with',
    'keep accepting the status besides the others',
  ),
  'reply-status-added': note('subscribers may reply with one more status'),
  'reply-error-status-removed': note(
    'an error status, or 304, that subscribers could reply with is no longer declared',
  ),
  'reply-header-became-required': error(
    'a header in the reply of a subscriber is required now',
    'keep the header optional',
  ),
  'reply-media-type-removed': error(
    'subscribers may no longer reply in a media type that was accepted',
    'keep accepting it besides the others',
  ),
  'reply-media-type-added': note('subscribers may reply in one more media type'),
})
