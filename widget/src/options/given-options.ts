/** What a page says: words of its attributes, or of a saved `config`, or of `Citewell.update`. */
export type GivenOptions = Record<string, Said | readonly string[] | null | undefined>

type Said = string | number | boolean

/** The same as texts, under the names of the attributes in camel case. */
export type SaidOptions = Partial<Record<string, string>>

/** Puts together what was said. Of two that say something on the same, the later wins. */
export function mergeOptions(...given: (GivenOptions | null | undefined)[]): SaidOptions {
  const said: SaidOptions = {}
  for (const one of given)
    for (const [word, value] of Object.entries(one ?? {}))
      if (value !== undefined && value !== null)
        said[word.replace(/_./g, (mark) => mark.slice(1).toUpperCase())] = String(value)
  return said
}

/** Whether a switch is on. An attribute without a value is. */
export const isOn = (said: string | undefined, byDefault?: boolean): boolean | undefined =>
  said === undefined ? byDefault : !/^(false|0|no|off)$/i.test(said)
