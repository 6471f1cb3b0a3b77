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
  'owners and admins may do everything, members read and ask',
  () => {
    expect(allowed(callerAs('owner', ['admin']))).toEqual(PERMISSIONS)
    expect(allowed(callerAs('admin', ['admin']))).toEqual(PERMISSIONS)
    expect(allowed(callerAs('member', ['admin']))).toEqual(['member', 'chat'])
  },
)

verifies(
  ['permissions.chat', 'permissions.members-switch'],
  'members reach a base only while its workspace-members switch is on',
  () => {
    const closed = { ...ACME, workspace_members_can_chat: false }
    expect(allowed(callerAs('member', ['admin']), closed)).toEqual([])
    expect(allowed(callerAs('admin', ['admin']), closed)).toEqual(PERMISSIONS)
  },
)

test('what a member was granted on one base counts there, switch or no switch, and nowhere else', () => {
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

test('a token of the scope read changes nothing, whoever holds it', () => {
  expect(allowed(callerAs('owner', ['read']))).toEqual(['member', 'chat'])
  expect(allowed(callerAs('owner', []))).toEqual([])
})

test('nobody may do anything in a workspace that they are not in', () => {
  expect(allowed(callerAs('owner', ['admin']), { ...ACME, workspace_id: 'other' })).toEqual([])
  expect(canCreateKnowledgeBase(callerAs('owner', ['admin']), 'other')).toBe(false)
})

test('every member may make a knowledge base, with a token that may change things', () => {
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
