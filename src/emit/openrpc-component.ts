import { isObject, isReference } from '../model/json.js'
import { parseDocument, valueAt } from '../read/document.js'
import { loadApi } from '../read/load.js'
import { decodePercent } from '../runtime/shared/template.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { emitAll } from './emit.js'
import type { File } from './file.js'

/**
 * A component for @open-rpc/generator (`type: 'custom'`, `language: 'typescript'`) that writes the files of `twinspec
 * generate`. Pass the result of `maskRefs` to the generator: its own dereferencer does not end on recursive schemas.
 */
const createComponent = (): GeneratorComponent => {
  // The generator's templates are synchronous, so the asynchronous work is done in the hook before them.
  let emitted: readonly File[] = []
  return {
    hooks: {
      beforeCompileTemplate: [
        async (_destination, _source, _component, document) => {
          const text = JSON.stringify(unmaskRefs(document))
          emitted = emitAll(await loadApi({ openrpc: parseDocument(text, 'openrpc.json') }))
        },
      ],
      templateFiles: {
        get typescript() {
          return emitted.map(({ name, text }) => ({ path: name, template: () => text }))
        },
      },
    },
    // No folder to copy.
    staticPath: () => undefined,
  }
}

type GeneratorComponent = {
  readonly hooks: {
    readonly beforeCompileTemplate: readonly Prepare[]
    readonly templateFiles: {
      readonly typescript: readonly { readonly path: string; readonly template: () => string }[]
    }
  }
  readonly staticPath: () => undefined
}

type Prepare = (
  destination: string,
  source: unknown,
  component: unknown,
  document: JsonObject,
) => Promise<void>

/** For teams that run @open-rpc/generator: all files that `twinspec generate` writes for an OpenRPC document. */
const component = createComponent()

// biome-ignore lint/style/noDefaultExport: the generator reads a component's default export
export default component

/**
 * The document with the references to schemas renamed to `x-ref`, so that no dereferencer follows them, and every other
 * reference replaced by its target. References that are circular or lead out of the document are renamed too.
 */
export function maskRefs(document: JsonObject): JsonObject {
  return copy(document, []) as JsonObject

  /** `passed` are the references that led here. */
  function copy(value: unknown, passed: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((one) => copy(one, passed))
    if (!isObject(value)) return value
    if (!isReference(value)) return mapped(value, passed)
    const { $ref, ...siblings } = value
    const isKept = $ref.startsWith('#/components/schemas/') || passed.includes($ref)
    const target = isKept ? undefined : targetOf($ref)
    return target === undefined
      ? { 'x-ref': $ref, ...mapped(siblings, passed) }
      : copy(target, [...passed, $ref])
  }

  function mapped(value: JsonObject, passed: readonly string[]): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, copy(member, passed)]),
    )
  }

  function targetOf(ref: string): unknown {
    const pointer = ref.startsWith('#') ? decodePercent(ref.slice(1)) : undefined
    return pointer === undefined ? undefined : valueAt({ document: { value: document }, pointer })
  }
}

/** Reverses `maskRefs`, except for the references that it replaced. */
export function unmaskRefs(document: JsonObject): JsonObject {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key === 'x-ref' ? '$ref' : key, copy(member)]),
    )
  }
  return copy(document) as JsonObject
}
