import { join } from 'node:path'
import { startChild, type Child } from './child.ts'

const start = (file: string): Child => startChild(join(import.meta.dirname, file))

/** Answers as many bytes as the service does, and looks nothing up. */
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
