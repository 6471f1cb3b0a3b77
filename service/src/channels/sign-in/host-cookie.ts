/**
 * A cookie of this host only. Browsers accept the `__Host-` prefix only over TLS, so it is left out for http (a local machine).
 *
 * @example
 * hostCookie('citewell_session', 'https://answers.example.com').name // '__Host-citewell_session'
 */
export function hostCookie(name: string, publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const
  return { name: secure ? `__Host-${name}` : name, attributes }
}
