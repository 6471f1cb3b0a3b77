import { parseArgs } from 'node:util'

export const USAGE = `npm run bench -- [name …] [options]

Measures the service in its own process over HTTP, compared with a bare Node server.

  --quick   fewer requests and runs: checks that it works, not for publishing
  --save    also write bench/results/NAME.json
  --help    this text

Stores of 10,000 and 100,000 chunks are created once and kept in CITEWELL_BENCH_DIR (default: a cache folder).
CITEWELL_BENCH_KEEP=true reuses a store even if the code that made it has changed since.`

export interface BenchArguments {
  names: string[]
  quick: boolean
  saves: boolean
  wantsHelp: boolean
}

/** @throws Error with a message for the user. */
export function readArguments(words: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, save: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no bench "${unknown}": ${known.join(', ')}.`)
  return {
    names: positionals.length === 0 ? [...known] : positionals,
    quick: values.quick ?? false,
    saves: values.save ?? false,
    wantsHelp: values.help ?? false,
  }
}
