/** A share as people see it; a dash where there is none. */
export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 100)} %`
