const BEARER = /^Bearer +(\S+)\s*$/i

/** The token of `Authorization: Bearer …`, if there is one. */
export const bearerOf = (headers: Headers): string | undefined =>
  BEARER.exec(headers.get('authorization') ?? '')?.[1]
