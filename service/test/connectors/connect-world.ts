import { afterAll, beforeAll } from 'vitest'
import { joinTestWorkspace } from '../join-workspace.ts'
import { PUBLIC_URL } from '../open-composed.ts'
import { openTestManagement, type TestManagement } from '../test-management.ts'
import type { OAuthApps } from '../../src/content/source-connections/source-connections.ts'
import { TIMEOUT } from './connector-world.ts'

export interface ConnectionRecord {
  id: string
  status: string
  account: string | null
  authorize_url: string
}

interface Answered<Body> {
  status: number
  body: Body
}

/** A service with apps at platforms, and members who are signed in with browsers. Opened once for a test file. */
export function shareConnectWorld(apps: OAuthApps) {
  const apiOrigins: Record<string, string> = {}
  let opened: TestManagement | undefined
  beforeAll(async () => {
    opened = await openTestManagement({ settings: { connectApps: apps }, surroundings: { apiOrigins } })
  }, TIMEOUT.timeout)
  afterAll(async () => await opened?.close())

  return () => {
    if (opened === undefined) throw new Error('The service has not started.')
    const api: TestManagement = opened

    /** A member signed in with a browser; of a workspace of their own, or of that of another. */
    async function openBrowser(workspaceId?: string, role: 'owner' | 'member' = 'owner') {
      const member = await joinTestWorkspace(api.db, () => api.clock.time, {
        role,
        ...(workspaceId !== undefined && { workspaceId }),
      })
      const cookie = `__Host-citewell_session=${await api.sessions.begin(member.userId)}`
      const request = async (method: string, path: string, body?: unknown, csrf = '') =>
        await api.service.fetch(
          new Request(`${PUBLIC_URL}${path}`, {
            method,
            headers: {
              cookie,
              'x-citewell-csrf': csrf,
              'sec-fetch-site': 'same-origin',
              ...(body !== undefined && { 'content-type': 'application/json' }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          }),
        )
      const me = (await (await request('GET', '/api/v1/me')).json()) as { session: { csrf: string } }
      async function ask<Body = Record<string, string>>(
        method: string,
        path: string,
        body?: unknown,
      ): Promise<Answered<Body>> {
        const response = await request(method, `/api/v1${path}`, body, me.session.csrf)
        const text = await response.text()
        return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Body }
      }
      return {
        workspaceId: member.workspaceId,
        ask,
        /** Comes back from a platform. Returns the status and the page. */
        comeBack: async (address: URL | undefined) => {
          const response = await request('GET', `${address?.pathname ?? '/nowhere'}${address?.search ?? ''}`)
          return { status: response.status, page: await response.text() }
        },
        /** A base, and the beginning of a connecting for it. */
        makeBase: async () =>
          (
            await ask('POST', '/knowledge-bases', {
              name: 'Connected docs',
              workspace_id: member.workspaceId,
            })
          ).body['id'] ?? '',
        start: async (baseId: string, platform: string) =>
          await ask<ConnectionRecord>('POST', `/knowledge-bases/${baseId}/source-connections`, { platform }),
      }
    }
    return { ...api, apiOrigins, openBrowser }
  }
}
