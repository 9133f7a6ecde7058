import { dirname } from 'node:path'
import ts from 'typescript'

/**
 * What the compiler says by a `tsconfig.json`, of all that is declared in packages too; but for what TypeBox declares within
 * itself, which is three quarters of the time and nothing of ours.
 */
export const faultsBy = (file: string): readonly string[] => {
  const { config } = ts.readConfigFile(file, ts.sys.readFile)
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    dirname(file),
  )
  const program = ts.createProgram(fileNames, options)
  const faults = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program
      .getSourceFiles()
      .filter(({ fileName }) => !fileName.includes('/node_modules/typebox/'))
      .flatMap((source) => program.getSemanticDiagnostics(source)),
    ...program.getGlobalDiagnostics(),
  ]
  return faults.map(
    ({ file: source, messageText }) =>
      `${source?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}
