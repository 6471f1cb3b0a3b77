import fc from 'fast-check'
import { ask, changeTo, number, textOf, visibility, type Ground } from './change.ts'
import { newWord, sayVisibility, visibilityOfNew, type ModelSource, type ModelWorld } from './model-world.ts'
import { pick } from './probe.ts'

const pushable = (world: ModelWorld) => world.sources.filter((source) => !source.holdsCustomAnswers)
const pushed = (world: ModelWorld) => world.documents.filter(({ source }) => !source.holdsCustomAnswers)
async function push(
  ground: Ground,
  source: ModelSource,
  externalId: string,
  said: 'public' | 'restricted' | undefined,
): Promise<void> {
  const { world } = ground
  const known = world.documents.find((one) => one.source === source && one.externalId === externalId)
  const words = { lure: known?.lure ?? newWord(world, 'lure'), canary: newWord(world, 'canary') }
  const document = {
    external_id: externalId,
    url: `https://docs.test/${externalId}`,
    ...textOf(words),
    ...(said !== undefined && { visibility: said }),
  }
  const answer = await ask<{ documents: { id: string }[] }>(
    ground,
    'PUT',
    `/sources/${source.id}/documents`,
    {
      documents: [document],
    },
  )
  if (known !== undefined) {
    known.canary = words.canary
    if (said !== undefined) sayVisibility(world, known, said)
    return
  }
  world.documents.push({
    externalId,
    id: answer.documents[0]?.id ?? '',
    source,
    ...visibilityOfNew(world, source, said),
    ...words,
    disclosed: new Set(),
  })
}

export const pushDocument = changeTo(
  [number, fc.nat(4), fc.option(visibility, { nil: undefined })],
  (at, slot, said) => ({
    says: `push document ${slot} to source ${at}${said === undefined ? '' : ` as ${said}`}`,
    fits: (world) => pushable(world).length > 0,
    apply: async (ground) => {
      const source = pick(pushable(ground.world), at)
      if (source !== undefined) await push(ground, source, `d${slot}`, said)
    },
  }),
)

export const deleteDocument = changeTo([number, fc.boolean()], (at, byId) => ({
  says: `delete document ${at}${byId ? ' by its id' : ''}`,
  fits: (world) => pushed(world).length > 0,
  apply: async (ground) => {
    const document = pick(pushed(ground.world), at)
    if (document === undefined) return
    const { id, externalId, source } = document
    await ask(ground, 'DELETE', byId ? `/documents/${id}` : `/sources/${source.id}/documents/${externalId}`)
    ground.world.documents.splice(ground.world.documents.indexOf(document), 1)
  },
}))

export const restrictDocument = changeTo([number, visibility], (at, said) => ({
  says: `make document ${at} ${said}`,
  fits: ({ documents, type }) => documents.length > 0 && !(type === 'internal' && said === 'public'),
  apply: async (ground) => {
    const document = pick(ground.world.documents, at)
    if (document === undefined) return
    await ask(ground, 'PATCH', `/documents/${document.id}`, { visibility: said })
    sayVisibility(ground.world, document, said)
  },
}))
