/** Changes of the library's documents, each with what diff makes of it. */
export const CHANGES: readonly Change[] = [
  { name: 'nothing', edits: {}, says: [], code: 0 },
  {
    name: 'a note is longer',
    edits: { 'openrpc.json': ['"maxLength": 500', '"maxLength": 900'] },
    says: [],
    code: 0,
  },
  {
    name: 'a note is shorter',
    edits: { 'openrpc.json': ['"maxLength": 500', '"maxLength": 50'] },
    says: ['request-max-length-lowered'],
    code: 1,
  },
  {
    name: 'a due day is always there',
    edits: {
      'library.yml': [`        - $ref: '#/Day'\n        - type: 'null'`, `        - $ref: '#/Day'`],
    },
    says: [],
    code: 0,
  },
  {
    name: 'an author may be null',
    edits: { 'library.yml': [`items: { type: string }`, `items: { type: [string, 'null'] }`] },
    says: ['response-became-nullable'],
    code: 1,
  },
  {
    name: 'a param has another name',
    edits: {
      'openrpc.json': ['"name": "days",\n          "desc', '"name": "weeks",\n          "desc'],
    },
    says: ['param-renamed'],
    code: 1,
  },
  {
    name: 'a card is wanted of all',
    edits: { 'openapi.yaml': ['      security: []\n', ''] },
    says: ['security-became-required'],
    code: 1,
  },
  {
    name: 'less is taken at once',
    edits: { 'openrpc.json': ['"batchSize": 5', '"batchSize": 4'] },
    says: ['limit-lowered'],
    code: 1,
  },
]

type Change = {
  readonly name: string
  readonly edits: Readonly<Record<string, Edit>>
  readonly says: readonly string[]
  readonly code: 0 | 1
}

type Edit = readonly [from: string, to: string]

/** Throws where there is nothing to change: a change that is none proves nothing. */
export const changed = (text: string, [from, to]: Edit): string => {
  if (!text.includes(from)) throw new Error(`there is no ${from} to change`)
  return text.replace(from, to)
}
