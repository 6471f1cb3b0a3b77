import { createSessions } from '../src/accounts/sessions/sessions.ts'
import { newId } from '../src/kernel/ids.ts'
import type { TestService } from './start-service.ts'

/** Signs a person in. Returns the value of the cookie `citewell_session`. */
export async function beginSession({ storage }: TestService, userId: string): Promise<string> {
  const { begin } = createSessions({
    db: storage.db,
    newId,
    now: () => new Date(),
    onUseNotRecorded: () => {},
  })
  return await begin(userId)
}
