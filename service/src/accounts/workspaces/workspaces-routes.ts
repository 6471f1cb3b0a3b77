import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { TokenScope } from '@citewell/contract/endpoint'
import { pageOfRows, parsePageQuery } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { AccessTokenRow, AccessTokens } from '../access-tokens/access-tokens.ts'
import type { Caller } from '../permissions/permissions.ts'
import { presentInstanceWorkspace, presentWorkspace } from './present-workspace.ts'
import type { KnowledgeBases } from '../knowledge-bases/knowledge-bases.ts'
import type { InstanceWorkspaces, Workspaces } from './workspaces.ts'
import type { WorkspaceRow } from './workspaces-store.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentCallingToken = (token: AccessTokenRow) => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes as TokenScope[],
  expires_at: token.expires_at?.toISOString() ?? null,
  is_operator: token.is_operator,
})

export interface WorkspaceRoutesDeps {
  workspaces: Workspaces
  instanceWorkspaces: InstanceWorkspaces
  knowledgeBases: Pick<KnowledgeBases, 'suspendAll' | 'resumeAll'>
  accessTokens: AccessTokens
  passwords: { has: (userId: string) => Promise<boolean> }
  /** Public URL of the service, without a trailing slash. */
  publicUrl: () => string
}

export function workspaceRoutes(deps: WorkspaceRoutesDeps) {
  const present = (row: WorkspaceRow, caller: Caller) =>
    presentWorkspace(row, caller, deps.workspaces.modelProblemOf)

  return [
    endpoint(ENDPOINTS.listWorkspaces, async ({ caller, query }) =>
      pageOfRows(
        await deps.instanceWorkspaces.list(caller, parsePageQuery(query)),
        query.limit,
        presentInstanceWorkspace,
      ),
    ),
    endpoint(ENDPOINTS.createWorkspace, async ({ caller, body }) => {
      const { workspace, email, code, expiresAt } = await deps.instanceWorkspaces.create(caller, body)
      const url = `${deps.publicUrl()}/invitation?code=${code}`
      return {
        ...presentInstanceWorkspace(workspace),
        invitation: { email, url, expires_at: expiresAt.toISOString() },
      }
    }),
    endpoint(ENDPOINTS.suspendWorkspace, async ({ caller, params }) => {
      await deps.knowledgeBases.suspendAll(caller, params.id)
      return present(await deps.workspaces.get(caller, params.id), caller)
    }),
    endpoint(ENDPOINTS.resumeWorkspace, async ({ caller, params }) => {
      await deps.knowledgeBases.resumeAll(caller, params.id)
      return present(await deps.workspaces.get(caller, params.id), caller)
    }),
    endpoint(ENDPOINTS.getMe, async ({ caller }) => {
      const { user, workspaces } = await deps.workspaces.me(caller)
      const token = await deps.accessTokens.current(caller)
      return {
        user: {
          id: user.id,
          email: user.email,
          name: user.name,
          has_password: await deps.passwords.has(user.id),
        },
        workspaces: workspaces.map(({ id, name, plan, role }) => ({ id, name, plan, role })),
        token: token === undefined ? null : presentCallingToken(token),
        session:
          caller.session === undefined
            ? null
            : { csrf: caller.session.csrf, expires_at: caller.session.expiresAt.toISOString() },
      }
    }),
    endpoint(ENDPOINTS.getWorkspace, async ({ caller, params }) =>
      present(await deps.workspaces.get(caller, params.id), caller),
    ),
    endpoint(ENDPOINTS.updateWorkspace, async ({ caller, params, body }) =>
      present(await deps.workspaces.change(caller, params.id, body), caller),
    ),
    endpoint(ENDPOINTS.tryWorkspaceLlm, async ({ caller, params, body, signal }) => {
      const tried = await deps.workspaces.tryLlm(caller, params.id, body.llm, signal)
      return {
        ok: tried.error === undefined,
        model: tried.model ?? null,
        first_ms: tried.firstMs ?? null,
        error: tried.error ?? null,
      }
    }),
  ]
}
