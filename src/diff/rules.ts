import { HTTP_RULES } from './http-rules.js'
import { OPERATION_RULES } from './operation-rules.js'
import { OUTGOING_RULES } from './outgoing-rules.js'
import { type DiffRule, error, note, type RuleText, warning } from './rule-row.js'
import { SCHEMA_RULES } from './schema-rules.js'

/** What may happen to a method of JSON-RPC beyond its schemas, and beyond what a parameter has in common. */
const RPC_RULES = {
  'params-reordered': error(
    'params have another order: calls by position give values to the wrong params',
    'keep the order, and add new params at the end',
  ),
  'params-shifted': error(
    'a param is added or removed before others: calls by position give values to the wrong params',
    'keep the order, and add new params at the end',
  ),
  'param-removed': error(
    'a param is removed: callers who send it are rejected',
    'keep it, mark it deprecated, and remove it later',
  ),
  'param-renamed': error(
    'a param has another name: the service does not read the old name in calls by name',
    'keep the name, or allow calls by position only',
  ),
  'param-title-changed': note('a param that is only sent by position has another name'),
  'param-structure-narrowed': error(
    'params can no longer be sent in a way that was allowed',
    'keep allowing both, by position and by name',
  ),
  'param-structure-widened': note('params can be sent in one more way'),
  'result-removed': error(
    'a method is a notification now: callers receive no result',
    'keep returning a result, and offer the notification under another name',
  ),
  'result-added': note('a notification is a method with a result now'),
  'error-code-removed': note('an error is no longer declared'),
  'error-code-replaced': warning(
    'an error code is no longer declared while another one is new: callers may look for the old code',
    'keep the code, by which callers recognise the error, and change the message',
  ),
  'error-code-added': note('one more error is declared'),
  'error-message-changed': note('the message of a declared error is another one'),
  'error-data-added': note('a declared error has `data`, which it did not have'),
  'error-data-changed': warning(
    'the `data` of a declared error is declared in another way, or no longer declared',
    'keep the data as it is, or declare another error code',
  ),
} as const

/** What is to be said of the list of accepted changes itself. */
const ACCEPTANCE_RULES = {
  'acceptance-expired': note(
    'the date until which a change was accepted is over, so the change counts again',
    'undo the change, or accept it until a later date',
  ),
  'acceptance-is-unused': warning('an accepted change does not exist', 'remove the entry'),
} as const

const OWN_RULES = {
  ...OPERATION_RULES,
  ...HTTP_RULES,
  ...OUTGOING_RULES,
  ...RPC_RULES,
  ...ACCEPTANCE_RULES,
}

/** Every rule that `diff` may name. */
export const DIFF_RULES: readonly DiffRule[] = Object.entries<RuleText>({
  ...OWN_RULES,
  ...SCHEMA_RULES,
}).map(([id, rule]) => ({ id, ...rule }))

/** Of what is not the comparison of two schemas. */
export type DiffRuleId = keyof typeof OWN_RULES

export const ruleOf = (id: DiffRuleId): RuleText => OWN_RULES[id]
