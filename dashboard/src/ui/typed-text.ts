/** Fields that a person typed into or chose in, as long as they are on the page. */
const touched = new Set<Element>()

const onInput = ({ target }: Event): void => {
  if (target instanceof Element) touched.add(target)
}

/** Remembers from now on which fields a person changed. */
export const watchTyping = (): void => document.addEventListener('input', onInput, true)

/** Whether leaving this page would lose something that a person typed or chose. */
export function isSomethingTyped(): boolean {
  for (const field of touched) if (!field.isConnected) touched.delete(field)
  return touched.size > 0
}
