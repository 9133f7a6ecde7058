// A process of plain JavaScript, without anything that rewrites it on the way: `build.ts` bundles it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as ours from '#documents'
import * as ourRequests from '#requests'
import { median } from '../rounds.ts'
import { handWritten } from './hand-written.ts'
import { libraries } from './libraries.mjs'
import { mutantsOf, shortened } from './mutants.ts'
import { shapeOf } from './shape.ts'

const require = createRequire(import.meta.url)
const ajv = require('./ajv-first.cjs')
const ajvAll = require('./ajv-all.cjs')

const { task, index, rounds, file } = JSON.parse(process.argv[2])
const { definitions, list } = JSON.parse(readFileSync(file, 'utf8'))

/** Milliseconds of each work, medians of interleaved samples. Throws where one of them says no. */
function race(works) {
  const lanes = Object.entries(works).map(([side, work]) => {
    report({ report: `warming up ${side}` })
    return { side, work, times: timesIn(work, SAMPLE), samples: [] }
  })
  for (let sample = 0; sample < rounds * SAMPLES; sample++) {
    report({ report: `round ${Math.floor(sample / SAMPLES) + 1} of ${rounds}` })
    for (const lane of lanes) lane.samples.push(timed(lane.work, lane.times))
  }
  return Object.fromEntries(lanes.map(({ side, samples }) => [side, median(samples)]))
}

/** How often a work is done in so many milliseconds, once it is warm. */
function timesIn(work, milliseconds) {
  let times = 1
  for (const begun = performance.now(); performance.now() - begun < WARM; ) {
    if (timed(work, times) * times < milliseconds) times *= 2
  }
  return times
}

/** In milliseconds. */
const SAMPLE = 3
const WARM = 300

/** Of each round. */
const SAMPLES = 8

/** Milliseconds of the processors for each time: where others work on the machine, the clock would count their turns. */
function timed(work, times) {
  let held = 0
  const begun = process.cpuUsage()
  for (let index = 0; index < times; index++) if (work()) held++
  const { user, system } = process.cpuUsage(begun)
  if (held !== times) throw new Error('a side changed its mind')
  return (user + system) / 1000 / times
}

/** Nobody is timed who checks less than the others, or more. */
function refuseLoose(side, byHand, check, value, mutants) {
  if (check(value) !== true) throw new Error(`${side} refuses the valid value`)
  for (const mutant of mutants) {
    const isValid = byHand(mutant)
    if (check(mutant) === isValid) continue
    const shown = JSON.stringify(mutant).slice(0, 300)
    throw new Error(`${side} ${isValid ? 'refuses' : 'accepts'} what it should not: ${shown}`)
  }
}

/** One fault in the middle: an address with a bad digit, or the hash of a transaction. */
function spoilt(value) {
  const copy = structuredClone(value)
  if (Array.isArray(copy)) copy[20].params = ['0xnothing']
  else if (copy.transactions) copy.transactions[100].hash += 'g'
  else if (copy.params) copy.params[0] += 'g'
  else copy.to += 'g'
  return copy
}

function report(message) {
  process.send(message)
}

function checksOf(schema, own) {
  const shape = shapeOf(definitions[schema], definitions)
  return {
    ours: own.check,
    'hand-written': handWritten[schema],
    'ajv standalone': ajv[schema],
    ...Object.fromEntries(
      Object.entries(libraries).map(([library, make]) => [library, make(shape)]),
    ),
  }
}

function main({ schema, text }) {
  const value = JSON.parse(text)
  const own = { ...ourRequests, ...ours }[schema]
  const bad = spoilt(value)
  if (task === 'refuse') {
    const mutants = [...mutantsOf(shortened(value)), bad]
    for (const [side, check] of Object.entries(checksOf(schema, own))) {
      refuseLoose(side, handWritten[schema], check, value, mutants)
    }
    return report({ mutants: mutants.length })
  }
  if (task === 'explain') {
    const sides = race({
      ours: () => own.explain(bad).length > 0,
      'ajv standalone, allErrors': () => !ajvAll[schema](bad) && ajvAll[schema].errors.length > 0,
    })
    return report({ sides })
  }
  const works = Object.entries(checksOf(schema, own)).map(([side, check]) => [
    side,
    () => check(value),
  ])
  const parse = () => JSON.parse(text) !== undefined
  return report({ sides: race({ ...Object.fromEntries(works), 'JSON.parse': parse }) })
}

main(list[index])
process.disconnect()
