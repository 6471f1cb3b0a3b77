/** Limits how much one page may include from other files. */
export interface IncludeBudget {
  isSpent(): boolean
  /** Takes this many characters, by one include by default. If too few are left, returns false and the budget counts as spent. */
  take(characters: number, includes?: number): boolean
  /** Whether a file of this many bytes can still fit. */
  fits(bytes: number): boolean
}

export const MAX_INCLUDES = 200
export const MAX_CHARACTERS = 2_000_000

/** The budget of a page that has this many characters itself. */
export function createIncludeBudget(ownCharacters: number): IncludeBudget {
  let includes = MAX_INCLUDES
  let left = MAX_CHARACTERS - ownCharacters
  return {
    isSpent: () => includes <= 0 || left <= 0,
    take: (characters, taken = 1) => {
      includes -= taken
      left -= characters
      return left >= 0
    },
    fits: (bytes) => bytes <= left,
  }
}
