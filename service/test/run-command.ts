import { runCli } from '../src/app/cli/cli.ts'

export interface CommandResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs a command of the command line with its output piped; with `isTerminal`, as in a terminal without colours. */
export async function runCommand(
  words: readonly string[],
  environment: Record<string, string>,
  given: { signal?: AbortSignal; isTerminal?: boolean; onStderr?: (text: string) => void } = {},
): Promise<CommandResult> {
  let [stdout, stderr] = ['', '']
  const isTTY = given.isTerminal === true
  const exitCode = await runCli({
    words,
    environment: { NO_COLOR: '1', ...environment },
    streams: {
      stdout: { isTTY, columns: 80, write: (text: string) => (stdout += text) },
      stderr: {
        isTTY,
        columns: 80,
        write: (text: string) => {
          stderr += text
          given.onStderr?.(stderr)
          return true
        },
      },
    },
    signal: given.signal ?? new AbortController().signal,
  })
  return { exitCode, stdout, stderr }
}
