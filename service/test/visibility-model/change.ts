import fc from 'fast-check'
import type { TestService } from '../start-service.ts'
import type { ModelDocument, ModelWorld } from './model-world.ts'

export interface Ground {
  world: ModelWorld
  service: TestService
}

/** A management command: what it does to the service, and what the rules say that it does. */
export interface Change {
  /** For the counterexample. */
  says: string
  /** Whether there is a record to apply it to. */
  fits(world: Readonly<ModelWorld>): boolean
  apply(ground: Ground): Promise<void>
}

export const visibility = fc.constantFrom('public' as const, 'restricted' as const)
export const number = fc.nat(20)

export const ask = <Body>({ service }: Ground, method: string, path: string, body?: unknown) =>
  service.json<Body>(method, `/api/v1${path}`, body)

/** A group, or none: the number after the last one means none. */
export const groupOf = (world: ModelWorld, chosen: number) =>
  world.groupIds[chosen % (world.groupIds.length + 1)]

export const textOf = ({ lure, canary }: Pick<ModelDocument, 'lure' | 'canary'>) => ({
  title: `Chapter ${lure} ${canary}`,
  markdown: `The handbook says about ${lure} that the code word of this chapter is ${canary}. Nothing else stands in ${lure}.`,
})

export const changeTo = <Fields extends unknown[]>(
  fields: { [At in keyof Fields]: fc.Arbitrary<Fields[At]> },
  make: (...fields: Fields) => Change,
): fc.Arbitrary<Change> => fc.tuple(...fields).map((chosen) => make(...(chosen as Fields)))
