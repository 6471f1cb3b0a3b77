import { parseArgs } from 'node:util'

export const USAGE = `npm run eval -- [options]

Loads sets of real pages into a real service, asks real questions over its public API, and writes
evals/reports/latest.json and latest.html. Exits with 6 if a figure is below evals/floor.json.

  --set A,B       only these sets (default: all)
  --limit N       N questions of each, spread evenly; not compared with the floor
  --fresh         start with an empty database; vectors are kept
  --write-floor   set the floor to the measured figures, less a tolerance
  --save          also write a summary to evals/results/, to be committed
  --data FOLDER   the evaluation data (../shared/eval; also: CITEWELL_EVAL_DIR)
  --kept FOLDER   where databases and vectors are kept between runs (evals/data)
  --help          this text`

export interface EvalArguments {
  /** Undefined: all. */
  sets: string[] | undefined
  limit: number | undefined
  isFresh: boolean
  writesFloor: boolean
  saves: boolean
  data: string | undefined
  kept: string | undefined
  wantsHelp: boolean
}

/** @throws Error with a message for the user, for an unknown or invalid option. */
export function readArguments(words: readonly string[], known: readonly string[]): EvalArguments {
  const { values } = parseArgs({
    args: [...words],
    options: {
      set: { type: 'string' },
      limit: { type: 'string' },
      fresh: { type: 'boolean' },
      'write-floor': { type: 'boolean' },
      save: { type: 'boolean' },
      data: { type: 'string' },
      kept: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const sets = values.set?.split(',').map((name) => name.trim())
  const unknown = sets?.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no set "${unknown}": ${known.join(', ')}.`)
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new Error('--limit must be a number of questions.')
  if (limit !== undefined && (values['write-floor'] ?? false))
    throw new Error('A floor needs all questions: omit --limit.')
  return {
    sets,
    limit,
    isFresh: values.fresh ?? false,
    writesFloor: values['write-floor'] ?? false,
    saves: values.save ?? false,
    data: values.data,
    kept: values.kept,
    wantsHelp: values.help ?? false,
  }
}
