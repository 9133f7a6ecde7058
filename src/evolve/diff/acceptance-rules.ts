import { row } from './rule-row.js'

/** What is to be said of the list of accepted changes itself. */
export const ACCEPTANCE_RULES = [
  row(
    'acceptance-expired',
    'note',
    'a change is still there, and counts again: the day until which it was accepted is over',
    'undo the change, or argue for another day',
  ),
  row(
    'acceptance-is-unused',
    'warning',
    'a change is accepted that nobody made, or that is undone',
    'take the entry out',
  ),
] as const
