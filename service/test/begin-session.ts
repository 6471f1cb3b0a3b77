import type { TestService } from './start-service.ts'

/** Signs a person in. Returns the value of the cookie `citewell_session`. */
export const beginSession = async ({ service }: TestService, userId: string): Promise<string> =>
  await service.rooms.sessions.begin(userId)
