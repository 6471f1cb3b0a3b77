import { verifies } from '@citewell/spec/verifies'
import type { Permission } from '@citewell/contract/endpoint'
import { expect, test } from 'vitest'
import { canCreateKnowledgeBase, canUse, hasScope, type Caller, type Role } from './permissions.ts'

const callerAs = (role: Role, scopes: Caller['scopes']): Caller => ({
  userId: 'ada',
  tokenId: 'token',
  scopes,
  workspaces: [{ id: 'acme', role }],
})
const ACME = { id: 'docs', workspace_id: 'acme', workspace_members_can_chat: true }
const PERMISSIONS: Permission[] = ['member', 'chat', 'config', 'edit-config']
const allowed = (caller: Caller, base = ACME) =>
  PERMISSIONS.filter((permission) => canUse(caller, base, permission))

verifies(
  ['permissions.edit-config', 'permissions.config'],
  'owners and admins have every permission, members may read and chat',
  () => {
    expect(allowed(callerAs('owner', ['admin']))).toEqual(PERMISSIONS)
    expect(allowed(callerAs('admin', ['admin']))).toEqual(PERMISSIONS)
    expect(allowed(callerAs('member', ['admin']))).toEqual(['member', 'chat'])
  },
)

verifies(
  ['permissions.chat', 'permissions.members-switch'],
  'members reach a base only while its switch for workspace members is on',
  () => {
    const closed = { ...ACME, workspace_members_can_chat: false }
    expect(allowed(callerAs('member', ['admin']), closed)).toEqual([])
    expect(allowed(callerAs('admin', ['admin']), closed)).toEqual(PERMISSIONS)
  },
)

test('a grant applies to its own base regardless of the members switch, and to no other base', () => {
  const granted = (...permissions: ('config' | 'chat')[]): Caller => ({
    ...callerAs('member', ['admin']),
    grants: [{ knowledgeBaseId: 'docs', permissions }],
  })
  const closed = { ...ACME, workspace_members_can_chat: false }
  expect(allowed(granted('chat'), closed)).toEqual(['member', 'chat'])
  expect(allowed(granted('config'), closed)).toEqual(['member', 'config'])
  expect(allowed(granted('config', 'chat'), { ...closed, id: 'other' })).toEqual([])
  expect(allowed({ ...granted('config', 'chat'), scopes: ['read'] }, closed)).toEqual(['member', 'chat'])
})

test('a token with the scope read changes nothing, whatever the role of its holder', () => {
  expect(allowed(callerAs('owner', ['read']))).toEqual(['member', 'chat'])
  expect(allowed(callerAs('owner', []))).toEqual([])
})

test('a non-member has no permission in a workspace', () => {
  expect(allowed(callerAs('owner', ['admin']), { ...ACME, workspace_id: 'other' })).toEqual([])
  expect(canCreateKnowledgeBase(callerAs('owner', ['admin']), 'other')).toBe(false)
})

test('every member may create a knowledge base, with a token that has the scope config', () => {
  expect(canCreateKnowledgeBase(callerAs('member', ['config']), 'acme')).toBe(true)
  expect(canCreateKnowledgeBase(callerAs('owner', ['read']), 'acme')).toBe(false)
})

test('a scope includes the ones below it', () => {
  const scopes = ['read', 'config', 'admin'] as const
  const reach = (scope: (typeof scopes)[number]) =>
    scopes.filter((wanted) => hasScope(callerAs('owner', [scope]), wanted))
  expect(reach('read')).toEqual(['read'])
  expect(reach('config')).toEqual(['read', 'config'])
  expect(reach('admin')).toEqual(['read', 'config', 'admin'])
})
