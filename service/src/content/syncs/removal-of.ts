/**
 * Removals above both are held back until a person accepts them: a lost permission looks like an emptied source, and so does a site that
 * shows a page of a login or of maintenance instead of its own.
 */
const MASS_DELETION = { share: 0.2, documents: 20 }

/** The same for a small source whose items cannot be looked at one by one, if it shows hardly anything any more. */
const NEARLY_ALL = { share: 0.8, documents: 5 }

/** Up to this many are looked at one by one before they go; more would take hours at the pace of an API. */
const MAX_LOOKS = 200

/**
 * How documents go that their source no longer has.
 *
 * @param source `canLook`: it reads items by id
 * @returns `needsConsent`: a person has to accept it; `isLookedAt`: each is asked for once more, since a list that moves can omit an item
 */
export function removalOf(source: { missing: number; indexed: number; canLook: boolean }): {
  needsConsent: boolean
  isLookedAt: boolean
} {
  const { missing, indexed, canLook } = source
  const isAbove = ({ share, documents }: { share: number; documents: number }) =>
    missing >= documents && missing > indexed * share
  const isLookedAt = canLook && missing <= MAX_LOOKS
  // What is neither looked at nor accepted would go on the word of one list.
  const isUnseen = canLook ? !isLookedAt : isAbove(NEARLY_ALL)
  return { needsConsent: isAbove(MASS_DELETION) || isUnseen, isLookedAt }
}
