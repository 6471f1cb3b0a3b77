/** A language as BCP 47 writes it (`en_us` → `en-US`), or nothing where it is none. */
export function languageTag(written: string | undefined): string | undefined {
  const tag = written?.trim().replaceAll('_', '-')
  if (!tag || tag.length > 35) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
