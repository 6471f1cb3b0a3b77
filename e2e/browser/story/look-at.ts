import { faultsInEveryLook } from '../page-faults.ts'
import type { StoryWorld } from './story-world.ts'

/** Looks at the page of a person as it is, and notes what is wrong with it. */
export async function lookAt(
  { faults, page: own }: Pick<StoryWorld, 'faults' | 'page'>,
  screen: string,
  page = own,
): Promise<void> {
  faults.push(...(await faultsInEveryLook(page)).map((fault) => `${screen}, ${fault}`))
}
