import { resolve } from 'node:path'
import { Check } from 'typebox/schema'
import type { Flags } from './command-line.js'
import { type SettingRow, type Settings, settingRows } from './setting-rows.js'
import { UsageError } from './usage-error.js'

/**
 * Reads the settings from flags and environment; a flag takes precedence. Throws one UsageError with a sentence for each
 * invalid setting. An empty variable counts as absent.
 */
export const readSettings = (flags: SettingInputs, environment: SettingInputs = {}): Settings => {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, row] of Object.entries<SettingRow>(settingRows)) {
    const written = writtenFor(name, row, flags, environment)
    const value = written === undefined ? row.default : meaningOf(row, written.text)
    values[name] = value
    if (written === undefined || fits(row, value)) continue
    const shown = row.secret || written.text === '' ? '' : `, not ${written.text}`
    faults.push(`${written.by} must be ${row.schema.description}${shown}`)
  }
  const { databaseUrl, mnemonic } = values
  if (databaseUrl !== undefined && mnemonic === undefined) {
    faults.push(
      'DATABASE_URL needs TWINSPEC_MNEMONIC beside it, which the wallets are derived from: `npm run keys -- mnemonic` prints a new one',
    )
  }
  if (databaseUrl !== undefined && values.upstream === undefined && values.data === undefined) {
    faults.push(
      'DATABASE_URL needs --upstream with the node whose chain it is for, or --data with a folder to keep a chain of our own in: a chain in memory is gone at the next start, and the database would belong to it',
    )
  }
  if (faults.length > 0) throw new UsageError(faults)
  return values as Settings
}

/** Values by flag or by variable; other entries are ignored. */
export type SettingInputs = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>

/** The flags. Defaults are only in the help text, because the environment applies if a flag is missing. */
export const settingFlags = (): Flags =>
  Object.fromEntries(
    Object.entries<SettingRow>(settingRows).flatMap(([name, row]) => {
      if (row.variable !== undefined) return []
      const says = `${row.says} (${variableOf(name, row)}${defaultOf(row)})`
      return [[flagOf(name), { says, hint: row.hint }]]
    }),
  )

/** Settings without a flag: variable and meaning. */
export const settingVariables = (): readonly (readonly [string, string])[] =>
  Object.values<SettingRow>(settingRows).flatMap(({ variable, says }) =>
    variable === undefined ? [] : [[variable, says] as const],
  )

/** Every variable that is read. */
export const variableNames = (): readonly string[] =>
  Object.entries<SettingRow>(settingRows).map(([name, row]) => variableOf(name, row))

/** `chain-id` for `chainId`. */
const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const variableOf = (name: string, { variable }: SettingRow): string =>
  variable ?? `TWINSPEC_${flagOf(name).toUpperCase().replaceAll('-', '_')}`

const writtenFor = (
  name: string,
  row: SettingRow,
  flags: SettingInputs,
  environment: SettingInputs,
) => {
  const flag = row.variable === undefined ? flags[flagOf(name)] : undefined
  if (flag !== undefined) return { by: `--${flagOf(name)}`, text: String(flag) }
  const variable = variableOf(name, row)
  const text = environment[variable]
  return text === undefined || text === '' ? undefined : { by: variable, text: String(text) }
}

/** The value of the text in a type that the schema allows; otherwise the text itself, which the schema then rejects. */
const meaningOf = ({ schema, isPath }: SettingRow, text: string): unknown => {
  if (isPath === true && text !== '') return resolve(text)
  const meanings = 'anyOf' in schema ? (schema.anyOf as readonly object[]) : [schema]
  const kinds = meanings.map((one) => ('type' in one ? one.type : undefined))
  if (kinds.includes('integer') && /^-?\d+$/.test(text)) return Number(text)
  if (kinds.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (kinds.includes('array')) return text.split(',').map((one) => one.trim())
  return text
}

/** A pattern cannot validate a URL completely. */
const fits = ({ schema }: SettingRow, value: unknown): boolean =>
  Check(schema, value) && (schema.format !== 'url' || URL.canParse(String(value)))

const defaultOf = ({ default: value, hint }: SettingRow): string => {
  if (value === undefined || hint === undefined) return ''
  const text = String(value)
  return text === '' ? '' : `; ${text}`
}
