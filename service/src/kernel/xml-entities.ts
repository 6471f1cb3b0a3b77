const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes XML's five predefined entities and numeric references only: custom entities could expand without limit. */
export function decodeXmlEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(x?)([\da-f]{1,6})|([a-z]{2,4}));/gi,
    (whole, hex: string, digits: string, name: string) => {
      if (name) return ENTITIES[name] ?? whole
      const code = Number.parseInt(digits, hex ? 16 : 10)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}
