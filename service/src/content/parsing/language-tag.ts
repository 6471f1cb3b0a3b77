/** A language as a BCP 47 tag (`en_us` → `en-US`); undefined if it is invalid. */
export function languageTag(written: string | undefined): string | undefined {
  const tag = written?.trim().replaceAll('_', '-')
  if (!tag || tag.length > 35) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
