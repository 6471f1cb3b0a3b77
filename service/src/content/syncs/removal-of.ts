/** Removals above both are held back until a person accepts them: a lost permission looks like an emptied source. */
const MASS_DELETION = { share: 0.2, documents: 20 }

/** Up to this many are looked at one by one before they go; more would take hours at the pace of an API. */
const MAX_LOOKS = 200

/**
 * How documents go that the listing of their source no longer has.
 *
 * @param source `isListed`: it gives a complete list, which may be one that a lost permission shortened. `canLook`: it reads items by id
 * @returns `needsConsent`: a person has to accept it; `isLookedAt`: each is asked for once more, since a list that moves can omit an item
 */
export function removalOf(source: {
  missing: number
  indexed: number
  isListed: boolean
  canLook: boolean
}): {
  needsConsent: boolean
  isLookedAt: boolean
} {
  const { missing, indexed, isListed, canLook } = source
  const isMass = missing >= MASS_DELETION.documents && missing > indexed * MASS_DELETION.share
  const isLookedAt = canLook && missing <= MAX_LOOKS
  // What is neither looked at nor accepted would go on the word of one list.
  return { needsConsent: isListed && (isMass || (canLook && !isLookedAt)), isLookedAt }
}
