export { type DiffOptions, diff } from './diff/diff.js'
export { DIFF_RULES } from './diff/rules.js'
export { emitAll } from './emit/emit.js'
export type { File } from './emit/file.js'
export { LINT_RULES, lint } from './lint/lint.js'
export type {
  Api,
  HttpOperation,
  NamedSchema,
  Operation,
  RpcOperation,
  Variant,
} from './model/api.js'
export { type Document, parseDocument, readDocument } from './model/document.js'
export { disk, type FileTree } from './model/file-tree.js'
export { DocumentError, type Finding, type Location } from './model/finding.js'
export { type ApiFiles, findDocuments, loadApi } from './model/load.js'
export type { Workflow } from './model/workflow.js'
export { type Checker, createChecker } from './schema/check.js'
export type { Schema, SchemaObject } from './schema/schema.js'
export type { Source } from './schema/source.js'
