import fc from 'fast-check'
import { ask, changeTo, number } from './change.ts'
import { switchType, type ModelKey, type ModelWorld } from './model-world.ts'
import { pick } from './probe.ts'

export const groupsOf = (world: ModelWorld, chosen: readonly number[]) => [
  ...new Set(chosen.flatMap((one) => pick(world.groupIds, one) ?? [])),
]

export const addKey = changeTo([fc.array(number, { maxLength: 2 })], (groups) => ({
  says: `add a key for groups [${groups.join(', ')}]`,
  fits: ({ type, keys }) => type === 'external' && keys.filter((key) => !key.isRevoked).length < 4,
  apply: async (ground) => {
    const groupIds = groupsOf(ground.world, groups)
    const made = await ask<{ id: string; key: string }>(
      ground,
      'POST',
      `/knowledge-bases/${ground.world.baseId}/client-keys`,
      { name: 'Key', kind: 'public', allowed_source_group_ids: groupIds },
    )
    // Keys that were revoked long ago are not tried for ever.
    const others = ground.world.keys.filter((key) => !key.isRevoked)
    const revoked = ground.world.keys.filter((key) => key.isRevoked).slice(-1)
    const key: ModelKey = { id: made.id, key: made.key, groupIds, isRevoked: false }
    ground.world.keys = [...revoked, ...others, key]
  },
}))

export const changeKey = changeTo([number, fc.array(number, { maxLength: 2 })], (at, groups) => ({
  says: `give key ${at} the groups [${groups.join(', ')}]`,
  fits: (world) => world.keys.some((key) => !key.isRevoked),
  apply: async (ground) => {
    const key = pick(
      ground.world.keys.filter((one) => !one.isRevoked),
      at,
    )
    if (key === undefined) return
    key.groupIds = groupsOf(ground.world, groups)
    await ask(ground, 'PATCH', `/client-keys/${key.id}`, { allowed_source_group_ids: key.groupIds })
  },
}))

export const revokeKey = changeTo([number], (at) => ({
  says: `revoke key ${at}`,
  fits: (world) => world.keys.some((key) => !key.isRevoked),
  apply: async (ground) => {
    const key = pick(
      ground.world.keys.filter((one) => !one.isRevoked),
      at,
    )
    if (key === undefined) return
    await ask(ground, 'DELETE', `/client-keys/${key.id}`)
    key.isRevoked = true
  },
}))

export const archive = changeTo([], () => ({
  says: 'archive the base',
  fits: ({ status }) => status === 'active',
  apply: async (ground) => {
    await ask(ground, 'POST', `/knowledge-bases/${ground.world.baseId}/archive`)
    ground.world.status = 'archived'
  },
}))

export const restore = changeTo([], () => ({
  says: 'restore the base',
  fits: ({ status }) => status === 'archived',
  apply: async (ground) => {
    await ask(ground, 'POST', `/knowledge-bases/${ground.world.baseId}/restore`)
    ground.world.status = 'active'
  },
}))

export const turn = changeTo([], () => ({
  says: 'change the type of the base',
  fits: () => true,
  apply: async (ground) => {
    const { world } = ground
    const type = world.type === 'external' ? 'internal' : 'external'
    await ask(ground, 'PATCH', `/knowledge-bases/${world.baseId}`, { type })
    switchType(world)
  },
}))
