/**
 * Pages that a documentation generator makes of names or of code: the alphabetical index (Sphinx, Javadoc), and the listings of source code
 * that Sphinx puts below `_modules/`. They have every name, and explain none.
 */
const LISTING =
  /(?:^|\/)(?:_modules\/|(?:genindex|(?:py-)?modindex|index-all)(?:-[a-z]{1,10})?(?:\.[a-z]{2,5})?\/?(?:#|$))/i

/** Whether a page is such a listing, by its address or the path of its file. */
export const isGeneratedListing = (address: string): boolean => LISTING.test(address)
