/**
 * What a pull request is asked: are the documents good, is what is generated of them committed, does it compile, what broke?
 * All of it is asked whatever one of them found, and the changelog becomes a comment, which is brought up to date.
 */
export const workflow = `\
name: contract
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  contract:
    runs-on: ubuntu-latest
    outputs:
      changelog: \${{ steps.changelog.outputs.changelog }}
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 }
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install
      - run: npx twinspec lint --format github
      - if: \${{ !cancelled() }}
        run: npx twinspec generate --check --format github
      - if: \${{ !cancelled() }}
        run: npx tsc --noEmit
      - if: \${{ !cancelled() && github.event_name == 'pull_request' }}
        run: npx twinspec diff --against "git:origin/$GITHUB_BASE_REF" --allow-missing-base --format github --changelog "$RUNNER_TEMP/changelog.md"
      - id: changelog
        if: \${{ !cancelled() && github.event_name == 'pull_request' }}
        run: |
          end=$(uuidgen)
          [ ! -e "$RUNNER_TEMP/changelog.md" ] ||
            { echo "changelog<<$end"; head -c 60000 "$RUNNER_TEMP/changelog.md"; echo; echo "$end"; } >> "$GITHUB_OUTPUT"

  # Apart, so that nothing of a pull request ever runs beside a token that may write. Forks have no such token.
  comment:
    needs: contract
    if: \${{ !cancelled() && needs.contract.outputs.changelog != '' && github.event.pull_request.head.repo.full_name == github.repository }}
    runs-on: ubuntu-latest
    permissions:
      pull-requests: write
    steps:
      - uses: actions/github-script@v7
        env:
          CHANGELOG: \${{ needs.contract.outputs.changelog }}
        with:
          script: |
            const mark = '<!-- contract -->'
            const body = mark + '\\n' + process.env.CHANGELOG
            const here = { owner: context.repo.owner, repo: context.repo.repo }
            const issue = { ...here, issue_number: context.issue.number }
            const comments = await github.paginate(github.rest.issues.listComments, issue)
            const standing = comments.find((one) => one.body.startsWith(mark))
            if (standing) await github.rest.issues.updateComment({ ...here, comment_id: standing.id, body })
            else await github.rest.issues.createComment({ ...issue, body })
`
