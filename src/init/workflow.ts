/** What a pull request is asked: are the documents good, is what is generated of them committed, does it compile, what broke? */
export const workflow = `\
name: contract
on:
  pull_request:
  push:
    branches: [main]
jobs:
  contract:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 }
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install
      - run: npx twinspec lint --format github
      - run: npx twinspec generate --check --format github
      - run: npx tsc --noEmit
      - if: github.event_name == 'pull_request'
        run: npx twinspec diff --against git:origin/\${{ github.base_ref }} --allow-new --format github
`
