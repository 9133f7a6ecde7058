import { row } from './rule-row.js'

/** What is to be said of the list of accepted changes itself. */
export const ACCEPTANCE_RULES = [
  row(
    'acceptance-expired',
    'note',
    'the date until which a change was accepted is over, so the change counts again',
    'undo the change, or accept it until a later date',
  ),
  row('acceptance-is-unused', 'warning', 'an accepted change does not exist', 'remove the entry'),
] as const
