/** `topK` as `top_k`; a capital at the beginning gets its `_`, too. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
