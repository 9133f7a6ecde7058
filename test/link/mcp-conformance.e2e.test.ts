import { expect, it } from 'vitest'
import {
  clientConformanceOf,
  conformanceOf,
  generateMcp,
  programOf,
  startServer,
  whyNoMcp,
} from './mcp-programs.js'

if (whyNoMcp) console.warn(`test/link/mcp-conformance.e2e.test.ts: ${whyNoMcp}`)

/** Scenarios with failures. */
const failing = (all: Readonly<Record<string, number>>): readonly string[] =>
  Object.keys(all).filter((name) => all[name] !== 0)

const serverOf = async (revision: '2025-11-25' | '2026-07-28') => {
  const folder = await generateMcp(revision)
  return startServer([...programOf('mcp-server.ts'), folder, revision, 'http'])
}

it.skipIf(whyNoMcp)(
  'MCP 2025-11-25: a generated server passes all scenarios of conformance 0.1.16, and those of 0.2.0 for this revision',
  async () => {
    const url = await serverOf('2025-11-25')
    const released = await conformanceOf('@modelcontextprotocol/conformance', url)
    expect(Object.keys(released)).toHaveLength(30)
    expect(failing(released)).toEqual([])
    const required = ['--requirements', '2025-11-25']
    const newer = await conformanceOf('conformance-2026', url, required)
    expect(Object.keys(newer)).toHaveLength(33)
    expect(failing(newer)).toEqual([])
  },
)

/** Why a server of MCP 2026-07-28 fails scenarios. None of them is required by the revision. */
const EXPECTED_FAILURES: Readonly<Record<string, string>> = {
  'tasks-lifecycle': 'tasks are an extension whose methods are not in the schema',
  'tasks-capability-negotiation': 'tasks',
  'tasks-wire-fields': 'tasks',
  'tasks-request-state-removal': 'tasks',
  'tasks-mrtr-input': 'tasks',
  'tasks-request-headers': 'tasks',
  'tasks-dispatch-and-envelope': 'tasks',
  'tasks-required-task-error': 'tasks',
  'tasks-mrtr-composition': 'tasks',
  'http-custom-header-server-validation':
    'the schema of the arguments of a tool decides about these headers, not the schema of messages',
}

it.skipIf(whyNoMcp)(
  'MCP 2026-07-28: a generated server passes all required scenarios of conformance 0.2.0-alpha.12',
  async () => {
    const url = await serverOf('2026-07-28')
    const all = await conformanceOf('conformance-2026', url, ['--requirements', '2026-07-28'])
    expect(Object.keys(all)).toHaveLength(50)
    expect(failing(all)).toEqual(Object.keys(EXPECTED_FAILURES))
  },
)

it.skipIf(whyNoMcp)(
  'a generated client passes the scenarios of both suites that concern messages, but not authorization',
  async () => {
    const clientOf = async (revision: '2025-11-25' | '2026-07-28') => {
      const folder = await generateMcp(revision)
      return [...programOf('mcp-conformance-client.ts'), folder, revision.slice(0, 4)]
    }
    const client = await clientOf('2025-11-25')
    const released = (scenario: string) =>
      clientConformanceOf('@modelcontextprotocol/conformance', client, [scenario])
    expect(await released('initialize')).toBe('Passed: 1/1, 0 failed, 0 warnings')
    expect(await released('tools_call')).toBe('Passed: 1/1, 0 failed, 0 warnings')
    expect(await released('sse-retry')).toMatch('Passed: 3/3, 0 failed')
    const stateless = await clientOf('2026-07-28')
    const newer = (scenario: string) =>
      clientConformanceOf('conformance-2026', stateless, [scenario, '--spec-version', '2026-07-28'])
    expect(await newer('tools_call')).toBe('Passed: 2/2, 0 failed, 0 warnings')
    expect(await newer('request-metadata')).toBe('Passed: 5/5, 0 failed, 0 warnings')
    expect(await newer('http-standard-headers')).toBe('Passed: 3/3, 0 failed, 0 warnings')
  },
)
