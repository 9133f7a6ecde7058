import { openapiOf } from '../synthetic.js'

/** The next version of `openapiOf`: of every ten operations one has another body, one another answer, one is gone. */
export function changedOf(size: number): object {
  const document = openapiOf(size) as Document
  const { schemas } = document.components
  for (let n = 0; n < size; n += 10) {
    const { kinds } = schemas[`Filter${n + 1}`]?.properties ?? {}
    if (kinds) Object.assign(kinds, { minItems: 1 })
    const { size: measure } = schemas[`Thing${n + 2}`]?.properties ?? {}
    if (measure) Object.assign(measure, { nullable: true, minimum: -1 })
    delete document.paths[`/things-${n + 3}/{id}`]
  }
  return document
}

type Document = {
  readonly paths: Record<string, object>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Record<string, object> }>>
  }
}
