/** What complains of a server at a URL: names of complaints, the same in each run. */
export type Side = {
  readonly name: string
  readonly complaints: (url: string) => Promise<ReadonlySet<string>>
  readonly stop: () => Promise<void>
}
