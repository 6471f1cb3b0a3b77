import { spawn, type ChildProcess } from 'node:child_process'
import { SourceFailure } from '../connector.ts'
import { limitedGit, MAX_OUTPUT_BYTES } from './git-limits.ts'

export interface GitRun {
  signal: AbortSignal
  /** The only protocol that this command may use. Undefined: none. */
  protocol?: 'http' | 'https' | 'git' | 'ssh' | 'file'
  /** Settings for this command, as `-c name=value`. */
  settings?: Record<string, string>
  /** Like `settings`, for values that other users of this machine must not see in the list of processes. */
  secretSettings?: Record<string, string>
  environment?: Record<string, string>
  timeoutMs?: number
}

/**
 * Settings that keep git from running other programs or prompting. Git only works in folders that this service created, so there is no
 * other configuration: these settings are defence in depth.
 */
const HARDENED: Record<string, string> = {
  'core.hooksPath': '/dev/null',
  'core.symlinks': 'false',
  'core.fsmonitor': 'false',
  'core.sshCommand': 'false',
  'core.askPass': 'true',
  'core.pager': 'cat',
  'core.attributesFile': '/dev/null',
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '256m',
  'core.bigFileThreshold': '16m',
  'credential.helper': '',
  'log.showSignature': 'false',
  'gpg.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
  'protocol.allow': 'never',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  // Always one pack, whose size can be watched and limited.
  'fetch.unpackLimit': '1',
  'http.followRedirects': 'false',
  'http.proxy': '',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '30',
  'pack.threads': '1',
  'gc.auto': '0',
  'maintenance.auto': 'false',
}

const TIMEOUT_MS = 10 * 60 * 1_000
const MAX_STDERR_CHARACTERS = 8_192

/** The whole environment of git: nothing of the service's environment (secrets, proxies, a user's settings and keys) is passed on. */
function gitEnvironment(folder: string, run: GitRun): Record<string, string> {
  const secrets = Object.entries(run.secretSettings ?? {})
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
    LC_ALL: 'C.UTF-8',
    HOME: '/nonexistent',
    XDG_CONFIG_HOME: '/nonexistent',
    GIT_DIR: folder,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // Overrides every `protocol.….allow` of any configuration.
    GIT_ALLOW_PROTOCOL: run.protocol ?? 'none',
    GIT_CONFIG_COUNT: String(secrets.length),
    ...Object.fromEntries(
      secrets.flatMap(([name, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, name],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    ...run.environment,
  }
}

/** The error output of a failed command. */
export class GitError extends Error {
  readonly isMissing: boolean
  constructor(stderr: string) {
    super(stderr)
    this.name = 'GitError'
    this.isMissing = /couldn't find remote ref|not our ref/.test(stderr)
  }
}

/** Ends git and all processes that it started: helpers, ssh, index-pack. */
export function endGit(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

/** Starts a git command on a repository owned by this service. */
export function startGit(folder: string, command: readonly string[], run: GitRun): ChildProcess {
  const settings = Object.entries({ ...HARDENED, ...run.settings })
  const [program, given] = limitedGit([
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...command,
  ])
  const child = spawn(program, given, {
    cwd: folder,
    env: gitEnvironment(folder, run),
    stdio: 'pipe',
    detached: process.platform !== 'win32',
  })
  // If git exits early, the next read or write reports it.
  child.stdin?.on('error', () => {})
  return child
}

/**
 * Runs one git command and passes on its output in pieces; `onPiece` may return true for "enough". Throws a `GitError`, or a
 * `SourceFailure` if git is not installed.
 */
export async function streamGit(
  folder: string,
  command: readonly string[],
  run: GitRun,
  onPiece: (piece: Buffer) => boolean | void,
): Promise<void> {
  run.signal.throwIfAborted()
  const child = startGit(folder, command, run)
  await new Promise<void>((resolve, reject) => {
    let stderr = ''
    let fault: { error: unknown } | undefined
    let hasEnough = false
    const end = (error: unknown) => {
      fault ??= { error }
      endGit(child)
    }
    const abort = () => end(run.signal.reason)
    const timer = setTimeout(() => end(new GitError('it took too long')), run.timeoutMs ?? TIMEOUT_MS)
    run.signal.addEventListener('abort', abort, { once: true })
    child.stdin?.end()
    child.stderr?.on('data', (piece: Buffer) => {
      if (stderr.length < MAX_STDERR_CHARACTERS) stderr += piece.toString('utf8')
    })
    child.stdout?.on('data', (piece: Buffer) => {
      if (hasEnough || fault !== undefined) return
      try {
        hasEnough = onPiece(piece) === true
        if (hasEnough) endGit(child)
      } catch (error) {
        end(error)
      }
    })
    child.on('error', end)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      run.signal.removeEventListener('abort', abort)
      if (fault !== undefined) return reject(fault.error)
      if (hasEnough || code === 0) return resolve()
      if (code === 127)
        return reject(new SourceFailure('git is not installed on the machine that runs this service.'))
      return reject(
        new GitError(stderr.trim() === '' ? `git ended early (${signal ?? code})` : stderr.trim()),
      )
    })
  })
}

/** Runs one git command and returns its output. */
export async function runGit(folder: string, command: readonly string[], run: GitRun): Promise<string> {
  const pieces: Buffer[] = []
  let total = 0
  await streamGit(folder, command, run, (piece) => {
    total += piece.length
    if (total > MAX_OUTPUT_BYTES) throw new GitError('its output is too long')
    pieces.push(piece)
  })
  return Buffer.concat(pieces).toString('utf8')
}
