// A process for one type-check of one file and of all that it reaches, as `tsc` does it. The compiler is loaded before the clock runs.
import ts from 'typescript'

const { folder, file, compilerOptions } = JSON.parse(process.argv[2])
const { options, errors } = ts.convertCompilerOptionsFromJson(compilerOptions, folder)
const compilerHost = ts.createCompilerHost(options)
// As `tsc` has it: comments are for editors.
compilerHost.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors
if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, host()))

const begun = process.cpuUsage()
const start = performance.now()
const program = ts.createProgram([file], options, compilerHost)
const diagnostics = ts.getPreEmitDiagnostics(program)
const elapsed = performance.now() - start
const { user, system } = process.cpuUsage(begun)
if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, host()))
process.send({ milliseconds: (user + system) / 1000, elapsed })

function host() {
  return {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  }
}
