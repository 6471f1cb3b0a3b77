/** How much one page may take of other files. */
export interface IncludeBudget {
  isSpent(): boolean
  /** Takes so many characters, by one include unless told otherwise; false, and all is spent, when there are not so many left. */
  take(characters: number, includes?: number): boolean
  /** Whether a file of so many bytes can still fit. */
  fits(bytes: number): boolean
}

const MAX_INCLUDES = 200
const MAX_CHARACTERS = 2_000_000

/** The budget of a page that has so many characters itself. */
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
