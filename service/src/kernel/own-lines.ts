/** Ends of lines that end a sentence or announce something. */
const ENDS = /[\p{STerm}…:：][\p{Pe}\p{Pf}\p{Pi}"'*_]*\s*$/u
/** Beginnings of lines of their own: a label ("Decision: …"), a sign or a number of a list. */
const BEGINS = /^(?:\**[\p{Lu}\p{N}][^:\n]{0,40}:(?:\**\s|$)|\\?[•·–—*+-]\s|\(?\d{1,3}\\?[.)]\s)/u
/** What divides the columns of rows. */
const DIVIDERS = [/;/, /\|/, /\t/, /\s[-–—=]\s/, /\.{3,}/, /\S {2,}\S/, /:\s/]
/** An amount at the end: lines of a price list. */
const AMOUNT = /\d[^\s\d]{0,3}(?:\s\p{L}{1,4}|\s\p{Sc})?\s*$/u

/** How much of a line is looked at. */
const MAX_LENGTH = 500

/** Whether a line ends as a sentence does, or as what announces the next one. */
export const endsAsSentence = (line: string): boolean => ENDS.test(line.slice(-40))

/** Whether two lines are rows of the same kind: both are divided in the same way, or end with an amount. */
function areRows(line: string, next: string): boolean {
  if (AMOUNT.test(line.slice(-40)) && AMOUNT.test(next.slice(-40))) return true
  return DIVIDERS.some((divider) => divider.test(line) && divider.test(next))
}

/** Whether of two lines that follow each other the second is one of its own, rather than the first one going on. */
export function isOwnLine(line: string, next: string): boolean {
  const [one, other] = [line.slice(-MAX_LENGTH), next.trimStart().slice(0, MAX_LENGTH)]
  return endsAsSentence(one) || BEGINS.test(other) || areRows(one, other)
}
