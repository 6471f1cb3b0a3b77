/** The part of it that the tests use. Its published types would bring all types of a browser into the service's code. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, settings?: { url?: string; runScripts?: 'outside-only' })
    readonly window: {
      readonly document: { open(): void; write(html: string): void; close(): void }
      eval(script: string): unknown
      close(): void
    }
  }
}
