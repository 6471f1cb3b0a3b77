import { Banner } from './status.tsx'

/** What a list of questions and answers says above it where none are stored. */
export function KeepsNothing({ isSo, what }: { isSo: boolean | undefined; what: string }) {
  if (isSo !== true) return null
  return (
    <Banner tone="info">
      This workspace keeps no questions and answers (zero data retention): {what} are not recorded. What is
      below is from before it was switched on.
    </Banner>
  )
}
