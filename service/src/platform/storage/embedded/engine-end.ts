import type { Extension } from '@electric-sql/pglite'

/** Exit status with which PGlite's main loop is left after a failed statement: the only throw after which the engine still works. */
const STATEMENT_FAILED = 100

/** Emscripten's name of the function that handles one message of the client. */
const LOOP = '_PostgresMainLoopOnce'

interface EngineModule {
  onRuntimeInitialized?: () => void
  [LOOP]: () => void
}

interface EngineOptions {
  preRun?: ((module: EngineModule) => void)[]
}

/**
 * Detects the engine's end. A PANIC or FATAL of PostgreSQL aborts the WebAssembly, which PGlite does not notice: it keeps calling the
 * main loop, which throws each time, and so never returns (measured with a full disk: a thread that is busy for ever). Here the first
 * such throw ends the engine.
 */
export function watchForEnd(end: (why: unknown) => never): Extension {
  return {
    name: 'engine-end',
    setup: (_engine, options: EngineOptions) => {
      const wrapLoop = (module: EngineModule) => {
        const runLoop = module[LOOP]
        module[LOOP] = () => {
          try {
            runLoop()
          } catch (thrown) {
            if ((thrown as { status?: unknown } | undefined)?.status !== STATEMENT_FAILED) end(thrown)
            throw thrown
          }
        }
      }
      const preRun = (module: EngineModule) => {
        const initialized = module.onRuntimeInitialized
        module.onRuntimeInitialized = () => {
          initialized?.()
          wrapLoop(module)
        }
      }
      return Promise.resolve({
        emscriptenOpts: { ...options, onAbort: end, preRun: [...(options.preRun ?? []), preRun] },
      })
    },
  }
}
