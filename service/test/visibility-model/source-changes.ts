import { ask, changeTo, groupOf, number, visibility } from './change.ts'
import { newWord, type ModelSource } from './model-world.ts'
import { pick } from './probe.ts'

export const restrictSource = changeTo([number, visibility], (at, said) => ({
  says: `make source ${at} ${said}`,
  fits: ({ sources, type }) => sources.length > 0 && !(type === 'internal' && said === 'public'),
  apply: async (ground) => {
    const source = pick(ground.world.sources, at)
    if (source === undefined) return
    await ask(ground, 'PATCH', `/sources/${source.id}`, { visibility: said })
    if (source.visibility === said) return
    source.visibility = said
    for (const document of ground.world.documents)
      if (document.source === source && !document.isOwn) document.visibility = said
  },
}))

export const moveSource = changeTo([number, number], (at, to) => ({
  says: `move source ${at} to group ${to}`,
  fits: ({ sources }) => sources.length > 0,
  apply: async (ground) => {
    const source = pick(ground.world.sources, at)
    if (source === undefined) return
    source.groupId = groupOf(ground.world, to)
    await ask(ground, 'PATCH', `/sources/${source.id}`, { source_group_id: source.groupId ?? null })
  },
}))

export const relabelSource = changeTo([number], (at) => ({
  says: `relabel source ${at}`,
  fits: ({ sources }) => sources.length > 0,
  apply: async (ground) => {
    const source = pick(ground.world.sources, at)
    if (source === undefined) return
    source.label = newWord(ground.world, 'label')
    await ask(ground, 'PATCH', `/sources/${source.id}`, { version_label: source.label })
  },
}))

export const addSource = changeTo([number, visibility], (group, said) => ({
  says: `add a ${said} source to group ${group}`,
  fits: ({ sources }) => sources.length < 6,
  apply: async (ground) => {
    const groupId = groupOf(ground.world, group)
    const body = { type: 'push', name: 'Docs', visibility: said, source_group_id: groupId ?? null }
    const { id, ...made } = await ask<{ id: string; visibility: ModelSource['visibility'] }>(
      ground,
      'POST',
      `/knowledge-bases/${ground.world.baseId}/sources`,
      body,
    )
    const source = { id, groupId, visibility: made.visibility, label: undefined, holdsCustomAnswers: false }
    ground.world.sources.push(source)
  },
}))

export const deleteSource = changeTo([number], (at) => ({
  says: `delete source ${at}`,
  fits: ({ sources }) => sources.length > 2,
  apply: async (ground) => {
    const { world } = ground
    const source = pick(world.sources, at)
    if (source === undefined) return
    await ask(ground, 'DELETE', `/sources/${source.id}`)
    world.sources.splice(world.sources.indexOf(source), 1)
    world.documents = world.documents.filter((document) => document.source !== source)
  },
}))

export const addGroup = changeTo([], () => ({
  says: 'add a group',
  fits: ({ groupIds }) => groupIds.length < 3,
  apply: async (ground) => {
    const path = `/knowledge-bases/${ground.world.baseId}/source-groups`
    const { id } = await ask<{ id: string }>(ground, 'POST', path, { name: 'Group' })
    ground.world.groupIds.push(id)
  },
}))

export const deleteGroup = changeTo([number], (at) => ({
  says: `delete group ${at}`,
  fits: ({ groupIds }) => groupIds.length > 1,
  apply: async (ground) => {
    const { world } = ground
    const id = pick(world.groupIds, at)
    await ask(ground, 'DELETE', `/source-groups/${id}`)
    world.groupIds = world.groupIds.filter((one) => one !== id)
    for (const source of world.sources) if (source.groupId === id) source.groupId = undefined
  },
}))
