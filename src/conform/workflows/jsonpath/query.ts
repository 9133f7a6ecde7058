/** A query of JSONPath (RFC 9535): from the root `$` or, within a filter, from the node `@` that is looked at. */
export type Query = { readonly from: '$' | '@'; readonly segments: readonly Segment[] }

/** `isDeep` is `..`: the node itself and everything below it. */
export type Segment = { readonly isDeep: boolean; readonly selectors: readonly Selector[] }

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | {
      readonly kind: 'slice'
      readonly start: number | undefined
      readonly end: number | undefined
      readonly step: number
    }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly test: Test }

export type Test =
  | { readonly kind: 'or' | 'and'; readonly left: Test; readonly right: Test }
  | { readonly kind: 'not'; readonly of: Test }
  | {
      readonly kind: 'compare'
      readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>='
      readonly left: Operand
      readonly right: Operand
    }
  /** The query selects something, or the function says so. */
  | { readonly kind: 'some'; readonly of: Extract<Operand, { kind: 'query' | 'call' }> }

export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'call'; readonly name: Func; readonly given: readonly Operand[] }

export type Func = keyof typeof FUNCTIONS

/** What a function takes and gives (RFC 9535, 2.4.1): values, lists of nodes, or whether something is so. */
export const FUNCTIONS = {
  length: { takes: ['value'], gives: 'value' },
  count: { takes: ['nodes'], gives: 'value' },
  value: { takes: ['nodes'], gives: 'value' },
  match: { takes: ['value', 'value'], gives: 'truth' },
  search: { takes: ['value', 'value'], gives: 'truth' },
} as const
