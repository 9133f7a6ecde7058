import { error, note, warning } from './rule-row.js'

/** Changes of an HTTP operation outside its schemas. Params of methods use the rows of parameters. */
export const HTTP_RULES = {
  'parameter-added-required': error(
    'a new parameter is required, and no caller sends it yet',
    'make it optional, and describe what its absence means',
  ),
  'path-parameter-renamed': warning(
    'a path parameter has another name: requests stay the same, but code that calls a generated client no longer compiles',
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
    'a parameter is serialized in another way: its style, explode or media type',
    'keep the serialization, or add a parameter with another name',
  ),
  'parameter-reserved-changed': warning(
    'a parameter may no longer have reserved characters as they are, or may have them now',
    'accept reserved characters both encoded and as they are',
  ),
  'parameter-empty-value-rejected': warning(
    'a query parameter may no longer be sent without a value (allowEmptyValue)',
    'keep accepting the parameter without a value',
  ),
  'parameter-empty-value-accepted': note(
    'a query parameter may be sent without a value now (allowEmptyValue)',
  ),
  'parameter-default-changed': error(
    'the default of a parameter is another one',
    'keep the default',
  ),
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
    'a part of a form is read in another way than callers write it',
    'keep the encoding, and add a part with another name',
  ),
  'request-encoding-relaxed': note('a part of a form may be sent in more content types'),
  'response-encoding-changed': error(
    'a part of a form is written in another way than clients read it',
    'keep the encoding, and add a part with another name',
  ),
  'response-encoding-relaxed': note('a part of a form comes in fewer content types'),
  'response-media-type-removed': error(
    'a response no longer comes in a media type that clients may need',
    'keep offering it besides the others',
  ),
  'stream-end-changed': error(
    'a stream ends with another text: clients read the end as an item, or wait for it',
    'keep x-stream-end',
  ),
  'response-media-type-added': note('a response may come in one more media type'),
  'response-media-type-generalized': error(
    'a response may come in media types that clients did not have to expect',
    'name the media types one by one',
  ),
  'response-media-type-specialized': note('a response comes in fewer media types'),
  'success-status-removed': error(
    'a success status is no longer returned',
    'keep returning that status',
  ),
  'success-status-added': note('one more success status may be returned'),
  'error-status-removed': note('an error is no longer declared'),
  'error-status-added': note('one more error is declared'),
  'required-response-header-removed': error(
    'a header that every response had is removed',
    'keep sending it',
  ),
  'optional-response-header-removed': warning(
    'a header that responses could have is removed',
    'keep sending it, or make sure that nobody reads it',
  ),
  'response-header-became-optional': error(
    'a header that every response had may be absent now',
    'keep sending it always',
  ),
  'response-header-added': note('responses have a new header'),
  'response-header-became-required': note('every response has a header now that could be absent'),
  'security-became-required': error(
    'an operation that needed no credentials needs them now',
    'keep it open, or announce the date and give callers credentials in advance',
  ),
  'security-alternative-removed': error(
    'credentials that were enough are no longer accepted',
    'keep accepting them besides the others',
  ),
  'security-scope-added': error(
    'an operation needs a scope that existing tokens lack',
    'add the scope to existing tokens before it is required',
  ),
  'security-scheme-changed': error(
    'credentials are sent in another way',
    'declare a second scheme, and accept both',
  ),
  'oauth-flow-removed': error(
    'callers can no longer get a token by an OAuth flow',
    'keep the flow besides the others',
  ),
  'oauth-flow-added': note('callers can get a token by one more OAuth flow'),
  'oauth-url-changed': warning(
    'callers get tokens, or learn how to get them, at another address',
    'keep the old address in use until callers have moved',
  ),
  'oauth-scope-removed': warning(
    'callers can no longer get a token with a scope',
    'keep the scope, even when no operation needs it',
  ),
  'oauth-scope-added': note('callers can get a token with one more scope'),
  'security-relaxed': note('one more kind of credentials is accepted, or none are needed'),
  'security-scheme-renamed': note(
    'a security scheme has another name in the document: callers send the same credentials',
  ),
  'security-scheme-removed': note('a security scheme is no longer declared'),
  'variant-removed': error(
    'a variant of a request (x-variants) is no longer accepted',
    'keep accepting it besides the others',
  ),
  'variant-added': note('a new variant of a request (x-variants) is accepted'),
  'poll-changed': warning(
    'clients must poll in another way (x-poll)',
    'keep the field and its values',
  ),
  'schema-removed': note('a named schema is removed: generated types lose its name'),
} as const

/** Changes of a request that the service sends, outside its schemas: the service is the sender, and subscribers reply. */
export const OUTGOING_RULES = {
  'webhook-removed': error(
    'the service no longer sends a webhook that subscribers wait for',
    'keep sending it until subscribers have moved',
  ),
  'webhook-added': note('the service sends a new webhook'),
  'callback-removed': error(
    'the service no longer sends a callback that callers of an operation wait for',
    'keep sending it until callers have moved',
  ),
  'callback-added': note('an operation has a new callback'),
  'callback-url-changed': error(
    'the service reads the address of a callback from another place of the request',
    'keep reading the address from where it was, or declare both',
  ),
  'callback-method-changed': error(
    'a webhook or a callback is sent with another method',
    'keep the method, or send a new webhook beside the old one',
  ),
  'outgoing-body-added': note('a webhook or a callback has a body that it did not have'),
  'outgoing-body-removed': error(
    'a webhook or a callback has no body any more',
    'keep sending the body',
  ),
  'outgoing-body-became-optional': error(
    'a webhook or a callback may come without the body that it always had',
    'keep sending the body',
  ),
  'outgoing-body-became-required': note('a webhook or a callback always has its body now'),
  'outgoing-media-type-added': error(
    'the body of a webhook or a callback may come in a media type that subscribers do not expect',
    'keep sending the media type that subscribers read',
  ),
  'outgoing-media-type-removed': note(
    'the body of a webhook or a callback no longer comes in a media type',
  ),
  'outgoing-parameter-added': note('a webhook or a callback has a new parameter'),
  'outgoing-required-parameter-removed': error(
    'a webhook or a callback lacks a parameter that it always had',
    'keep sending the parameter',
  ),
  'outgoing-optional-parameter-removed': warning(
    'a webhook or a callback lacks a parameter that it could have',
    'keep sending the parameter, or make sure that no subscriber reads it',
  ),
  'outgoing-parameter-became-optional': error(
    'a webhook or a callback may lack a parameter that it always had',
    'keep sending the parameter always',
  ),
  'outgoing-parameter-became-required': note(
    'a webhook or a callback always has a parameter that it could have',
  ),
  'outgoing-parameter-serialization-changed': error(
    'a parameter of a webhook or a callback is serialized in another way',
    'keep the style, explode and media type, or send a parameter with another name',
  ),
  'outgoing-security-added': note(
    'the service presents credentials with a webhook or a callback, where it presented none',
  ),
  'outgoing-security-changed': warning(
    'the service presents other credentials with a webhook or a callback, or none any more',
    'keep presenting the credentials that subscribers check',
  ),
  'reply-status-removed': error(
    'the service no longer declares a success status that subscribers reply with',
    'keep accepting the status besides the others',
  ),
  'reply-status-added': note('subscribers may reply with one more status'),
  'reply-error-status-removed': note(
    'an error status that subscribers could reply with is no longer declared',
  ),
  'reply-header-became-required': error(
    'the reply of a subscriber needs a header that no subscriber had to send',
    'keep the header optional',
  ),
  'reply-media-type-removed': error(
    'subscribers may no longer reply in a media type that was accepted',
    'keep accepting it besides the others',
  ),
  'reply-media-type-added': note('subscribers may reply in one more media type'),
} as const
