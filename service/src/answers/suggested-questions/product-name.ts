const NOT_THE_PRODUCT =
  /\b(?:(?:the|our|official|public|internal|developer|user|product|technical|api)(?=\s)|docs?|documentation|knowledge ?base|help(?: cent(?:er|re))?|manuals?|guides?|handbook|website|site|support|wiki|portal|reference|faqs?|v?\d+(?:\.\d+)*)\b/gi

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * The product that a base documents, from its name: "Acme Docs" is about Acme. `undefined` if the pages do not mention it: a
 * question about "My test base" would be nonsense.
 *
 * @param prose - text of the base's pages
 */
export function productName(baseName: string, prose: string): string | undefined {
  const name = baseName
    .replaceAll(NOT_THE_PRODUCT, ' ')
    .replaceAll(/[\s:,()/|–—-]+/g, ' ')
    .trim()
  if (name.length < 2 || name.length > 40) return undefined
  const spellings = new Map<string, number>()
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, 'giu')
  for (const [spelling] of prose.matchAll(pattern))
    spellings.set(spelling, (spellings.get(spelling) ?? 0) + 1)
  const [most] = [...spellings].sort((left, right) => right[1] - left[1])
  return most === undefined || most[1] < 3 ? undefined : most[0]
}
