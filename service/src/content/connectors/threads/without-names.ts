import type { Block } from '../../parsing/parsing.ts'

const plainName = (name: string) => name.replaceAll('\\', '').toLowerCase()

/**
 * Text with the roles of people instead of their names: mentions of those who wrote in the thread, and links to anyone.
 *
 * @param roles by name in small letters
 */
function anonymous(text: string, roles: ReadonlyMap<string, string>): string {
  return (
    text
      // Whoever is linked as @name is a person, also one who wrote nothing here. The address of the link has the name too.
      .replaceAll(
        /\[@([^[\]\n]{1,100})\]\([^()\n]{1,500}\)/g,
        (_all, name: string) => `@${roles.get(plainName(name)) ?? 'someone'}`,
      )
      // Not the scope of a package (`@acme/cli`), nor an address.
      .replaceAll(/(?<![\w@.])@([\w.\\-]{1,100})(?![\w.\\/-])/g, (all, written: string) => {
        // bounded: at most 100 characters
        const name = written.replace(/[.\\-]{1,100}$/, '')
        const role = roles.get(plainName(name))
        return role === undefined ? all : `@${role}${written.slice(name.length)}`
      })
  )
}

/** The line above a quotation: `ada:`, with or without a picture. */
function attribution(text: string, roles: ReadonlyMap<string, string>): string | undefined {
  const name = /^(?:!\[[^[\]\n]{0,200}\]\([^()\n]{0,500}\) {0,5})?([^\s:[\]]{1,100}):$/.exec(text.trim())?.[1]
  const role = roles.get(plainName(name ?? ''))
  return role === undefined ? undefined : `${role}:`
}

/** Blocks with roles instead of names. Code is left as it is. */
export function withoutNames(blocks: readonly Block[], roles: ReadonlyMap<string, string>): Block[] {
  const replaced = (text: string) => anonymous(text, roles)
  return blocks.map((block): Block => {
    switch (block.kind) {
      case 'heading':
        return { ...block, text: replaced(block.text) }
      case 'paragraph':
        return { ...block, markdown: attribution(block.markdown, roles) ?? replaced(block.markdown) }
      case 'list':
        return { ...block, items: block.items.map(replaced) }
      case 'table':
        return {
          ...block,
          header: block.header.map(replaced),
          rows: block.rows.map((row) => row.map(replaced)),
        }
      case 'entry':
        return { ...block, term: replaced(block.term), blocks: withoutNames(block.blocks, roles) }
      case 'code':
      case 'anchor':
        return block
    }
  })
}
