import { HTTP_CHANGE_RULES, OUTGOING_RULES } from './http-rules.js'
import { about, type DiffRule, error, note, type RuleText, warning } from './rule-row.js'
import { SCHEMA_RULES } from './schema-rules.js'

/** Changes of a JSON-RPC method outside its schemas, except those that its params share with parameters. */
const RPC_RULES = {
  'params-reordered': error(
    'the order of params changed: calls by position assign values to the wrong params',
    'keep the order, and add new params at the end',
  ),
  'params-shifted': error(
    'a param was added or removed before others: calls by position assign values to the wrong params',
    'keep the order, and add new params at the end',
  ),
  'param-removed': error(
    'a param is removed: callers who send it are rejected',
    'keep it, mark it deprecated, and remove it later',
  ),
  'param-renamed': error(
    'a param was renamed: the service does not read the old name in calls by name',
    'keep the name, or allow calls by position only',
  ),
  'param-title-changed': note('a param that is only sent by position was renamed'),
  'param-structure-narrowed': error(
    'params can no longer be sent by name, or no longer by position',
    'keep allowing both, by position and by name',
  ),
  'param-structure-widened': note('params can be sent both by name and by position now'),
  'method-direction-changed': error(
    'the client or the server no longer sends a method that it sent before',
    'keep x-direction, and give the method of the other side a name of its own',
  ),
  'method-direction-widened': note('both the client and the server send a method now'),
  'server-method-added': note('the server sends a new method'),
  'server-method-removed': error(
    'the server no longer sends a method that clients expect',
    'keep sending it until clients have moved',
  ),
  'server-param-added': note('a method that the server sends has a new param'),
  'server-param-removed': error(
    'a param of a method that the server sends is removed',
    'keep sending the param',
  ),
  'server-param-became-optional': error(
    'a required param of a method that the server sends is optional now',
    'keep sending the param always',
  ),
  'server-params-reordered': error(
    'the order of params changed in a method that the server sends',
    'keep the order, and add new params at the end',
  ),
  'server-result-added': error(
    'a notification from the server became a request to which clients must respond',
    'keep the notification, and send the request under another name',
  ),
  'server-result-removed': note('a request from the server became a notification'),
  'variant-param-became-required': error(
    'a param is required now in a variant of a method (x-variants): calls without it may get another result',
    'add another variant for the calls with it',
  ),
  'unsubscribe-method-changed': error(
    'another method ends a subscription (x-subscription)',
    'keep the old method, and let it end the subscriptions',
  ),
  ...about('response', {
    'subscription-removed': error(
      'a method no longer begins a subscription (x-subscription)',
      'keep sending the items until clients have moved',
    ),
    'subscription-added': note('a method begins a subscription now (x-subscription)'),
    'subscription-id-moved': error(
      'the id of a subscription is at another place in its notifications',
      'keep the id where it was, and send it at the new place as well',
    ),
    'subscription-item-moved': error(
      'the item of a subscription is at another place in its notification',
      'keep the item where it was, and add another notification',
    ),
    'subscription-notification-removed': error(
      'a notification no longer has items of a subscription',
      'keep sending the notification until clients have moved',
    ),
    'subscription-notification-added': warning(
      'another notification has items of a subscription: old clients do not read it',
      'add another method that subscribes to it',
    ),
    'result-removed': error(
      'a method became a notification: callers receive no result',
      'keep returning a result, and offer the notification under another name',
    ),
    'result-added': note('a notification became a method with a result'),
    'error-code-removed': note('an error is no longer declared'),
    'error-code-replaced': warning(
      'an error code was replaced by a new one: callers may check for the old code',
      'keep the code, by which callers recognise the error, and change the message',
    ),
    'error-code-added': note('a new error is declared'),
    'error-message-changed': note('the message of a declared error changed'),
    'error-data-added': note('a declared error has `data` for the first time'),
    'error-data-changed': warning(
      'the `data` of a declared error changed, or is no longer declared',
      'keep the data as it is, or declare another error code',
    ),
  }),
} as const

/** Findings about the list of accepted changes itself. */
const ACCEPTANCE_RULES = {
  'acceptance-expired': note(
    'the acceptance of a change has expired, so the change is reported again',
    'undo the change, or accept it until a later date',
  ),
  'acceptance-is-unused': warning(
    'an entry accepts a change that does not exist',
    'remove the entry',
  ),
} as const

/** Changes of an operation of either protocol, and of its lifecycle and extensions. */
const OPERATION_RULES = {
  'operation-added': note('an operation is new'),
  'operation-removed-without-deprecation': error(
    'an operation that was not deprecated is removed',
    'keep it, mark it deprecated with an x-sunset date, and remove it after that day',
  ),
  'operation-removed-before-sunset': error(
    'a deprecated operation is removed before its x-sunset date',
    'keep it until its x-sunset date',
  ),
  'operation-removed-after-deprecation': note('a deprecated operation is removed in time'),
  'operation-id-changed': warning(
    'the operationId of an operation changed: requests stay the same, but code that calls a generated client no longer compiles',
    'keep the operationId',
  ),
  'operation-deprecated': note('an operation is deprecated now'),
  'operation-reactivated': note('an operation is no longer deprecated'),
  'parameter-deprecated': note('a parameter is deprecated now'),
  'property-deprecated': note('a property is deprecated now'),
  'property-reactivated': note('a property is no longer deprecated'),
  'parameter-reactivated': note('a parameter is no longer deprecated'),
  'sunset-is-missing': note(
    'something is deprecated now without an x-sunset date',
    'add the date as x-sunset',
  ),
  'sunset-is-no-date': error(
    'an x-sunset of the old or new version is not a date: callers cannot plan for it',
    'write x-sunset as a date: 2030-01-31',
  ),
  'sunset-is-past': error(
    'something is deprecated with an x-sunset in the past',
    'give callers time: choose a date in the future',
  ),
  'sunset-moved-earlier': warning('an x-sunset is earlier than before', 'keep the promised date'),
  'sunset-removed': error(
    'something is still deprecated, but its x-sunset is removed',
    'keep the promised date',
  ),
  'stability-decreased': error(
    'the stability level of an operation is lower than before',
    'keep the level, or offer the experiment in an operation of its own',
  ),
  'stability-declaration-changed': note(
    'an operation declares a stability level for the first time, or no longer declares one',
  ),
  'stability-increased': note('the stability level of an operation is higher than before'),
  'stability-is-unknown': error(
    'an x-stability-level of the old or new version is not a valid level',
    'write draft, alpha, beta or stable',
  ),
  'access-became-restricted': error(
    'an operation that was public requires a key now',
    'keep it public, or offer the restricted one beside it',
  ),
  'access-became-public': note('an operation that required a key is public now'),
  'limit-lowered': error(
    'a limit in x-limits was lowered',
    'keep the limit, or announce the lower one in advance',
  ),
  'limit-added': warning(
    'a limit was added where none was declared',
    'make sure that it is not lower than the limit that was enforced before',
  ),
  'limit-raised': note('a limit in x-limits was raised or removed'),
  'idempotence-withdrawn': warning(
    'an operation is no longer idempotent: clients that retry may execute it twice',
    'keep x-idempotent, or tell callers to stop retrying',
  ),
  'idempotence-declared': note('an operation is idempotent now'),
  'link-removed': warning(
    'a response or result no longer has a link to an operation',
    'keep the link',
  ),
  'link-changed': warning(
    'a link refers to another operation, or passes other parameters',
    'keep the link, and add one with another name',
  ),
  'link-added': note('a response or result has a new link to an operation'),
  'server-removed': warning(
    'a server that callers may use is no longer declared',
    'keep the server running and declared until callers have moved',
  ),
  'server-added': note('a server is new'),
  'server-variable-changed': warning(
    'a server variable lost a value, or its default changed',
    'keep the values and the default',
  ),
  'server-chain-changed': error(
    'the chain of a server changed: transactions signed for the old chain are rejected',
    'serve the other chain at another URL',
  ),
  'operation-id-not-unique': warning(
    'two operations of one version have the same operationId, so generated code cannot name both',
    'give each operation an operationId of its own',
  ),
  'schema-unsatisfiable': warning(
    'no value is valid: a list of values is empty, or each value must contain another one without end',
    'list the values, or make a property optional',
  ),
  'number-change-is-undecided': warning(
    'the digits of a number changed, but both versions parse to the same double',
    'check it, and accept it if it is intended',
  ),
  'document-is-new': warning(
    'the old version does not have a document, so its content could not be compared',
    'if it was moved or renamed, name its old place with --against',
  ),
} as const

const OWN_RULES = {
  ...OPERATION_RULES,
  ...HTTP_CHANGE_RULES,
  ...OUTGOING_RULES,
  ...RPC_RULES,
  ...ACCEPTANCE_RULES,
}

/** All rules of `diff`. */
export const DIFF_RULES: readonly DiffRule[] = Object.entries<RuleText>({
  ...OWN_RULES,
  ...SCHEMA_RULES,
}).map(([id, rule]) => ({ id, ...rule }))

/** The rules that do not compare two schemas. */
export type DiffRuleId = keyof typeof OWN_RULES

export const ruleOf = (id: DiffRuleId): RuleText => OWN_RULES[id]
