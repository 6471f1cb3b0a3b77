import { join } from 'node:path'
import { startChild, type Child } from './child.ts'

const start = (file: string): Child => startChild(join(import.meta.dirname, file))

/** Answers with the same number of bytes as the service, without any search. */
export const startBareServer = (): Child => start('bare-server-process.ts')

export interface FakeModel extends Child {
  /** For the setting of the same name. */
  baseUrl: string
}

export async function startFakeModel(): Promise<FakeModel> {
  const child = start('fake-model-process.ts')
  return Object.assign(child, { baseUrl: await child.ask<string>('listen') })
}

export const startLoad = (): Child => start('../load/load-process.ts')
