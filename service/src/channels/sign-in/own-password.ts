import type { Passwords } from '../../accounts/passwords/passwords.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export interface OwnPasswordDeps {
  passwords: Pick<Passwords, 'isOwn'>
  throttle: SignInThrottle
}

export interface OwnPasswordTry {
  userId: string
  email: string
  password: string
  /** Client address; empty if it is unknown. */
  from: string
  /** The session in which it is typed; undefined for an access token. */
  sessionId: string | undefined
  signal: AbortSignal
}

/**
 * Whether this is the password of somebody who is signed in already; attempts are counted as those of signing in. It is also right to send
 * none for an account without one.
 */
export const createOwnPasswordCheck =
  ({ passwords, throttle }: OwnPasswordDeps) =>
  async ({ userId, email, password, from, sessionId, signal }: OwnPasswordTry): Promise<boolean> =>
    (await throttle.attempt({
      email,
      from,
      // Counted per session: attempts from other browsers must not keep a member from what they do in theirs.
      device: sessionId === undefined ? undefined : `session ${sessionId}`,
      signal,
      try: async () =>
        (await passwords.isOwn(userId, password, { goesFirst: sessionId !== undefined })) ? true : undefined,
    })) === true

export type OwnPasswordCheck = ReturnType<typeof createOwnPasswordCheck>
