import type { TestService } from '../start-service.ts'
import type { CrashProxy } from './crash-moments.ts'

/** A platform on which a process can end at any moment. */
export interface CrashingPlatform extends AsyncDisposable {
  proxy: Pick<CrashProxy, 'use'>
  noun: 'bots' | 'helpdesk-integrations' | 'agent-apps'
  fields: object
  /** Ends as soon as the service can hear of it. */
  isReady?(): Promise<unknown>
  /** Somebody asks. */
  ask(): Promise<void>
  /** The platform tells of it. */
  tell(citewell: TestService, id: string): Promise<void>
  /** Whether it tells again what was not acknowledged. */
  tellsAgain: boolean
  /** What was asked last has these answers. */
  answers(): number
}

/** Delivers to the hook of an integration. */
export const hook = async (
  citewell: TestService,
  id: string,
  body: string,
  headers: Record<string, string>,
): Promise<void> => {
  const given = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
  await citewell.fetch(`/api/v1/hooks/${id}`, given)
}

/** What a platform consists of here. */
export const endOf =
  (...parts: readonly AsyncDisposable[]) =>
  async (): Promise<void> => {
    for (const part of parts) await part[Symbol.asyncDispose]()
  }
