import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { httpService, rpcService } from '../../generated/operations.js'
import { MOST_WAITING } from '../../src/service/compiler/compiler.js'
import { CONNECTION_LIMITS } from '../../src/service/gateway/host.js'
import { createMetrics } from '../../src/service/gateway/metrics.js'
import { WITH_KEY, WITHOUT_KEY } from '../../src/service/methods/bounded-trace.js'
import { MOST_RESPONSE_BYTES } from '../../src/service/node/kept-fetch.js'
import { type SettingRow, settingRows } from '../../src/service/setting-rows.js'
import { settingFlags, settingVariables, variableNames } from '../../src/service/settings.js'

const DOCS = join(import.meta.dirname, '../../docs')
const guide = readFileSync(join(DOCS, 'operating.md'), 'utf8')

/** The rows of the table whose first column has this title; code marks are removed. */
const tableOf = (title: string): readonly (readonly string[])[] => {
  const lines = guide.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`| ${title} |`)) + 2
  const rows = lines.slice(
    from,
    from + lines.slice(from).findIndex((line) => !line.startsWith('|')),
  )
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
  )
}

const metricsOfCode = async () => {
  const metrics = createMetrics()
  metrics.watchParts(async () => [['store', true]])
  metrics.watchChain(() => 1)
  metrics.watchOutbox(async () => ({
    ...{ pending: 0, processing: 0, completed: 0, error: 0 },
    oldestSeconds: 0,
  }))
  const found = await metrics.registry.getMetricsAsJSON()
  return found.map(({ name, type, help }) => {
    const { labelNames = [] } = metrics.registry.getSingleMetric(name) as {
      readonly labelNames?: readonly string[]
    }
    return { name, type: String(type), help, labels: labelNames }
  })
}

describe('docs/operating.md', () => {
  it('lists exactly the flags and variables of the service, with defaults and meanings', () => {
    const names = variableNames()
    const rows = Object.values<SettingRow>(settingRows).map((row, index) => [
      ...[row.variable === undefined ? `--${Object.keys(settingFlags())[index]}` : ''],
      names[index],
      String(row.default ?? ''),
      row.says,
    ])
    expect(tableOf('flag')).toEqual(rows)
    expect(settingVariables().map(([name]) => name)).toEqual(['DATABASE_URL', 'TWINSPEC_MNEMONIC'])
  })

  it('lists exactly the metrics of the service', async () => {
    const own = (await metricsOfCode()).filter(({ name }) => name.startsWith('twinspec_'))
    const rows = tableOf('metric').map(([name, type, labels, help]) => [
      ...[name, type, labels?.replaceAll('`', ''), help],
    ])
    expect(rows).toEqual(
      own.map(({ name, type, labels, help }) => [name, type, labels.join(', '), help]),
    )
  })

  it('lists exactly the endpoints of the service', () => {
    const operations = Object.values(httpService.operations)
    const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    const operator = ['GET /health', 'GET /ready', 'GET /metrics', 'GET /docs/']
    const all = [`POST ${rpcService.path}`, ...documented, ...operator]
    expect(
      tableOf('path')
        .map(([path]) => path)
        .sort(),
    ).toEqual(all.sort())
  })

  it('lists exactly the fixed limits of the service', () => {
    const { requestsPerMinute, batchSize, payloadBytes } = rpcService.limits
    expect(settingRows.rpcLimit.default).toBe(requestsPerMinute)
    const { most, headersMilliseconds, requestMilliseconds, keepAliveMilliseconds } =
      CONNECTION_LIMITS
    const number = (value: number) => value.toLocaleString('en')
    const seconds = (milliseconds: number) => `${milliseconds / 1_000} seconds`
    const rows = tableOf('fixed limit').map(([what, value]) => [what, value])
    expect(Object.fromEntries(rows)).toEqual({
      'body of a request': `${number(payloadBytes)} bytes`,
      'members of a batch': number(batchSize),
      'open connections of the process': number(most),
      'head of a request': seconds(headersMilliseconds),
      'whole request': seconds(requestMilliseconds),
      'idle connection': seconds(keepAliveMilliseconds),
      'Solidity sources that wait for a compiler': number(MOST_WAITING),
      // A default of createOutbox, which has no name.
      'submissions that wait for the store': '2,048',
      'response of the node': `${MOST_RESPONSE_BYTES / 1e6} MB`,
      'trace with a key': `${number(WITH_KEY.mostEvents)} steps or ${seconds(WITH_KEY.milliseconds)}`,
      'trace without a key': `${number(WITHOUT_KEY.mostEvents)} steps or ${WITHOUT_KEY.milliseconds} ms, then a pause of twice the time`,
    })
  })
})

describe('docs/operating/alerts.yaml', () => {
  const { groups } = parse(readFileSync(join(DOCS, 'operating/alerts.yaml'), 'utf8')) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string }[]
    }[]
  }
  const rules = groups.flatMap((group) => group.rules)

  it('has exactly the alerts that the guide explains', () => {
    expect(tableOf('alert').map(([name]) => name)).toEqual(rules.map(({ alert }) => alert))
  })

  it.each(rules)('$alert reads metrics and labels that the service has', async ({ expr }) => {
    const known = await metricsOfCode()
    const names = expr.match(/\b(twinspec|process|nodejs)_\w+/g) ?? []
    if (!/^up\{/.test(expr)) expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const metric = known.find((one) => one.name === name.replace(/_bucket$/, ''))
      expect(metric?.name, name).toBeDefined()
    }
    const labels = new Set(['job', 'instance', 'le', ...known.flatMap((one) => one.labels)])
    const used = [...expr.matchAll(/(\w+)=~?"/g), ...expr.matchAll(/by \(([^)]*)\)/g)]
    const named = used.flatMap(([, found = '']) => found.split(', '))
    expect(named.filter((one) => !labels.has(one))).toEqual([])
  })
})
