/** The part of it that is used here: it is published without types. */
declare module 'saxen' {
  type Decode = (text: string) => string

  export class Parser {
    /** Writes the prefixes of these namespaces so, whatever a document calls them. */
    ns(prefixes: Record<string, string>): this
    on(
      event: 'openTag',
      handle: (name: string, attributes: () => Record<string, string>, decode: Decode) => void,
    ): this
    on(event: 'closeTag', handle: (name: string) => void): this
    on(event: 'text' | 'cdata', handle: (text: string) => void): this
    on(event: 'error', handle: (error: Error) => void): this
    parse(xml: string): void
  }
}
