import type { Requirement } from './requirement.ts'
import { FEEDBACK } from './requirements/feedback.ts'

/** Every sentence of the contract, by the noun that it is about. */
export const REQUIREMENTS_BY_NOUN = {
  feedback: FEEDBACK,
} as const satisfies Record<string, Record<string, Requirement>>

type ByNoun = typeof REQUIREMENTS_BY_NOUN

/** `noun.what-is-said`, e.g. `feedback.one-per-answer`. */
export type RequirementId = { [Noun in keyof ByNoun]: keyof ByNoun[Noun] }[keyof ByNoun]

export const REQUIREMENTS: Readonly<Record<string, Requirement>> = Object.assign(
  {},
  ...Object.values(REQUIREMENTS_BY_NOUN),
)
