import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it, test } from 'vitest'
import { createProgram, STRICT } from '../compile.js'

const GENERATED = join(import.meta.dirname, '../../generated')

/** What a program that uses a file reads of it: types that are stated, and none that a compiler has to find. */
it.each([
  ['viem.ts', 150],
  ['eip1193.ts', 20],
  ['contracts.ts', 40],
  ['http.client.ts', 120],
  ['client.ts', 20],
  ['server.ts', 800],
  ['rpc.client.ts', 1_700],
  ['rpc.methods.ts', 180],
  ['msw.ts', 120],
])('%s declares what it exports, in at most %i lines', (name, most) => {
  const { diagnostics, outputText } = ts.transpileDeclaration(
    readFileSync(join(GENERATED, name), 'utf8'),
    {
      fileName: name,
      reportDiagnostics: true,
      compilerOptions: { declaration: true, isolatedDeclarations: true, strict: true },
    },
  )
  expect(
    diagnostics?.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([])
  expect(outputText.split('\n').length).toBeLessThanOrEqual(most)
})

/** What an editor shows of a value: the names that the documents give, and not what stands behind them. */
test('values have types by name', () => {
  const shown = typesOf(`import { createHttpClient } from './http.client.js'
import { createRpcClient } from './rpc.client.js'
import * as explanations from './explanations.js'
import * as validators from './validators.js'

const rpc = createRpcClient()
const http = createHttpClient()
export const call = rpc.ethCall
export const block = rpc.ethGetBlockByNumber('latest', true)
export const asked = rpc.request({ method: 'eth_getBlockByNumber', params: ['latest', true] })
export const look = http.getZktTransaction
export const status = http.getZktTransaction({ path: { queueId: '' } })
export const submitted = http.tryZkt({ body: { arguments: '' } })
export const checks = validators.Block
export const parts = validators.rpcValidators.ethCall
export const request = validators.httpValidators.tryZkt.request
export const explained = explanations.ethCall
`)
  expect(shown).toEqual({
    call: `(transaction: TransactionRequest, block?: BlockNumberOrTagOrHash | undefined, stateOverrides?: StateOverrides | undefined, blockOverrides?: BlockOverrides | undefined) => Promise<\`0x\${string}\`>`,
    block: 'Promise<EthGetBlockByNumberResult>',
    asked: 'Promise<EthGetBlockByNumberResult>',
    look: 'Call<GetZktTransactionOperation, { input: GetZktTransactionInput; result: TransactionStatus; error: GetZktTransactionError; poll: true; }>',
    status: 'Promise<TransactionStatus>',
    submitted: 'Promise<ZktWriteAnswer | ZktWarningAnswer>',
    checks: 'Checks<Block>',
    parts: `MethodChecks<{ params: EthCallInput; result: \`0x\${string}\`; }>`,
    request: 'Checks<ZktSubmission>',
    explained: `MethodValidators<{ params: EthCallInput; result: \`0x\${string}\`; }>`,
  })
})

/** The types of what a file beside the generated ones exports, as the compiler prints them. */
function typesOf(text: string): Readonly<Record<string, string>> {
  const path = join(GENERATED, 'shown.ts')
  const options = { ...STRICT, noErrorTruncation: true }
  const program = createProgram({ files: [path], texts: new Map([[path, text]]), options })
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile)
  return Object.fromEntries(
    (module ? checker.getExportsOfModule(module) : []).map((one) => [
      one.name,
      checker.typeToString(checker.getTypeOfSymbol(one)),
    ]),
  )
}
