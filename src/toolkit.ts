export { type DiffOptions, diff } from './diff/diff.js'
export { DIFF_RULES } from './diff/rules.js'
export { emitAll } from './emit/emit.js'
export type { File } from './emit/file.js'
export { LINT_RULES, lint } from './lint/lint.js'
export type { TeamRule } from './lint/team-rules.js'
export type {
  Api,
  HttpOperation,
  NamedSchema,
  Operation,
  RpcOperation,
  Variant,
} from './model/api.js'
export { DocumentError, type Finding, type Location } from './model/finding.js'
export type { Workflow } from './model/workflow.js'
export { type Document, parseDocument, readDocument } from './read/document.js'
export { disk, type FileTree } from './read/file-tree.js'
export { type ApiFiles, findDocuments, loadApi } from './read/load.js'
export { type Checker, createChecker } from './schema/check.js'
export type { Schema, SchemaObject } from './schema/schema.js'
export type { Source } from './schema/source.js'
