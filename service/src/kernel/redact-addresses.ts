/** `user:password@` of an address, wherever it stands in a text. What repeats cannot hold what begins it: read in one go. */
const USER_INFO = /(:\/\/)[^\s/?#"'`<>\\]*@/g

/** The same of an address within another, escaped: `user%3Apassword%40`. */
const ESCAPED_USER_INFO = /(%3A%2F%2F)[^\s%/?#"'`<>\\@]*(?:%3A[^\s%/?#"'`<>\\@]*)?(?:%40|@)/gi

/** `?name=value` of an address. The bound keeps a search for the equals sign short. */
const PARAMETER = /([?&#;])([\w.~%[\]-]{1,64})=([^\s&#;"'`<>\\)]*)/g

/** Parts of the names that secrets have: `access_token`, `X-Amz-Signature`, `apikey`. */
const SECRET_NAME = /token|key|secret|sig|passw|pwd|auth|cred|session|jwt/i

/** A value as long as this is no page number and no word: it is taken for a secret, whatever its name. */
const RANDOM_CHARACTERS = 32

/** Whether a parameter of an address is there to let somebody in. */
export const isSecretParameter = (name: string): boolean =>
  /^(?:.*[._-])?(?:(?:access|auth|api|private|deploy|job|id|bearer)?[_-]?(?:token|key)|secret|sig|signature|passw(?:or)?d|pwd|auth|authorization|credential|jwt)$/i.test(
    name,
  )

/**
 * A text for people and logs, without what addresses in it may hold of credentials: names and passwords, and parameters whose names or
 * values look like secrets. Every error of a source goes through it.
 *
 * @example
 * redactAddresses('https://me:pw@git.example.com/x?token=abc was not found')
 * // 'https://git.example.com/x?token=… was not found'
 */
export function redactAddresses(text: string): string {
  return text
    .replaceAll(USER_INFO, '$1')
    .replaceAll(ESCAPED_USER_INFO, '$1')
    .replaceAll(PARAMETER, (whole, before: string, name: string, value: string) =>
      SECRET_NAME.test(name) || value.length >= RANDOM_CHARACTERS ? `${before}${name}=…` : whole,
    )
}
