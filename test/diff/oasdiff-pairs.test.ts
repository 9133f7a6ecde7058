import { describe, expect, it } from 'vitest'
import { diff } from '../../src/diff/diff.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { corpus, named, readCorpus } from '../conformance/corpora.js'

/** Where oasdiff decides by what is written and we by what it means, with the reason. */
const ARGUED: Readonly<Record<string, string>> = {
  'data/checker/additional_properties_traversal_revision.yaml':
    'safe to oasdiff, which does not look into additionalProperties: each value of the map always had a kind and has none now',
  'data/checker/api_security_added_revision.yaml':
    'safe to oasdiff: callers without credentials could subscribe and are refused now',
  'data/checker/request_property_added_with_default.yaml':
    'safe to oasdiff 1.15, an error since (new-required-request-property-with-default): a default does not make a required property optional',
  'data/required-properties/items3.yaml':
    'the same, of a property that was optional (request-property-became-required-with-default)',
  'data/checker/request_param_multitype_to_array_31_revision.yaml':
    'breaking to oasdiff, which compares types: one value is the same text as a list of one item',
  'data/checker/response_xml_type_compatible_revision.yaml':
    'safe to oasdiff, for which XML is text whatever its schema: a reader of the string gets elements',
  'data/checker/request_property_all_of_annotation_only_added_at_property_revision.yaml':
    'breaking to oasdiff 1.15, safe since (request-property-all-of-added-annotation-only): a title refuses nothing',
  'data/required-properties/write-only-changed-base.yaml':
    'a warning to oasdiff: answers have one property more, which readers who never got it do not look for',
}

const FOLDER = 'oasdiff'
const files = corpus(FOLDER)
const TODAY = new Date('2026-11-21T12:00:00Z')

describe(named("oasdiff's pairs", files), () => {
  it.skipIf(files.length === 0)(
    'get the same verdict in all but 3 of 100',
    async () => {
      const pairs: readonly Pair[] = JSON.parse(readCorpus(FOLDER, 'pairs.json'))
      const verdicts = await Promise.all(
        pairs.map(async (pair) => ({ ...pair, isFound: await isBreaking(pair) })),
      )
      const agrees = ({ breaking, isFound }: Verdict) => breaking === isFound
      const argued = verdicts.filter((one) => ARGUED[one.revision] !== undefined && !agrees(one))
      expect(argued.map(({ revision }) => revision).sort()).toEqual(Object.keys(ARGUED).sort())
      const rest = verdicts.filter((one) => !argued.includes(one))
      const both = rest.filter(({ breaking, isFound }) => breaking && isFound).length
      const share = (of: (one: Verdict) => boolean) => both / rest.filter(of).length
      const missed = rest.filter((one) => !agrees(one)).map(({ revision }) => revision)
      expect([share(({ isFound }) => isFound), missed]).toEqual([atLeast(0.97), missed])
      expect([share(({ breaking }) => breaking), missed]).toEqual([atLeast(0.97), missed])
    },
    120_000,
  )
})

type Pair = { readonly base: string; readonly revision: string; readonly breaking: boolean }

type Verdict = Pair & { readonly isFound: boolean }

const isBreaking = async ({ base, revision }: Pair): Promise<boolean> =>
  diff(await apiOf(base), await apiOf(revision), { today: TODAY }).some(
    ({ level }) => level !== 'note',
  )

const apiOf = (file: string) =>
  loadApi({ openapi: parseDocument(readCorpus(FOLDER, file), file), openrpc: undefined })

const atLeast = (share: number) => expect.toSatisfy((value: number) => value >= share)
