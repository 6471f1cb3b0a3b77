import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const COMMANDS = resolve(import.meta.dirname, '../../node_modules/.bin')
/** Each tool is started several times: its compiled code is kept, which halves the time until it begins. */
const COMPILED = resolve(COMMANDS, '../.cache/citewell-tools')

/** The tools that are tested, each a command of a package. */
type ToolName = 'conformance' | 'mcp-inspector' | 'mcp-inspector-cli' | 'mcp-remote'

export interface RunningTool extends AsyncDisposable {
  /** Everything that it has written so far, to both outputs. */
  output(): string
  /** What it wrote to standard output. */
  standardOutput(): string
  /** The first group of the pattern, as soon as its output matches; fails if it exits before. */
  says(pattern: RegExp): Promise<string>
  send(line: string): void
  /** Its exit code. */
  ended: Promise<number | null>
}

/** Starts a tool in an empty home directory; opening a browser does nothing there. */
export function startTool(name: ToolName, args: readonly string[]): RunningTool {
  const home = mkdtempSync(join(tmpdir(), 'citewell-tool-'))
  const child = spawn(process.execPath, [join(COMMANDS, name), ...args], {
    cwd: home,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      BROWSER: 'true',
      NO_COLOR: '1',
      NODE_COMPILE_CACHE: COMPILED,
    },
  })
  let all = ''
  let standard = ''
  const listeners = new Set<() => void>()
  const hear = (text: string) => {
    all += text
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    standard += text
    hear(text)
  })
  child.stderr.setEncoding('utf8').on('data', hear)
  child.stdin.on('error', () => {})
  const { promise: ended, resolve: end } = Promise.withResolvers<number | null>()
  child.once('close', end)

  const says = async (pattern: RegExp): Promise<string> => {
    const { promise, resolve: settle, reject } = Promise.withResolvers<string>()
    const look = () => {
      const found = pattern.exec(all)
      if (found !== null) settle(found[1] ?? found[0])
    }
    listeners.add(look)
    void ended.then(() => reject(new Error(`${name} ended without matching ${String(pattern)}:\n${all}`)))
    look()
    return await promise.finally(() => listeners.delete(look))
  }

  return {
    output: () => all,
    standardOutput: () => standard,
    says,
    send: (line) => child.stdin.write(`${line}\n`),
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Runs a tool until it exits. */
export async function runTool(name: ToolName, args: readonly string[]) {
  await using tool = startTool(name, args)
  const code = await tool.ended
  return { code, output: tool.output(), standardOutput: tool.standardOutput() }
}

/**
 * Runs a tool that must succeed.
 *
 * @returns its standard output
 * @throws with all of its output, if it exits with another code than 0
 */
export async function runToolWell(name: ToolName, args: readonly string[]): Promise<string> {
  const { code, output, standardOutput } = await runTool(name, args)
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${output}`)
  return standardOutput
}
