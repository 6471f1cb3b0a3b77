import { runCli } from './cli/cli.ts'

/** Answers get 30 s, everything else 10: see `start-service.ts`. What goes on after that would go on for ever. */
const MOST_SECONDS_TO_STOP = 50

// The first Ctrl+C asks whatever runs to end well; the second ends it at once.
const interrupt = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (interrupt.signal.aborted) process.exit(130)
    interrupt.abort(new Error('Interrupted.'))
    setTimeout(() => process.exit(1), MOST_SECONDS_TO_STOP * 1_000).unref()
  })
}
// A reader of our output that goes away (`| head`) is no fault.
process.stdout.on('error', () => process.exit(0))

const exitCode = await runCli({
  words: process.argv.slice(2),
  environment: process.env,
  streams: { stdout: process.stdout, stderr: process.stderr, stdin: process.stdin },
  signal: interrupt.signal,
  program: process.argv[1],
})
// Idle connections and timers of libraries must not keep a finished command alive; what was written must get out.
process.stdout.write('', () => process.exit(exitCode))
