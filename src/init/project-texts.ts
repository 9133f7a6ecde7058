/** Reviewers see at once what was written by hand. */
export const ATTRIBUTES = `\
* text=auto eol=lf
generated/** linguist-generated=true
`

export const attributes = (standing: string): readonly string[] =>
  /^\/?generated\/\S*\s.*linguist-generated/m.test(standing)
    ? []
    : ['generated/** linguist-generated=true']

export const IGNORE = `\
node_modules/
`

export const ignore = (standing: string): readonly string[] =>
  /^\/?node_modules\/?\s*$/m.test(standing) ? [] : ['node_modules/']

/** As strict as the compiler can be; what is generated compiles under all of it. */
export const tsconfigJson = `\
{
  "compilerOptions": {
    "target": "ES2023",
    "module": "NodeNext",
    "types": ["node"],
    "noEmit": true,
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noUncheckedIndexedAccess": true,
    "noPropertyAccessFromIndexSignature": true,
    "noImplicitOverride": true,
    "noImplicitReturns": true,
    "noFallthroughCasesInSwitch": true,
    "verbatimModuleSyntax": true,
    "resolveJsonModule": true,
    "skipLibCheck": true
  },
  "include": ["src", "generated"]
}
`

/** What generated code needs of a configuration. */
export const tsconfig = (standing: string): readonly string[] =>
  /"resolveJsonModule"\s*:\s*true/.test(standing) ||
  /"module(Resolution)?"\s*:\s*"(bundler|preserve)"/i.test(standing)
    ? []
    : ['"resolveJsonModule": true, and "generated" in "include"']
