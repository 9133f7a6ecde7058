import type { RuleRow, Said } from '../model/rule.js'
import type { Survey } from './survey.js'

/** A row of the table of lint rules: what it finds gets its id and its level. */
export type Rule = RuleRow & { readonly find: (survey: Survey) => Iterable<Said> }
