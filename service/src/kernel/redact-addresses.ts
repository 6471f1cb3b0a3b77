/** `user:password@` of an address anywhere in a text. The repeated part cannot contain the start of a match, so matching is linear. */
const USER_INFO = /(:\/\/)[^\s/?#"'`<>\\]*@/g

/** The same for an address that is percent-encoded inside another: `user%3Apassword%40`. */
const ESCAPED_USER_INFO = /(%3A%2F%2F)[^\s%/?#"'`<>\\@]*(?:%3A[^\s%/?#"'`<>\\@]*)?(?:%40|@)/gi

/** `?name=value` of an address. The length limit keeps the search for the equals sign short. */
const PARAMETER = /([?&#;])([\w.~%[\]-]{1,64})=([^\s&#;"'`<>\\)]*)/g

/** Fragments of names that secrets have: `access_token`, `X-Amz-Signature`, `apikey`. */
const SECRET_NAME = /token|key|secret|sig|passw|pwd|auth|cred|session|jwt/i

/** A value this long is neither a page number nor a word: it is treated as a secret, whatever its name. */
const RANDOM_CHARACTERS = 32

/** Whether a parameter of an address carries a credential. */
export const isSecretParameter = (name: string): boolean =>
  /^(?:.*[._-])?(?:(?:access|auth|api|private|deploy|job|id|bearer)?[_-]?(?:token|key)|secret|sig|signature|passw(?:or)?d|pwd|auth|authorization|credential|jwt)$/i.test(
    name,
  )

/**
 * Removes credentials from the addresses in a text for people and logs: user names and passwords, and parameters whose names or values
 * look like secrets. Every error of a source goes through it.
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

/** Whether `redactAddresses` took a value out of an address: what is left is another address. */
export const isRedacted = (address: string): boolean => /[?&#;][\w.~%[\]-]{1,64}=…/.test(address)
