import type { RuleRow } from '../model/finding.js'

const rows = (
  level: RuleRow['level'],
  purposes: Readonly<Record<string, string>>,
): readonly RuleRow[] => Object.entries(purposes).map(([id, purpose]) => ({ id, level, purpose }))

/** Errors that prevent a document from being read at all; the other rules are below. */
const REJECTIONS = rows('error', {
  'document-does-not-exist': 'The file of a document must exist.',
  'document-is-a-folder': 'A document must be a file, not a folder.',
  'document-is-unreadable': 'A document must be readable.',
  'document-is-too-large': 'A document must not exceed the maximum size that can be read.',
  'document-is-not-utf-8': 'Documents must be encoded in UTF-8.',
  'document-is-empty': 'A document must not be empty.',
  'document-does-not-parse': 'A document must be valid YAML or JSON.',
  'document-is-not-an-object': 'The top level of a document must be an object.',
  'document-nests-too-deep':
    'The nesting depth is limited, because deep nesting can exhaust the call stack of a parser.',
  'document-key-is-duplicate': 'If a key occurs twice, parsers differ in which value they keep.',
  'document-version-is-unknown':
    'The supported versions are OpenAPI 3.0 to 3.2, OpenRPC 1.0 to 1.4, and Arazzo 1.0 and 1.1.',
  'overlay-is-invalid':
    'OpenAPI Overlay 1.1: an action that cannot be applied as written must not change a document in another way.',
  'openrpc-document-is-invalid': 'An OpenRPC document must be valid against its meta-schema.',
  'yaml-alias-is-circular': 'JSON cannot represent an alias inside the value that it refers to.',
  'yaml-alias-is-unknown': 'An alias must refer to an anchor that is defined before it.',
  'yaml-aliases-expand-too-far': 'Nested aliases can expand to more data than fits into memory.',
  'yaml-has-second-document': 'A file must contain only one document.',
  'yaml-key-is-not-text': 'Keys must be strings, as in JSON.',
  'yaml-merge-is-not-an-object': 'Only an object can be merged.',
  'yaml-number-is-hex': 'YAML reads 0x10 as the number 16, but a string was probably intended.',
  'yaml-number-is-not-json': 'JSON cannot represent infinity or NaN.',
  'reference-is-dangling': 'The target of a reference must exist.',
  'reference-is-outside':
    'Without this limit, a document from another author could expose any file of the machine that reads it.',
  'reference-cannot-be-fetched': 'A copy of a remote document must be complete.',
  'reference-copy-changed':
    'A copy of a remote document must be the one that was fetched and reviewed.',
  'reference-lock-is-invalid':
    'The lock file must name the copy of each remote document and its SHA-256.',
  'reference-is-no-pointer': 'A reference must name a file, a JSON pointer or an anchor.',
  'map-is-a-reference':
    'OpenAPI allows references for the members of a map, but not for the map itself.',
  'reference-is-circular': 'A chain of references must end at a definition.',
  'schema-keyword-is-not-supported':
    'A $dynamicRef that does not resolve to exactly one schema accepts any value.',
  'variant-without-request': 'A variant must refer to the schema of its request body.',
  'method-has-no-name': 'Clients call a method by its name.',
  'method-is-duplicate': 'If two methods have the same name, clients can call only one of them.',
  'param-has-no-name': 'Documentation and calls by name identify a param by its name.',
  'workflows-are-no-list': 'The workflows of an Arazzo document must be a list.',
  'workflow-is-no-object': 'A workflow must be an object.',
  'workflow-steps-are-no-list': 'The steps of a workflow must be a list.',
})

const MISTAKES = rows('warning', {
  'workflow-is-not-read':
    'A workflow is left out if it needs a part of Arazzo 1.1 that is not supported: without that part, a run would do something else.',
  'overlay-target-matches-nothing':
    'OpenAPI Overlay 1.1, Action Object: an action whose target selects nothing changes nothing, and the target may be outdated.',
  'document-version-is-incomplete':
    'Other tools reject a version that is not a string with three numbers.',
  'reference-is-inexact': 'Most tools do not find a target that a reference does not name exactly.',
  'reference-is-no-schema': 'A reference in the place of a schema must resolve to a schema.',
  'discriminator-value-differs':
    'A value that a mapping states for a schema must be one that the schema accepts.',
  'document-version-is-newer': 'A later version may have fields that are ignored.',
  'method-has-a-field':
    'OpenAPI 3.2, Path Item Object: additionalOperations must not contain a method that has its own field.',
  'method-is-invalid': 'RFC 9110, 9.1: a method must be a token.',
  'cookie-parameter-is-ambiguous':
    'An exploded object in a cookie cannot be distinguished from other cookies.',
  'example-invalid':
    'Callers copy examples, mock servers return them, and conform sends them to servers.',
  'example-fits-two-branches': 'Validators reject a value that matches two branches of a oneOf.',
  'example-param-is-unknown': 'Callers who send params by name copy the names from an example.',
  'field-has-wrong-type': 'A field with a value of the wrong type is ignored.',
  'field-is-missing': 'Tools rely on the fields that the specification requires.',
  'field-is-unknown': 'An unknown field is ignored, and it may be mistyped.',
  'variant-example-unknown': 'The example of a variant must be one of the examples of the request.',
  'header-name-invalid': 'RFC 9110, 5.1: the name of a header must be a token.',
  'media-type-invalid': 'Content is identified by its media type.',
  'method-is-left-out':
    'No call is possible without all params, so no code is generated for the method.',
  'notification-direction-is-unknown':
    'A method without a result is a notification, and OpenRPC does not say who sends it: clients and servers are generated for both.',
  'operation-name-was-changed':
    'The name of an operation should be a unique, valid identifier, so that generated code uses it unchanged.',
  'param-name-is-duplicate':
    'If two params have the same name, callers can send only one of them by name.',
  'parameter-is-duplicate':
    'If two parameters have the same name, tools differ in which one they keep.',
  'parameter-place-is-unknown':
    'A parameter must be in path, query, querystring, header or cookie.',
  'querystring-is-not-alone':
    'OpenAPI 3.2, Parameter Locations: a querystring parameter is the whole query, so no query parameter may be next to it.',
  'schema-is-no-object': 'A schema must be an object or a boolean.',
  'schema-type-is-unknown': 'The type of a schema must be one of the seven types of JSON Schema.',
  'schema-keyword-invalid': 'A keyword with an invalid value cannot be applied.',
  'pattern-does-not-compile': 'A pattern must be a valid ECMAScript regular expression.',
  'path-has-no-slash': 'A path must begin with a slash.',
  'path-template-is-inexact':
    'OpenAPI 3.2, 4.8.2: a parameter in a path is its name in braces, without the patterns of routers.',
  'path-parameter-is-not-in-path':
    'A path parameter needs a placeholder with its name in the path.',
  'path-parameter-is-not-required': 'A path parameter cannot be omitted, so it must be required.',
  'path-parameter-is-undeclared':
    'A name in braces in a path needs a parameter that declares its type.',
  'required-param-after-optional':
    'Callers by position send null for an optional param before a required one, and some servers reject null.',
  'response-has-no-status': 'Responses are identified by their status.',
  'reference-is-remote':
    'The content of a URL can change or disappear, so it is fetched only with --fetch-references.',
  'response-status-is-duplicate':
    'If a status is declared twice, tools differ in which response they use.',
  'responses-are-missing': 'Undeclared responses are neither typed nor validated.',
  'schema-accepts-nothing':
    'No value is valid against an empty list of values, or where each value must contain another one without end.',
  'schema-is-null': 'A null in the place of a schema is probably an error of a generator.',
  'schema-is-wrapped': 'The member schema belongs to params and media types, not to a schema.',
  'schema-keyword-is-outside-schema': 'A schema keyword outside of the schema is ignored.',
  'schema-keyword-is-outdated':
    'A keyword that the dialect of the schema no longer has is ignored.',
  'schema-name-was-changed':
    'The name of a schema should be a unique, valid identifier, so that the generated type uses it unchanged.',
  'security-scheme-is-undeclared': 'A security scheme that is not declared cannot be satisfied.',
  'security-scheme-place-is-unknown':
    'Clients send a key in the query, in a header or in a cookie.',
  'security-scheme-type-is-unknown':
    'Clients send no credentials for a security scheme of an unknown type.',
  'security-schemes-share-a-header':
    'RFC 9110, 11.6.2: a request has one credential in each header, so two schemes of one requirement cannot have the same header.',
  'server-url-has-no-scheme':
    'A URL without a scheme is a path on the server that hosts the document.',
  'server-name-is-duplicate': 'Clients select a server by its name, so the names must be unique.',
  'server-variable-is-undeclared':
    'A variable in the URL of a server needs a declaration with a default.',
  'variable-has-no-name': 'A variable in braces needs a name, because its value is set by name.',
})

const LEFT_OUT = rows('note', {
  'alternative-is-the-schema-itself':
    'A schema that lists itself as an alternative accepts the same values without that alternative.',
  'discriminator-name-differs':
    'Without a mapping, the name of an alternative is its value of the discriminator, unless its schema lists other values.',
  'document-is-converted':
    'Swagger 2.0 is converted to OpenAPI 3.0, and other descriptions of JSON-RPC are converted to OpenRPC.',
  'document-version-is-read-as-later':
    'OpenRPC 1.0, 1.1 and release candidates are read by the rules of 1.2 to 1.4, except for the differences that their specifications state.',
  'group-is-left-out':
    'Clients group the operations of a tag, unless the name of the group is invalid or already used.',
  'method-servers-ignored': 'Clients call only the servers of the document.',
  'param-name-was-changed':
    'The name of a param should be a valid identifier, so that generated types use it unchanged.',
  'schema-keyword-is-unknown': 'An unknown keyword is ignored, and it may be mistyped.',
  'security-scheme-is-not-sent':
    'Clients send Basic and Bearer of HTTP. Other schemes, such as Digest and DPoP, need a handshake or a proof for each request.',
})

const WORKFLOWS = rows('error', {
  'workflow-action-is-unknown': 'The type of an action must be end, goto or retry.',
  'workflow-body-is-unknown': 'A step can send a body only to an operation that declares one.',
  'workflow-component-is-unknown': 'A component that a workflow refers to must exist.',
  'workflow-criterion-is-unreadable': 'A criterion must be a condition that can be evaluated.',
  'workflow-expression-is-unreadable': 'A runtime expression must be syntactically valid.',
  'workflow-expression-names-nothing':
    'A runtime expression can use only values that exist when it is evaluated.',
  'workflow-goto-names-not-one-target': 'A goto must have exactly one target.',
  'workflow-id-is-duplicate':
    'If two workflows or steps have the same id, references can reach only one of them.',
  'workflow-id-is-missing': 'Workflows and steps are identified by their ids.',
  'workflow-is-unknown': 'A workflow that is referred to must exist.',
  'workflow-operation-is-unknown': 'A step must call an operation of one of the documents.',
  'workflow-parameter-is-unknown': 'A step can set only parameters of the operation that it calls.',
  'workflow-payload-calls-another-method':
    'The body of a JSON-RPC step must call the method of that step.',
  'workflow-source-is-missing':
    'An Arazzo document must name the documents whose operations it calls.',
  'workflow-source-is-unknown': 'A source that is referred to must be declared.',
  'workflow-step-calls-not-one-thing': 'A step must call exactly one operation or workflow.',
  'workflow-step-is-unknown': 'A step that is referred to must exist.',
})

/** Findings from reading documents, in every command. */
export const READING_RULES: readonly RuleRow[] = [
  ...REJECTIONS,
  ...MISTAKES,
  ...LEFT_OUT,
  ...WORKFLOWS,
]
