/** The branding line of answers and result lists. */
export const POWERED_BY = {
  powered_by: 'Citewell',
  powered_by_url: 'https://github.com/citewell/citewell',
} as const
