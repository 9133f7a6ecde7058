import { row } from './rule-row.js'

/** What may happen to a method of JSON-RPC beyond its schemas, and beyond what a parameter has in common. */
export const RPC_RULES = [
  row(
    'params-reordered',
    'error',
    'params stand in another order: by position, values land in the wrong ones',
    'keep the order, and put what is new at the end',
  ),
  row(
    'params-shifted',
    'error',
    'a param came or went before others: by position, values land in the wrong ones',
    'keep the order, and put what is new at the end',
  ),
  row(
    'param-removed',
    'error',
    'a param is gone: whoever gives it is refused',
    'keep it, mark it deprecated, and remove it later',
  ),
  row(
    'param-renamed',
    'error',
    'a param has another name: who calls by name says what nobody reads',
    'keep the name, or allow calls by position only',
  ),
  row('param-title-changed', 'note', 'a param that only its position tells has another name'),
  row(
    'param-structure-narrowed',
    'error',
    'params may no longer be given in a way that was allowed',
    'keep allowing both, by position and by name',
  ),
  row('param-structure-widened', 'note', 'params may be given in one more way'),
  row(
    'result-removed',
    'error',
    'a method became a notification: nobody is answered',
    'keep answering, and offer the notification under another name',
  ),
  row('result-added', 'note', 'a notification became a method that answers'),
  row('error-code-removed', 'note', 'a refusal is no longer declared'),
  row(
    'error-code-replaced',
    'warning',
    'a refusal is no longer declared while another is new: callers may look for the old code',
    'keep the code, which is what callers tell refusals by, and change the message',
  ),
  row('error-code-added', 'note', 'one more refusal is declared'),
  row('error-message-changed', 'note', 'a declared refusal is worded otherwise'),
] as const
