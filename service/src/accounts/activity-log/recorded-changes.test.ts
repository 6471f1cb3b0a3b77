import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { expect, test } from 'vitest'
import { inWorkingOrder, type TeamEndpoint } from '../../../test/authorization-order.ts'
import { bodyOf, pathWith } from '../../../test/authorization-requests.ts'
import { createAuthorizationWorld } from '../../../test/authorization-world.ts'
import { startTestService } from '../../../test/start-service.ts'

const CHANGING = ALL_ENDPOINTS.filter(
  (endpoint): endpoint is TeamEndpoint =>
    endpoint.caller === 'access-token' && endpoint.method !== 'GET' && endpoint.permission !== 'operate',
)

interface StoredEntry {
  action: string
  target_type: string
  target_name: string | null
  knowledge_base_id: string | null
}

test('the entry of each change says in which base it was made, and the name of what was changed', async () => {
  await using citewell = await startTestService()
  const world = createAuthorizationWorld(citewell)
  const realm = await world.addRealm(await world.addWorkspace())
  const entries = async () =>
    (await citewell.rows(
      `select action, target_type, target_name, knowledge_base_id from activity_log
       where workspace_id = '${realm.workspaceId}' order by sequence`,
    )) as unknown as StoredEntry[]
  const before = (await entries()).length
  for (const endpoint of inWorkingOrder(CHANGING)) {
    await world.send(endpoint.method, pathWith(endpoint, realm.records), {
      token: realm.owner.token,
      body: bodyOf(endpoint, realm.records),
    })
  }
  const base = realm.records['knowledge-bases']
  const told = (await entries()).slice(before).map((entry) => {
    const place = entry.knowledge_base_id === base ? 'in the base' : 'elsewhere'
    const name = entry.target_name?.replace(/^realm-[0-9a-f]{12}$/, 'a server name') ?? 'without a name'
    return `${entry.action}, ${entry.target_type}, ${name}, ${place}`
  })
  expect(told.toSorted()).toEqual([
    'access_token.created, access_token, deploy script, elsewhere',
    'access_token.deleted, access_token, one, elsewhere',
    'access_token.revoked, access_token, another, elsewhere',
    'agent_app.created, agent_app, Refunds, in the base',
    'agent_app.deleted, agent_app, Refunds, in the base',
    'agent_app.updated, agent_app, Refunds, in the base',
    'approval.created, approval, without a name, in the base',
    'approval.decided, approval, without a name, in the base',
    'approval.deleted, approval, without a name, in the base',
    'bot.created, bot, Help, in the base',
    'bot.deleted, bot, Help, in the base',
    'bot.updated, bot, Help, in the base',
    'client_key.created, client_key, Website, in the base',
    'client_key.revoked, client_key, Website, in the base',
    'client_key.updated, client_key, Website, in the base',
    'connected_tool.disconnected, connected_tool, Editor, elsewhere',
    'conversation.deleted, conversation, without a name, in the base',
    'conversation.deleted, conversation, without a name, in the base',
    'conversations.purged, conversations, without a name, elsewhere',
    'custom_answer.created, custom_answer, Realm docs, in the base',
    'custom_answer.deleted, custom_answer, How do I get a refund?, in the base',
    'custom_answer.updated, custom_answer, How do I get a refund?, in the base',
    'document.deleted, document, faq-2, in the base',
    'document.updated, document, faq-2, in the base',
    'documents.pushed, documents, pushed again, in the base',
    'documents.updated, documents, Realm docs, in the base',
    'evaluation.cancelled, evaluation, without a name, in the base',
    'evaluation.created, evaluation, Realm docs, in the base',
    'evaluation.deleted, evaluation, without a name, in the base',
    'evaluation_question.created, evaluation_question, Realm docs, in the base',
    'evaluation_question.deleted, evaluation_question, without a name, in the base',
    'evaluation_question.updated, evaluation_question, without a name, in the base',
    'evaluation_questions.imported, evaluation_questions, Realm docs, in the base',
    'files.uploaded, files, files, in the base',
    'form_deflector.created, form_deflector, Contact form, in the base',
    'form_deflector.deleted, form_deflector, Contact form, in the base',
    'form_deflector.updated, form_deflector, Contact form, in the base',
    'helpdesk_integration.created, helpdesk_integration, Support, in the base',
    'helpdesk_integration.deleted, helpdesk_integration, Support, in the base',
    'helpdesk_integration.updated, helpdesk_integration, Support, in the base',
    'knowledge_base.archived, knowledge_base, Realm docs, in the base',
    'knowledge_base.created, knowledge_base, Another base, elsewhere',
    'knowledge_base.deleted, knowledge_base, Realm docs, in the base',
    'knowledge_base.restored, knowledge_base, Realm docs, in the base',
    'knowledge_base.updated, knowledge_base, Realm docs, in the base',
    'knowledge_gap.updated, knowledge_gap, without a name, in the base',
    'mcp_server.created, mcp_server, Realm docs, in the base',
    'mcp_server.deleted, mcp_server, a server name, in the base',
    'member.grant_taken_back, member, without a name, in the base',
    'member.granted, member, without a name, in the base',
    'member.invited, member, without a name, elsewhere',
    'member.removed, member, without a name, elsewhere',
    'member.role_changed, member, without a name, elsewhere',
    'member.session_ended, member, without a name, elsewhere',
    'member.signed_out_everywhere, member, without a name, elsewhere',
    'pushed_document.deleted, pushed_document, pushed again, in the base',
    'report.deleted, report, without a name, in the base',
    'simulation.cancelled, simulation, Simulation, in the base',
    'simulation.created, simulation, Simulation, in the base',
    'simulation.deleted, simulation, Simulation, in the base',
    'source.created, source, pushed, in the base',
    'source.deleted, source, pushed again, in the base',
    'source.updated, source, pushed again, in the base',
    'source_connection.deleted, source_connection, google, in the base',
    'source_group.created, source_group, Version 2, in the base',
    'source_group.deleted, source_group, Version 2, in the base',
    'source_group.updated, source_group, Version 2, in the base',
    'sync.cancelled, sync, without a name, in the base',
    'syncs.started, syncs, Realm docs, in the base',
    'uploaded_file.deleted, uploaded_file, keys.md, in the base',
    'webhook.redelivered, webhook, without a name, in the base',
    'webhook_trigger.created, webhook_trigger, hook, in the base',
    'webhook_trigger.deleted, webhook_trigger, hook, in the base',
    'widget.created, widget, Acme docs, in the base',
    'widget.deleted, widget, Acme docs, in the base',
    'widget.updated, widget, Acme docs, in the base',
    'workspace.updated, workspace, Acme, elsewhere',
  ])
}, 180_000)
