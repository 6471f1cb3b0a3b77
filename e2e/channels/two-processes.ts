import { openPostgresStorage } from '../../service/src/platform/storage/storage.ts'
import { databaseUrlOf, onServer } from '../../service/test/test-server.ts'
import { newDataDirectory, startCitewell, type RunningCitewell } from '../run-citewell.ts'

export interface TwoProcesses extends AsyncDisposable {
  citewells: readonly [RunningCitewell, RunningCitewell]
  rows(statement: string): Promise<Record<string, unknown>[]>
}

/** The names by which a language model knows who asks. */
export const MODELS = ['one', 'other'] as const

/** Two real processes on a new database of a PostgreSQL server. */
export async function startTwoProcesses(
  serverUrl: string,
  settings: Record<string, string>,
): Promise<TwoProcesses> {
  const database = `citewell_channels_${process.pid}`
  await onServer(serverUrl, `drop database if exists ${database} with (force)`)
  await onServer(serverUrl, `create database ${database}`)
  const url = databaseUrlOf(serverUrl, database)
  const storage = await openPostgresStorage(url)
  const start = (model: string) =>
    startCitewell({
      ...settings,
      CITEWELL_LLM_MODEL: model,
      CITEWELL_DATA_DIR: newDataDirectory(),
      CITEWELL_RATE_LIMITS: 'off',
      DATABASE_URL: url,
    })
  const citewells = [await start(MODELS[0]), await start(MODELS[1])] as const
  const killAll = () => {
    for (const { process: child } of citewells) child.kill('SIGKILL')
  }
  // On any end of this script, the processes must not stay behind.
  process.once('exit', killAll)
  return {
    citewells,
    rows: async (statement) => (await storage.execute(statement)).rows,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(citewells.map((citewell) => citewell.stop()))
      process.off('exit', killAll)
      await storage.close()
      await onServer(serverUrl, `drop database if exists ${database} with (force)`)
    },
  }
}
