export type Dialect = 'openapi-3.0' | 'draft-07' | '2020-12'
