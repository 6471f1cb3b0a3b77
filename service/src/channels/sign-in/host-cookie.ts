/**
 * A cookie of this host alone. A browser takes the prefix only over TLS; without it, on one's own machine, the name goes without.
 *
 * @example
 * hostCookie('citewell_session', 'https://answers.example.com').name // '__Host-citewell_session'
 */
export function hostCookie(name: string, publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const
  return { name: secure ? `__Host-${name}` : name, attributes }
}
