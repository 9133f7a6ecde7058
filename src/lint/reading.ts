import type { RuleRow } from '../model/finding.js'

const rows = (
  level: RuleRow['level'],
  purposes: Readonly<Record<string, string>>,
): readonly RuleRow[] => Object.entries(purposes).map(([id, purpose]) => ({ id, level, purpose }))

/** Errors that prevent a document from being read at all; the other rules are below. */
const REFUSALS = rows('error', {
  'document-does-not-exist': 'A document that is named must be there.',
  'document-is-a-folder': 'A document is a file.',
  'document-is-unreadable': 'A document must be one that may be read.',
  'document-is-too-large': 'A document is of a size that can be read.',
  'document-is-not-utf-8': 'Documents are UTF-8.',
  'document-is-empty': 'A document must say something.',
  'document-does-not-parse': 'A document is YAML or JSON.',
  'document-is-not-an-object': 'The top level of a document is an object.',
  'document-nests-too-deep': 'No reader of a document should run out of stack.',
  'document-key-is-duplicate': 'Of a key that is written twice, parsers keep one or the other.',
  'document-version-is-unknown': 'OpenAPI 3.0 to 3.2, OpenRPC 1.0 to 1.4 and Arazzo 1.0 are read.',
  'openrpc-document-is-invalid': 'An OpenRPC document must be what its meta-schema asks for.',
  'yaml-alias-is-circular': 'An alias within itself is no data.',
  'yaml-alias-is-unknown': 'An alias names an anchor before it.',
  'yaml-aliases-expand-too-far': 'Aliases of aliases must not fill the memory.',
  'yaml-has-second-document': 'A file is one document.',
  'yaml-key-is-not-text': 'The keys of JSON are texts.',
  'yaml-merge-is-not-an-object': 'Only an object can be merged.',
  'yaml-number-is-hex': 'YAML reads 0x10 as 16, and a text was meant.',
  'yaml-number-is-not-json': 'JSON has no infinity.',
  'reference-is-dangling': 'What is referred to must be there.',
  'reference-is-outside':
    'A document of somebody else could otherwise show any file of the machine that reads it.',
  'reference-cannot-be-fetched': 'A copy of a remote document must be complete.',
  'reference-copy-changed': 'A copy of a remote document is what was fetched and reviewed.',
  'reference-lock-is-invalid': 'The lock file names the copy of each remote document.',
  'reference-is-no-pointer': 'References are files with JSON pointers or anchors.',
  'map-is-a-reference': 'OpenAPI allows references to members of a map, and not to a whole map.',
  'reference-is-circular': 'A reference must lead somewhere in the end.',
  'schema-keyword-is-not-supported': 'Dynamic references are not read.',
  'variant-without-request': 'A variant begins with the schema of its body.',
  'method-has-no-name': 'A method is called by its name.',
  'method-is-duplicate': 'Of two methods of one name, one could not be called.',
  'param-has-no-name': 'A param is documented, and given by name, by its name.',
  'workflows-are-no-list': 'An Arazzo document is a list of workflows.',
  'workflow-is-no-object': 'A workflow is an object.',
  'workflow-steps-are-no-list': 'A workflow is a list of steps.',
})

const MISTAKES = rows('warning', {
  'document-version-is-incomplete':
    'Other tools reject a version that is not a text with three numbers.',
  'reference-is-no-schema': 'A reference in the place of a schema leads to one.',
  'document-version-is-newer': 'A later version may have fields that are ignored.',
  'method-has-a-field':
    'OpenAPI 3.2, Path Item Object: additionalOperations has no method that has a field of its own.',
  'method-is-invalid': 'RFC 9110, 9.1: a method is a token.',
  'cookie-parameter-is-ambiguous':
    'An exploded object in a cookie cannot be distinguished from other cookies.',
  'example-invalid': 'An example is copied, served by mocks and replayed against servers.',
  'example-fits-two-branches':
    'A value that fits two branches of a oneOf is refused by validators.',
  'example-param-is-unknown': 'Who calls by name copies the names of an example.',
  'field-has-wrong-type': 'A field of the wrong type is read over.',
  'field-is-missing': 'Tools rely on what the specification asks for.',
  'field-is-unknown': 'A mistyped field is read over.',
  'variant-example-unknown': 'The example of a variant is one of those of the request.',
  'header-name-invalid': 'RFC 9110, 5.1: the name of a header is a token.',
  'media-type-invalid': 'Content is recognised by media types.',
  'operation-name-was-changed': 'An id should be a free identifier, so that clients call it so.',
  'param-name-is-duplicate': 'By name, only one of two params of one name can be given.',
  'parameter-is-duplicate': 'Of two parameters of one name, readers keep one or the other.',
  'parameter-place-is-unknown': 'Parameters stand in path, query, querystring, header or cookie.',
  'querystring-is-not-alone':
    'OpenAPI 3.2, Parameter Locations: the whole query has no parameter beside it.',
  'schema-is-no-object': 'A schema is an object or a boolean.',
  'schema-type-is-unknown': 'JSON has seven types.',
  'schema-keyword-invalid': 'A keyword of another shape cannot be honoured.',
  'pattern-does-not-compile': 'A pattern is a regular expression of ECMAScript.',
  'path-has-no-slash': 'A path begins with a slash.',
  'path-parameter-is-not-in-path': 'A parameter in the path needs its place there.',
  'path-parameter-is-not-required': 'A path has no place for a missing parameter.',
  'path-parameter-is-undeclared': 'A name in braces needs a type.',
  'required-param-after-optional':
    'By position, null is sent for an optional param before a required one, and not every server accepts it.',
  'response-has-no-status': 'Responses are recognised by status.',
  'reference-is-remote':
    'What is behind a URL may change or vanish: it is fetched only with --fetch-references.',
  'responses-are-missing': 'What is not declared is neither typed nor checked.',
  'schema-accepts-nothing': 'Of an empty list of values or alternatives, no value can be one.',
  'schema-is-null': 'A null where a schema belongs is what a generator left behind.',
  'schema-is-wrapped': 'A member schema belongs to params and media types, not to a schema.',
  'schema-keyword-is-outside-schema': 'A keyword beside a schema is read over.',
  'schema-keyword-is-outdated':
    'A keyword that the dialect of the schema no longer has validates nothing.',
  'schema-name-was-changed':
    'A name should be a free identifier of one meaning, so that types are called so.',
  'security-scheme-is-undeclared': 'A scheme that nothing declares can be met by nobody.',
  'security-scheme-type-is-unknown': 'No credential is sent for an unknown scheme.',
  'server-url-has-no-scheme':
    'Without a scheme, a URL is a path of the server that has the document.',
  'server-name-is-duplicate': 'A client chooses a server by its name.',
  'server-variable-is-undeclared': 'A name in braces needs a default.',
  'variable-has-no-name': 'A value in braces is filled in by its name.',
})

const LEFT_OUT = rows('note', {
  'alternative-is-the-schema-itself':
    'A schema that is an alternative of itself adds nothing to it.',
  'callbacks-ignored': 'Calls that the service makes are no operations of it.',
  'webhooks-ignored': 'Calls that the service makes are no operations of it.',
  'document-is-converted':
    'Swagger 2.0 is read as OpenAPI 3.0, other descriptions of JSON-RPC as OpenRPC.',
  'document-version-is-read-as-later':
    'OpenRPC 1.0, 1.1 and release candidates are read by the rules of 1.2 to 1.4, with the differences that they state.',
  'group-is-left-out':
    'Clients have the operations of a tag in a group, unless something else has its name.',
  'notification-direction-is-unknown':
    'A method without a result is a notification, and clients are generated without those that the server sends.',
  'method-servers-ignored': 'Clients call the servers of the document.',
  'param-name-was-changed': 'A name should be a free identifier, so that types call it so.',
  'schema-keyword-is-unknown': 'A mistyped keyword is read over.',
})

const WORKFLOWS = rows('error', {
  'workflow-action-is-unknown': 'An action ends, goes on elsewhere or retries.',
  'workflow-body-is-unknown': 'A body is sent to an operation that takes one.',
  'workflow-component-is-unknown': 'A component that is named must be there.',
  'workflow-criterion-is-unreadable': 'A criterion must be one that can be decided.',
  'workflow-expression-is-unreadable': 'A runtime expression must parse.',
  'workflow-expression-names-nothing':
    'A runtime expression takes its value from what is there by then.',
  'workflow-goto-names-not-one-target': 'A goto has one target.',
  'workflow-id-is-duplicate': 'Of two workflows or steps of one id, one could not be named.',
  'workflow-id-is-missing': 'Workflows and steps are named by their ids.',
  'workflow-is-unknown': 'A workflow that is named must be there.',
  'workflow-operation-is-unknown': 'A step calls an operation of either document.',
  'workflow-parameter-is-unknown': 'A parameter is one of the operation that is called.',
  'workflow-payload-calls-another-method':
    'The body of a JSON-RPC step calls the method of that step.',
  'workflow-source-is-missing':
    'A workflow document names the documents whose operations it calls.',
  'workflow-source-is-unknown': 'A source that is named must be declared.',
  'workflow-step-calls-not-one-thing': 'A step calls one operation or one workflow.',
  'workflow-step-is-unknown': 'A step that is named must be there.',
})

/** Findings from reading documents, in every command. */
export const READING_RULES: readonly RuleRow[] = [
  ...REFUSALS,
  ...MISTAKES,
  ...LEFT_OUT,
  ...WORKFLOWS,
]
