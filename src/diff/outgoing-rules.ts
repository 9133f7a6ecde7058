import { error, note, warning } from './rule-row.js'

/** What may happen to a request that the service sends, beyond its schemas: here the service is the sender, and subscribers reply. */
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
