import fc from 'fast-check'
import { ask, changeTo, groupOf, number, textOf, visibility } from './change.ts'
import {
  newWord,
  sayVisibility,
  visibilityOfNew,
  type ModelDocument,
  type ModelSource,
  type ModelWorld,
} from './model-world.ts'
import { pick } from './probe.ts'

const custom = (world: ModelWorld) => world.documents.filter(({ source }) => source.holdsCustomAnswers)

/** The source of the custom answers of a group, as the service creates it. */
function customSource(world: ModelWorld, id: string, groupId: string | undefined): ModelSource {
  const known = world.sources.find((source) => source.id === id)
  if (known !== undefined) return known
  const made: ModelSource = { id, groupId, visibility: 'public', label: undefined, holdsCustomAnswers: true }
  world.sources.push(made)
  return made
}

interface CustomAnswer {
  id: string
  source_id: string
  document_id: string
}

export const customTextOf = (words: Pick<ModelDocument, 'lure' | 'canary'>) => {
  const { title, markdown } = textOf(words)
  return { question: `${title}?`, answer: markdown }
}

export const addCustomAnswer = changeTo([number, visibility], (group, said) => ({
  says: `write a ${said} custom answer in group ${group}`,
  fits: (world) => custom(world).length < 5,
  apply: async (ground) => {
    const { world } = ground
    const groupId = groupOf(world, group)
    const words = { lure: newWord(world, 'lure'), canary: newWord(world, 'canary') }
    const body = { ...customTextOf(words), visibility: said, source_group_id: groupId ?? null }
    const path = `/knowledge-bases/${world.baseId}/custom-answers`
    const made = await ask<CustomAnswer>(ground, 'POST', path, body)
    const source = customSource(world, made.source_id, groupId)
    const isHeldBack = world.type === 'internal' && said === 'public'
    world.documents.push({
      externalId: made.id,
      id: made.document_id,
      source,
      ...visibilityOfNew(world, source, isHeldBack ? undefined : said),
      ...words,
      disclosed: new Set(),
    })
  },
}))

export const changeCustomAnswer = changeTo(
  [number, fc.boolean(), fc.option(number, { nil: undefined }), fc.option(visibility, { nil: undefined })],
  (at, isRewritten, group, said) => ({
    says: `change custom answer ${at}:${isRewritten ? ' new words' : ''}${group === undefined ? '' : `, group ${group}`}${said === undefined ? '' : `, ${said}`}`,
    fits: (world) => custom(world).length > 0 && !(world.type === 'internal' && said === 'public'),
    apply: async (ground) => {
      const { world } = ground
      const document = pick(custom(world), at)
      if (document === undefined) return
      if (isRewritten) document.canary = newWord(world, 'canary')
      const groupId = group === undefined ? document.source.groupId : groupOf(world, group)
      const made = await ask<CustomAnswer>(ground, 'PATCH', `/custom-answers/${document.externalId}`, {
        ...(isRewritten && customTextOf(document)),
        ...(group !== undefined && { source_group_id: groupId ?? null }),
        ...(said !== undefined && { visibility: said }),
      })
      document.source = customSource(world, made.source_id, groupId)
      if (said !== undefined) sayVisibility(world, document, said)
    },
  }),
)

export const deleteCustomAnswer = changeTo([number], (at) => ({
  says: `delete custom answer ${at}`,
  fits: (world) => custom(world).length > 0,
  apply: async (ground) => {
    const document = pick(custom(ground.world), at)
    if (document === undefined) return
    await ask(ground, 'DELETE', `/custom-answers/${document.externalId}`)
    ground.world.documents.splice(ground.world.documents.indexOf(document), 1)
  },
}))
