import type { Finding } from '../model/finding.js'

/** `consumer`: for those who use a document of others. `recommended`: without notes for people. `strict`: everything. */
export type Preset = 'consumer' | 'recommended' | 'strict'

/** The findings that a preset reports; `recommended` and `strict` differ only in what formats for people show. */
export const ofPreset = (findings: readonly Finding[], preset: Preset): readonly Finding[] =>
  preset === 'consumer' ? findings.filter(changesCode) : findings

/** Whether generated code differs from what a reader of the document expects: a name, a type, a check, or what is missing. */
const changesCode = ({ rule }: Finding): boolean =>
  CHANGED_CODE.has(rule) || rule.startsWith('yaml-') || rule.startsWith('config-')

const CHANGED_CODE: ReadonlySet<string> = new Set([
  // Other names.
  'group-is-left-out',
  'operation-id-is-duplicate',
  'operation-name-was-changed',
  'param-name-was-changed',
  'schema-name-was-changed',
  // What it is generated from.
  'document-is-converted',
  // Parts that are missing, because they could not be read.
  'document-key-is-duplicate',
  'document-version-is-newer',
  'overlay-target-matches-nothing',
  'workflow-is-not-read',
  'extension-invalid',
  'extension-misplaced',
  'field-has-wrong-type',
  'field-is-missing',
  'map-is-a-reference',
  'media-type-invalid',
  'header-name-invalid',
  'method-has-a-field',
  'method-has-no-name',
  'method-is-duplicate',
  'method-is-invalid',
  'method-is-left-out',
  'method-servers-ignored',
  'openrpc-document-is-invalid',
  'param-has-no-name',
  'param-name-is-duplicate',
  'parameter-is-duplicate',
  'parameter-place-is-unknown',
  'path-holds-a-query',
  'path-parameter-is-not-in-path',
  'paths-are-identical',
  'reference-is-circular',
  'reference-is-dangling',
  'reference-is-no-pointer',
  'reference-is-no-schema',
  'reference-is-remote',
  'response-cannot-have-a-body',
  'response-has-no-status',
  'response-status-is-duplicate',
  'server-name-is-duplicate',
  'subscription-cannot-work',
  'cancel-cannot-work',
  'progress-cannot-work',
  'server-variable-is-undeclared',
  'variable-has-no-name',
  'variant-without-request',
  'variants-incomplete',
  // Types and checks that accept more or less than the document seems to say.
  'body-schema-not-applied',
  'bounds-contradict',
  'discriminator-name-differs',
  'discriminator-value-differs',
  'pattern-does-not-compile',
  'path-parameter-is-undeclared',
  'responses-are-missing',
  'schema-accepts-nothing',
  'schema-is-no-object',
  'schema-is-null',
  'schema-keyword-invalid',
  'schema-keyword-is-not-supported',
  'schema-type-is-unknown',
  'stream-without-item-schema',
  'types-contradict',
  'variants-overlap',
  // Calls that cannot be made as the document says.
  'file-cannot-be-sent',
  'notification-direction-is-unknown',
  'request-body-cannot-be-sent',
  'security-scheme-is-not-sent',
  'security-scheme-is-undeclared',
  'security-scheme-place-is-unknown',
  'security-scheme-type-is-unknown',
  'security-schemes-share-a-header',
  'server-url-has-no-scheme',
])
