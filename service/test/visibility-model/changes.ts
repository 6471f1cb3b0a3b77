import fc from 'fast-check'
import { addKey, archive, changeKey, restore, revokeKey, turn } from './base-changes.ts'
import { addCustomAnswer, changeCustomAnswer, deleteCustomAnswer } from './custom-answer-changes.ts'
import { deleteDocument, pushDocument, restrictDocument } from './document-changes.ts'
import {
  addGroup,
  addSource,
  deleteGroup,
  deleteSource,
  moveSource,
  relabelSource,
  restrictSource,
} from './source-changes.ts'
import type { Change } from './change.ts'
import type { ModelWorld } from './model-world.ts'

/** The commands that an archived base refuses. */
const whileActive = (change: fc.Arbitrary<Change>) =>
  change.map(({ fits, ...rest }) => ({
    ...rest,
    fits: (world: ModelWorld) => world.status === 'active' && fits(world),
  }))

/** Every management command, the frequent ones first. */
export const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: whileActive(pushDocument) },
  { weight: 2, arbitrary: whileActive(deleteDocument) },
  { weight: 5, arbitrary: whileActive(restrictDocument) },
  { weight: 4, arbitrary: whileActive(restrictSource) },
  { weight: 4, arbitrary: whileActive(moveSource) },
  { weight: 2, arbitrary: whileActive(relabelSource) },
  { weight: 2, arbitrary: whileActive(addSource) },
  { weight: 1, arbitrary: whileActive(deleteSource) },
  { weight: 2, arbitrary: whileActive(addGroup) },
  { weight: 1, arbitrary: whileActive(deleteGroup) },
  { weight: 3, arbitrary: whileActive(addKey) },
  { weight: 3, arbitrary: whileActive(changeKey) },
  { weight: 1, arbitrary: whileActive(revokeKey) },
  { weight: 3, arbitrary: whileActive(addCustomAnswer) },
  { weight: 4, arbitrary: whileActive(changeCustomAnswer) },
  { weight: 1, arbitrary: whileActive(deleteCustomAnswer) },
  { weight: 1, arbitrary: archive },
  { weight: 8, arbitrary: restore },
  { weight: 2, arbitrary: whileActive(turn) },
)
