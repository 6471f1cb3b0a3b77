import { execFile } from 'node:child_process'
import { SourceFailure } from '../connector.ts'

export interface GitRun {
  signal: AbortSignal
  /** Settings for this command, as `-c name=value`. */
  settings?: Record<string, string>
  /** Like `settings`, for what other users of this machine must not see in a list of processes. */
  secretSettings?: Record<string, string>
  environment?: Record<string, string>
  timeoutMs?: number
}

/** Settings that keep git from running or asking for anything, whatever a repository says. */
const HARDENED: Record<string, string> = {
  'core.hooksPath': '/dev/null',
  'core.symlinks': 'false',
  'core.fsmonitor': 'false',
  'core.sshCommand': 'ssh -oBatchMode=yes -oStrictHostKeyChecking=accept-new -oConnectTimeout=15',
  'credential.helper': '',
  'protocol.allow': 'never',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'http.followRedirects': 'false',
  'http.proxy': '',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '30',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'safe.directory': '*',
}

const MAX_OUTPUT_BYTES = 268_435_456
const TIMEOUT_MS = 10 * 60 * 1_000

/** The whole environment of git: nothing of the service's own (secrets, proxies, a user's settings) goes there. */
export const gitEnvironment = (): Record<string, string> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  LC_ALL: 'C.UTF-8',
  HOME: '/nonexistent',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_OPTIONAL_LOCKS: '0',
})

export const gitArguments = (settings: Record<string, string> = {}) =>
  Object.entries({ ...HARDENED, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

function secretEnvironment(settings: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(settings).flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(Object.keys(settings).length), ...Object.fromEntries(pairs) }
}

/** What git said when a command did not work. */
export class GitError extends Error {
  readonly isMissing: boolean
  constructor(said: string, given: { isMissing: boolean; cause: unknown }) {
    super(said, { cause: given.cause })
    this.name = 'GitError'
    this.isMissing = given.isMissing
  }
}

/** Runs one git command and returns what it wrote. Throws a `GitError`, or a `SourceFailure` where there is no git. */
export async function runGit(folder: string, command: readonly string[], run: GitRun): Promise<string> {
  const environment = {
    ...gitEnvironment(),
    ...secretEnvironment(run.secretSettings ?? {}),
    ...run.environment,
  }
  return await new Promise((resolve, reject) => {
    execFile(
      'git',
      [...gitArguments(run.settings), ...command],
      {
        cwd: folder,
        env: environment,
        signal: run.signal,
        timeout: run.timeoutMs ?? TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT_BYTES,
        encoding: 'utf8',
      },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        if (run.signal.aborted) return reject(run.signal.reason as Error)
        if (error.code === 'ENOENT') {
          return reject(
            new SourceFailure('git is not installed on the machine of this service.', { cause: error }),
          )
        }
        const said = error.killed === true ? 'it took too long' : stderr.trim()
        return reject(
          new GitError(said, {
            isMissing: /couldn't find remote ref|not our ref/.test(stderr),
            cause: error,
          }),
        )
      },
    )
  })
}
