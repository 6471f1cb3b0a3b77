/**
 * The only global the contract uses beyond the language: what browsers and Node have of `URL` in common. Neither `document` nor `node:`
 * modules exist here.
 */
interface URL {
  readonly protocol: string
  readonly origin: string
  readonly href: string
  readonly hostname: string
  readonly username: string
  readonly password: string
  readonly search: string
  readonly hash: string
}

declare const URL: {
  parse(url: string): URL | null
  canParse(url: string): boolean
}
