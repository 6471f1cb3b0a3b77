import type { KyselyPlugin } from 'kysely'
import type { StandInServer } from './stand-in-server.ts'

/** A moment of a sync: its n-th request to the product, or its n-th statement. */
export interface CrashMoment {
  kind: 'request' | 'statement'
  number: number
}

/** Ends the work of a service at a chosen moment, as the end of its process would: nothing of it reaches the storage afterwards. */
export function createCrashes() {
  let statements = 0
  let isDead = false
  let deaths = 0
  let onStatement: (() => void) | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1
      onStatement?.()
      if (isDead) throw new Error('The process has ended.')
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return {
    /** Of the storage of the service. */
    plugin,
    /** Statements so far. */
    statements: () => statements,
    /** Times that a worker was ended. */
    deaths: () => deaths,
    /** The returned function starts the service again, and forgets the moment. */
    arm: (server: StandInServer, { kind, number }: CrashMoment, end: () => void): (() => void) => {
      let left = number
      const count = () => {
        left -= 1
        if (left !== 0) return
        isDead = true
        deaths += 1
        end()
      }
      if (kind === 'request') server.onRequest = count
      else onStatement = count
      return () => {
        server.onRequest = undefined
        onStatement = undefined
        isDead = false
      }
    },
  }
}

export type Crashes = ReturnType<typeof createCrashes>
