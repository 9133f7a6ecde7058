import { ruleRows } from '../rule.js'

/** What a server remembers from one request to the next. */
export const STATE_RULES = ruleRows([
  {
    id: 'state-moved-back',
    level: 'error',
    purpose: 'A state that is polled only moves forward.',
    clause: 'x-poll.order',
    checks: ['H30'],
  },
  {
    id: 'terminal-state-changes',
    level: 'error',
    purpose: 'What has come to an end stays as it is.',
    clause: 'x-poll.terminal',
    checks: ['H30'],
  },
  {
    id: 'polled-record-wrong',
    level: 'error',
    purpose: 'A record bears the identifier that it was asked for by, each time.',
    clause: 'OpenAPI, links; x-poll',
    checks: ['H30'],
  },
  {
    id: 'unfinished-state-cacheable',
    level: 'warning',
    purpose:
      'An answer that may still change says that it must not be stored, or not without asking again.',
    clause: 'RFC 9111, 4.2.2 and 5.2.2',
    checks: ['H44'],
  },
  {
    id: 'record-id-case-sensitive',
    level: 'warning',
    purpose: 'A record is found by its UUID in capitals too.',
    clause: 'RFC 9562, 4',
    checks: ['H28'],
  },
  {
    id: 'link-target-missing',
    level: 'warning',
    purpose: 'What an answer links to is there.',
    clause: 'OpenAPI, links',
    checks: ['H32', 'H33'],
  },
  {
    id: 'linked-responses-differ',
    level: 'warning',
    purpose: 'A submission and what is polled for it lead to the same.',
    clause: 'OpenAPI, links',
    checks: ['H32'],
  },
])

export type StateRule = (typeof STATE_RULES)[number]['id']
