import type { JsonObject } from './api.js'

export type Reference = { readonly $ref: string; readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isReference = (value: unknown): value is Reference =>
  isObject(value) && typeof value.$ref === 'string'

export const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : []
