// Made by `npm run sdk-files` from the endpoints of the contract. Do not edit.

import type { CallOptions, PagePromise } from './management-call.ts'

/** Every operation of the management API. Fields have the names of the reference (`/docs`). */
export interface ManagementApi {
  /** List the knowledge bases. */
  listKnowledgeBases(query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Id of the workspace. */
    workspace_id?: string | undefined
    /** Both if omitted. */
    status?: 'active' | 'archived' | undefined
  }, options?: CallOptions): PagePromise<KnowledgeBasePage>
  /** Make a knowledge base. An external one is created with a public client key and a website widget, both in the response. */
  createKnowledgeBase(body: NewKnowledgeBase, options?: CallOptions): Promise<CreatedKnowledgeBase>
  /** Read a knowledge base. */
  getKnowledgeBase(id: string, options?: CallOptions): Promise<KnowledgeBase>
  /** Change a knowledge base. Only what you send is changed; objects are merged key by key. `type` and `workspace_members_can_chat` need Edit Config. Making a base internal revokes its client keys immediately and restricts its documents. Making it external again does not publish them; if it then has no live client key or no widget, they are created as for a new base, and returned. */
  updateKnowledgeBase(id: string, body: KnowledgeBaseChange, options?: CallOptions): Promise<ChangedKnowledgeBase>
  /** Delete a knowledge base. Permanently, with all its records; its keys, widgets and servers stop working immediately. If it is not empty, send its exact name as `confirm`. */
  deleteKnowledgeBase(id: string, body?: DeleteKnowledgeBase, options?: CallOptions): Promise<DeletedKnowledgeBase>
  /** Preview a deletion. */
  previewKnowledgeBaseDeletion(id: string, options?: CallOptions): Promise<DeletionPreview>
  /** Preview a change to internal. What stops when the knowledge base becomes internal, which bots go on, and which documents become restricted. Only what works now is counted; of an internal knowledge base nothing but its bots. */
  previewTypeChange(id: string, query?: {
    to?: 'internal' | undefined
  }, options?: CallOptions): Promise<TypeChangePreview>
  /** Archive a knowledge base. It answers nothing, runs no syncs, cannot be changed, and does not count towards the plan. */
  archiveKnowledgeBase(id: string, options?: CallOptions): Promise<KnowledgeBase>
  /** Restore an archived knowledge base. */
  restoreKnowledgeBase(id: string, options?: CallOptions): Promise<KnowledgeBase>
  /** Try the masking of personal data. Masks a text as a question of a reader would be, with the settings of the knowledge base or those in the body. Nothing is stored or logged. */
  tryPiiMasking(id: string, body: TryPiiMasking, options?: CallOptions): Promise<TriedPiiMasking>
  /** List the grants of members. */
  listKnowledgeBaseGrants(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<KnowledgeBaseGrantPage>
  /** List the grants on all knowledge bases. For owners and admins. By knowledge base, then by person. */
  listWorkspaceGrants(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<WorkspaceGrantPage>
  /** Grant permissions to a member. Replaces the earlier grant of the member. Owners and admins need no grant: they have all permissions. */
  putKnowledgeBaseGrant(id: string, userId: string, body: GrantedPermissions, options?: CallOptions): Promise<KnowledgeBaseGrant>
  /** Revoke a grant. Takes effect from the next request. */
  deleteKnowledgeBaseGrant(id: string, userId: string, options?: CallOptions): Promise<void>
  /** List the sources. */
  listSources(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    type?: 'website' | 'sitemap' | 'repository' | 'files' | 'openapi' | 'discourse' | 'github' | 'notion' | 'zendesk_help_center' | 'confluence' | 'jira' | 'mail_archive' | 'mailbox' | 'mediawiki' | 'gitlab' | 'intercom' | 'freshdesk_solutions' | 'help_scout_docs' | 's3' | 'google_drive' | 'sharepoint' | 'slack_channels' | 'push' | 'custom_answers' | undefined
  }, options?: CallOptions): PagePromise<SourcePage>
  /** Add a source. It is not read yet: start a sync, upload files to it, or send documents to it. */
  createSource(id: string, body: NewSource, options?: CallOptions): Promise<Source>
  /** Preview a source. Reads a few pages, stores nothing, and gives a reason for each address that it left out. */
  previewSource(id: string, body: SourceToPreview, options?: CallOptions): Promise<SourcePreview>
  /** Watch a preview of a source. The same preview as a stream of server-sent events: what the site is, then each page and each address that is left out, as they come. The last frame has the whole preview. */
  watchPreview(id: string, body: SourceToPreview, options?: CallOptions): AsyncGenerator<Exclude<PreviewFrame, StreamError>, void, void>
  /** Read a source. */
  getSource(id: string, options?: CallOptions): Promise<Source>
  /** Change a source. A new group or version label applies immediately to everything already indexed, without a new sync. A changed `config` applies from the next sync on. */
  updateSource(id: string, body: SourceChange, options?: CallOptions): Promise<Source>
  /** Delete a source. With its documents: answers stop using them immediately. */
  deleteSource(id: string, options?: CallOptions): Promise<void>
  /** List the platforms whose accounts can be connected. */
  listConnectablePlatforms(id: string, options?: CallOptions): Promise<ConnectablePlatforms>
  /** List the connected accounts. */
  listSourceConnections(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<SourceConnectionPage>
  /** Connect an account. Begins to connect an account that sources are read with. Only for a member who is signed in with a browser: the platform sends the person back to it. */
  startSourceConnection(id: string, body: NewSourceConnection, options?: CallOptions): Promise<StartedConnection>
  /** Read a connected account. */
  getSourceConnection(id: string, options?: CallOptions): Promise<SourceConnection>
  /** Connect an account again. Its sources keep it, and are read with its new tokens. Only for a member who is signed in with a browser: the platform sends the person back to it. */
  restartSourceConnection(id: string, options?: CallOptions): Promise<StartedConnection>
  /** Disconnect an account. Takes back at the platform what was allowed, where the platform has a way to, and forgets the tokens. What its sources have read stays; they are not read again until they have another account or credentials. */
  deleteSourceConnection(id: string, options?: CallOptions): Promise<void>
  /** Start a sync. Reads the source and updates the index. If a sync is already queued or running, it is returned. */
  startSync(id: string, body?: SyncToStart, options?: CallOptions): Promise<SyncSummary>
  /** Start a sync of each source. Reads every source of the knowledge base again. Sources to which documents are pushed are left out. Of a source that is being read, that sync is returned. */
  startSyncs(id: string, options?: CallOptions): Promise<StartedSyncs>
  /** List the syncs of a source. Newest first. */
  listSyncs(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<SyncPage>
  /** Read a sync. */
  getSync(id: string, options?: CallOptions): Promise<Sync>
  /** Follow a sync. Streams its progress as server-sent events. The stream ends when the sync does. */
  followSync(id: string, options?: CallOptions): AsyncGenerator<Exclude<SyncFrame, StreamError>, void, void>
  /** List the errors of a sync. In the order in which they were met; at most the first 1,000. Empty until the sync has ended, and when a hundred later ones of its source have. */
  listSyncErrors(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Only these. */
    kind?: 'failed' | 'skipped' | undefined
  }, options?: CallOptions): PagePromise<SyncErrorPage>
  /** List the changes of a sync. The documents that it added, changed or removed, in the order in which they were written; at most the first 1,000. Empty until the sync has ended. */
  listSyncChanges(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Only these. */
    kind?: 'added' | 'changed' | 'removed' | undefined
  }, options?: CallOptions): PagePromise<SyncChangePage>
  /** Retry what a sync could not read. Starts a sync that reads these addresses alone, without following links, and removes nothing. Sources that cannot read single addresses are read whole. If a sync of the source is already queued or running, it is returned. */
  retrySync(id: string, body?: SyncToRetry, options?: CallOptions): Promise<SyncSummary>
  /** Cancel a sync. It stops within a second or two. What was read so far is kept. A sync that has ended is not changed. */
  cancelSync(id: string, options?: CallOptions): Promise<SyncSummary>
  /** List the documents that a sync holds back. By document id. Empty if it holds none, or no longer. */
  listHeldDocuments(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<HeldDocumentPage>
  /** Accept a sync that is held back. Readers see all of its documents from then on: added, changed and removed at the same moment. */
  acceptSync(id: string, options?: CallOptions): Promise<SyncSummary>
  /** Discard a sync that is held back. Readers go on seeing what they saw. The next sync reads the source from the beginning, and is measured again. */
  discardSync(id: string, options?: CallOptions): Promise<SyncSummary>
  /** Follow a knowledge base. Streams what happens in it as server-sent events, at most one frame a second: the progress of its syncs, and which lists have changed. The first frame comes at once. The stream ends after some minutes, and when the caller may no longer see the base: connect again. One person has at most 20 of them. */
  followKnowledgeBase(id: string, options?: CallOptions): AsyncGenerator<Exclude<BaseFrame, StreamError>, void, void>
  /** List the documents. */
  listDocuments(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Id of the source. */
    source_id?: string | undefined
    /** Restricted documents are never used by the public API or the widget. */
    visibility?: 'public' | 'restricted' | undefined
    /** Only documents whose title or address contains this text. */
    q?: string | undefined
    /** Only documents with exactly this version label. */
    label?: string | undefined
    /** The order; a minus in front reverses it. A cursor belongs to the order with which it was given out. Default: the oldest first. */
    sort?: 'title' | '-title' | 'indexed_at' | '-indexed_at' | 'chunk_count' | '-chunk_count' | undefined
    /** Only the document at exactly this address, as given in records and citations, or at this path within its source. */
    url?: string | undefined
  }, options?: CallOptions): PagePromise<DocumentPage>
  /** Count the documents. As many as the list with the same filters has, by visibility. */
  countDocuments(id: string, query?: {
    /** Id of the source. */
    source_id?: string | undefined
    /** Restricted documents are never used by the public API or the widget. */
    visibility?: 'public' | 'restricted' | undefined
    /** Only documents whose title or address contains this text. */
    q?: string | undefined
    /** Only documents with exactly this version label. */
    label?: string | undefined
  }, options?: CallOptions): Promise<DocumentCounts>
  /** Make documents public or restricted. Several at once, all or none. Takes effect from the next question. Documents of an internal knowledge base are always restricted. */
  updateDocuments(id: string, body: DocumentsChange, options?: CallOptions): Promise<ChangedDocuments>
  /** Read a document with its passages. */
  getDocument(id: string, options?: CallOptions): Promise<Document>
  /** Make a document public or restricted. Takes effect from the next question. Documents of an internal knowledge base are always restricted. */
  updateDocument(id: string, body: DocumentChange, options?: CallOptions): Promise<Document>
  /** Delete a document. For a `files` source also the uploaded file. A page of a website returns with the next sync, unless the source excludes it. */
  deleteDocument(id: string, options?: CallOptions): Promise<void>
  /** Send documents. To a `push` source. A document with a known `external_id` is replaced. They can be found as soon as the call returns. At most 16 MiB. */
  pushDocuments(id: string, body: PushDocuments, options?: CallOptions): Promise<PushedDocuments>
  /** Delete a pushed document. */
  deletePushedDocument(id: string, externalId: string, options?: CallOptions): Promise<void>
  /** Upload files. To a `files` source: PDF, DOCX, Markdown, reStructuredText, AsciiDoc, HTML, notebooks, text, slides (PPTX), or tables (CSV, TSV, XLSX), at most 100 MiB in total and 20 MiB of text per file. A file with a known name replaces the earlier one. They are indexed by the returned sync. */
  uploadFiles(id: string, body: UploadFiles, options?: CallOptions): Promise<UploadedFiles>
  /** List uploaded files. Those of a `files` source, the newest first. A file that was replaced keeps its place. */
  listUploadedFiles(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<ListedFilePage>
  /** Delete an uploaded file. With its document, if it has one. */
  deleteUploadedFile(id: string, options?: CallOptions): Promise<void>
  /** List the source groups. */
  listSourceGroups(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<SourceGroupPage>
  /** Make a source group. Needs the Enterprise plan. */
  createSourceGroup(id: string, body: NewSourceGroup, options?: CallOptions): Promise<SourceGroup>
  /** Change a source group. */
  updateSourceGroup(id: string, body: SourceGroupChange, options?: CallOptions): Promise<SourceGroup>
  /** Delete a source group. Its sources are kept, without a group. */
  deleteSourceGroup(id: string, options?: CallOptions): Promise<void>
  /** List the custom answers. */
  listCustomAnswers(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<CustomAnswerPage>
  /** Write a custom answer. It can be found as soon as the call returns. The first one creates a source of the type `custom_answers`, one for each source group. */
  createCustomAnswer(id: string, body: NewCustomAnswer, options?: CallOptions): Promise<CustomAnswer>
  /** Change a custom answer. Takes effect from the next question. In an internal knowledge base it stays restricted. */
  updateCustomAnswer(id: string, body: CustomAnswerChange, options?: CallOptions): Promise<CustomAnswer>
  /** Delete a custom answer. */
  deleteCustomAnswer(id: string, options?: CallOptions): Promise<void>
  /** List the client keys. */
  listClientKeys(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<ClientKeyPage>
  /** Make a client key. An internal knowledge base has no client keys. The secret of a pair is shown only in this response. */
  createClientKey(id: string, body: NewClientKey, options?: CallOptions): Promise<CreatedClientKey>
  /** Change a client key. */
  updateClientKey(id: string, body: ClientKeyChange, options?: CallOptions): Promise<ClientKey>
  /** Revoke a client key. It stops working immediately, and cannot be restored. */
  revokeClientKey(id: string, options?: CallOptions): Promise<void>
  /** List the widgets. */
  listWidgets(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<WidgetPage>
  /** Make a widget. */
  createWidget(id: string, body: NewWidget, options?: CallOptions): Promise<Widget>
  /** Read a widget. */
  getWidget(id: string, options?: CallOptions): Promise<Widget>
  /** Change a widget. */
  updateWidget(id: string, body: WidgetChange, options?: CallOptions): Promise<Widget>
  /** Delete a widget. */
  deleteWidget(id: string, options?: CallOptions): Promise<void>
  /** List the form deflectors. */
  listFormDeflectors(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<FormDeflectorPage>
  /** Make a form deflector. */
  createFormDeflector(id: string, body: NewFormDeflector, options?: CallOptions): Promise<FormDeflector>
  /** Read a form deflector. */
  getFormDeflector(id: string, options?: CallOptions): Promise<FormDeflector>
  /** Change a form deflector. */
  updateFormDeflector(id: string, body: FormDeflectorChange, options?: CallOptions): Promise<FormDeflector>
  /** Delete a form deflector. */
  deleteFormDeflector(id: string, options?: CallOptions): Promise<void>
  /** List the MCP servers. */
  listMcpServers(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<McpServerPage>
  /** Check whether readers may connect AI tools. The origin of `mcp_available` in `widget-config`. Client keys with MCP access can connect in any case. */
  getMcpAvailability(id: string, options?: CallOptions): Promise<McpAvailability>
  /** Make an MCP server. */
  createMcpServer(id: string, body: NewMcpServer, options?: CallOptions): Promise<McpServer>
  /** Change an MCP server: always refused. Neither its name nor its sign-in type can be changed: tools depend on both. Delete it and make another. The response is always 400. */
  updateMcpServer(id: string, options?: CallOptions): Promise<McpServer>
  /** Delete an MCP server. Anyone may use its name again. */
  deleteMcpServer(id: string, options?: CallOptions): Promise<void>
  /** List the webhooks. */
  listWebhookTriggers(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<WebhookTriggerPage>
  /** Register a webhook. From now on each selected event is posted to the address, once: nothing is retried. The receiver has 10 seconds to answer. */
  createWebhookTrigger(id: string, body: NewWebhookTrigger, options?: CallOptions): Promise<WebhookTrigger>
  /** Remove a webhook. Nothing more is sent to it. Its log is deleted too. */
  deleteWebhookTrigger(id: string, options?: CallOptions): Promise<void>
  /** Read the log of a webhook. Newest first. The log goes back 30 days. */
  listWebhookDeliveries(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<WebhookDeliveryPage>
  /** Resend a delivery. The same bytes with the same `webhook-id`, signed at the time of sending. It is a separate delivery in the log. */
  redeliverWebhook(id: string, options?: CallOptions): Promise<WebhookDelivery>
  /** List the bots. */
  listBots(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<BotPage>
  /** Connect a bot. A bot answers everyone in its channel. A bot that was connected before its knowledge base became internal continues to answer; connecting one to an internal base must be acknowledged. */
  createBot(id: string, body: NewBot, options?: CallOptions): Promise<Bot>
  /** Read a bot. */
  getBot(id: string, options?: CallOptions): Promise<Bot>
  /** Change a bot. */
  updateBot(id: string, body: BotChange, options?: CallOptions): Promise<Bot>
  /** Disconnect a bot. */
  deleteBot(id: string, options?: CallOptions): Promise<void>
  /** Read how to connect a bot. The address and the manifest to enter at the platform, and the credentials that the bot needs. `CONFLICT` for a platform that is driven by your own program. */
  getBotSetup(id: string, options?: CallOptions): Promise<BotSetup>
  /** Check the connection of a bot. Asks the platform whether the stored credentials work, and which permissions are missing. It posts nothing. In Discord and Telegram it registers the command `/ask` if it is not there yet; in Telegram it sets the webhook, if the bot has one. */
  checkBot(id: string, options?: CallOptions): Promise<BotCheck>
  /** List the help-desk integrations. */
  listHelpdeskIntegrations(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<HelpdeskIntegrationPage>
  /** Add a help-desk integration. It answers customers from public documents, so an internal knowledge base cannot have one. */
  createHelpdeskIntegration(id: string, body: NewHelpdeskIntegration, options?: CallOptions): Promise<HelpdeskIntegration>
  /** Read a help-desk integration. */
  getHelpdeskIntegration(id: string, options?: CallOptions): Promise<HelpdeskIntegration>
  /** Change a help-desk integration. */
  updateHelpdeskIntegration(id: string, body: HelpdeskIntegrationChange, options?: CallOptions): Promise<HelpdeskIntegration>
  /** Delete a help-desk integration. */
  deleteHelpdeskIntegration(id: string, options?: CallOptions): Promise<void>
  /** Read how to connect a help desk. The address to enter at the help desk, and the credentials and settings that it needs. `CONFLICT` for one that is driven by your own program. */
  getHelpdeskSetup(id: string, options?: CallOptions): Promise<HelpdeskSetup>
  /** Check the connection of a help desk. Asks the help desk whether the stored credentials work, and what is missing. It posts nothing; where this service asks for changes, it does so now. */
  checkHelpdesk(id: string, options?: CallOptions): Promise<HelpdeskCheck>
  /** Hand in a message of a customer. Answers a ticket or a message of a chat, or escalates it to a person, and returns which. Sends the event `ticket.deflected` or `ticket.escalated`. */
  takeTicketMessage(id: string, body: TicketMessage, options?: CallOptions): Promise<TicketOutcome>
  /** List the agent apps. */
  listAgentApps(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<AgentAppPage>
  /** Add an agent app. */
  createAgentApp(id: string, body: NewAgentApp, options?: CallOptions): Promise<AgentApp>
  /** Read an agent app. */
  getAgentApp(id: string, options?: CallOptions): Promise<AgentApp>
  /** Change an agent app. */
  updateAgentApp(id: string, body: AgentAppChange, options?: CallOptions): Promise<AgentApp>
  /** Delete an agent app. Its approvals are deleted too. */
  deleteAgentApp(id: string, options?: CallOptions): Promise<void>
  /** List the approvals. Newest first. */
  listApprovals(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    status?: 'pending' | 'approved' | 'rejected' | undefined
  }, options?: CallOptions): PagePromise<ApprovalPage>
  /** Ask for approval. */
  createApproval(id: string, body: NewApproval, options?: CallOptions): Promise<Approval>
  /** Read an approval. */
  getApproval(id: string, options?: CallOptions): Promise<Approval>
  /** Approve or reject. A decided approval cannot be changed, and one that has expired cannot be approved: 409. An approved action is carried out once. */
  decideApproval(id: string, body: ApprovalChange, options?: CallOptions): Promise<Approval>
  /** Delete an approval. */
  deleteApproval(id: string, options?: CallOptions): Promise<void>
  /** Read tickets from a file. Reads past tickets for a simulation, and says what it would cost: a table (CSV) with a column `body`, and perhaps `id`, `subject`, `created_at`, `tags` and `first_agent_reply`; JSON with the same fields, as a list or one a line; an export of Zendesk; a mailbox (mbox); or a question a line. Quotations and signatures are taken away. Of more than 2,000 a sample is drawn. Nothing is stored: send `tickets`, `left_out` and `sample` with a new simulation. */
  readTicketFile(id: string, body: TicketFile, query?: {
    /** How many tickets to try at most. */
    most?: number | undefined
    by?: 'random' | 'month_and_tag' | undefined
    seed?: number | undefined
  }, options?: CallOptions): Promise<TicketsOfFile>
  /** List the simulations. Newest first. */
  listSimulations(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<SimulationPage>
  /** Start a simulation. Runs in the background. Its questions count towards the monthly quota. Not available under zero data retention: it would have to store its answers. */
  createSimulation(id: string, body: NewSimulation, options?: CallOptions): Promise<Simulation>
  /** Read a simulation. With its first 200 tickets; list its tickets for all of them. */
  getSimulation(id: string, options?: CallOptions): Promise<SimulationWithTickets>
  /** List the tickets of a simulation. In the order in which they were sent. `to_review`: tickets that would have been answered and nobody has reviewed, in an order by chance that stays the same, so that those that are reviewed stand for all. */
  listSimulatedTickets(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Only those with this outcome. */
    outcome?: 'deflected' | 'low_confidence' | 'answer_failed' | undefined
    to_review?: 'true' | 'false' | undefined
  }, options?: CallOptions): PagePromise<SimulatedTicketPage>
  /** Say whether the answer to a ticket is right. The report counts as solved what was right, and shows the interval that so many reviews allow. Null takes a review back. */
  reviewSimulatedTicket(id: string, body: NewTicketReview, options?: CallOptions): Promise<SimulatedTicket>
  /** Read the report of a simulation. How many tickets would have been answered, with the interval that so many tickets allow; how many of the answers are right, as far as they were reviewed; by tag, month, language and length; and what was left out. */
  getSimulationReport(id: string, query?: {
    /** Another simulation of the same knowledge base: the same tickets are compared. */
    against?: string | undefined
  }, options?: CallOptions): Promise<SimulationReport>
  /** Cancel a simulation. Results so far are kept. A finished simulation is not changed. */
  cancelSimulation(id: string, options?: CallOptions): Promise<Simulation>
  /** Delete a simulation. */
  deleteSimulation(id: string, options?: CallOptions): Promise<void>
  /** List the conversations. Most recently started first. Several filters are combined with AND. Reports of AI tools are listed at `/api/v1/knowledge-bases/{id}/reports`. */
  listConversations(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Where the question came from. */
    surface?: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team' | undefined
    /** Only conversations with an answer that has this rating. */
    rating?: 'up' | 'down' | undefined
    /** Compared with `covered` of the conversation. */
    covered?: 'true' | 'false' | undefined
    /** Started at this time or later; a day counts from its start, in UTC. */
    from?: string | undefined
    /** Started before this time; a day counts to its end. */
    to?: string | undefined
    /** Only if one question with its answer contains all of these words, in any inflected form. */
    text?: string | undefined
    /** Only of this reader. */
    user?: string | undefined
  }, options?: CallOptions): PagePromise<ConversationPage>
  /** Read a conversation. */
  getConversation(id: string, options?: CallOptions): Promise<Conversation>
  /** Delete a conversation. Permanently, with its answers, ratings and traces; it no longer counts in the analytics. Also works on an archived knowledge base. */
  deleteConversation(id: string, options?: CallOptions): Promise<void>
  /** List the questions that have a trace. Newest first. */
  listTraces(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Only complete answers that were covered, or that were not. */
    covered?: 'true' | 'false' | undefined
    /** Where the question came from. */
    surface?: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team' | undefined
    vote?: 'up' | 'down' | undefined
  }, options?: CallOptions): PagePromise<TracePage>
  /** Read the trace of an answer. The question, the search, the results with their scores, the evidence in the prompt, the text of the model, and the check of each citation. Pages that are not public are withheld from members who may not chat in the knowledge base. Reports of AI tools do not belong to a single answer: they are listed at `/api/v1/knowledge-bases/{id}/reports`. */
  getTrace(id: string, options?: CallOptions): Promise<Trace>
  /** Replay a question. The same question, in the same scope and after the same earlier turns, answered with the current pages and settings, or with those in the body. The answer is not stored, does not count against the quota, and causes no webhook. A question that was allowed restricted pages also needs the permission Chat. */
  replayMessage(id: string, body?: ReplayMessage, options?: CallOptions): Promise<Replay>
  /** Try a question. Answers a question with the settings of the knowledge base, or with others that are not saved, and shows every step. The answer is not stored, does not count against the quota, and causes no webhook; a language model is called. */
  tryQuestion(id: string, body: TryQuestion, options?: CallOptions): Promise<AnswerSteps>
  /** List the ratings. Of readers and members, first given last. Comments are text from unknown people: do not render them as HTML or Markdown. */
  listFeedback(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    vote?: 'up' | 'down' | undefined
    /** Only ratings with a comment, or only those without. */
    has_comment?: 'true' | 'false' | undefined
  }, options?: CallOptions): PagePromise<FeedbackPage>
  /** List reports of AI tools. Wrong answers and gaps that were reported with the MCP tool `feedback`, newest first. Several filters are combined with AND. */
  listReports(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Reported at this time or later; a day counts from its start, in UTC. */
    from?: string | undefined
    /** Reported before this time; a day counts to its end. */
    to?: string | undefined
    /** Only with this text in the message or the address. */
    text?: string | undefined
    /** Only from this server. */
    server_name?: string | undefined
    /** Only of this person. */
    user?: string | undefined
  }, options?: CallOptions): PagePromise<ReportPage>
  /** Delete a report. Permanently; it no longer counts in the analytics. Also works on an archived knowledge base. */
  deleteReport(id: string, options?: CallOptions): Promise<void>
  /** See what was asked, and how well it was answered. Days are days in UTC, and a range has at most 366 of them. Questions are grouped by similarity: the last 1,000 of the range for `top_questions`, and the last 1,000 that were not covered or rated down for `knowledge_gaps`. */
  getAnalytics(id: string, query?: {
    /** First day, in UTC. 30 days up to `to` if omitted. */
    from?: string | undefined
    /** Last day, in UTC. Today if omitted. */
    to?: string | undefined
  }, options?: CallOptions): Promise<Analytics>
  /** List the knowledge gaps. Questions about one topic whose answers were not covered or were rated down. A gap keeps its id while questions join it, so it can be answered, resolved and watched. `knowledge_gaps` of the analytics has the same gaps. */
  listKnowledgeGaps(id: string, query?: {
    /** All if omitted. Open ones are those that were asked in the range. */
    status?: 'open' | 'resolved' | 'dismissed' | undefined
    /** First day, in UTC. 30 days up to `to` if omitted. */
    from?: string | undefined
    /** Last day, in UTC. Today if omitted. */
    to?: string | undefined
  }, options?: CallOptions): Promise<KnowledgeGaps>
  /** Export knowledge gaps as Markdown files. One file for each gap: its questions, the closest pages, your note. The questions are quoted as data: they are text of unknown people. */
  exportKnowledgeGaps(id: string, query?: {
    /** All if omitted. Open ones are those that were asked in the range. */
    status?: 'open' | 'resolved' | 'dismissed' | undefined
    /** First day, in UTC. 30 days up to `to` if omitted. */
    from?: string | undefined
    /** Last day, in UTC. Today if omitted. */
    to?: string | undefined
  }, options?: CallOptions): Promise<ExportedGaps>
  /** Read a knowledge gap. */
  getKnowledgeGap(id: string, options?: CallOptions): Promise<KnowledgeGapDetail>
  /** Resolve, dismiss or reopen a knowledge gap, or note something. */
  updateKnowledgeGap(id: string, body: KnowledgeGapChange, options?: CallOptions): Promise<TrackedKnowledgeGap>
  /** Ask all questions of a knowledge gap again. Each in the scope in which it was asked, after the same earlier turns, with the current pages and settings; the last 50 wordings. Nothing is stored but whether each was covered, and nothing counts against the quota; a language model is called. The answer comes when all have been asked. */
  replayKnowledgeGap(id: string, options?: CallOptions): Promise<ReplayedGap>
  /** List the questions of the evaluation set. Last added first. */
  listEvaluationQuestions(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<EvaluationQuestionPage>
  /** Add a question to the evaluation set. A knowledge base has at most 500 of them. */
  createEvaluationQuestion(id: string, body: NewEvaluationQuestion, options?: CallOptions): Promise<EvaluationQuestion>
  /** Add questions to the evaluation set, from a file or from ratings. All of them or none. A question that is in the set already is left as it is. A knowledge base has at most 500 questions; of ratings, as many as there is room for. */
  importEvaluationQuestions(id: string, body: ImportEvaluationQuestions, options?: CallOptions): Promise<ImportedEvaluationQuestions>
  /** Change a question of the evaluation set. */
  updateEvaluationQuestion(id: string, body: EvaluationQuestionChange, options?: CallOptions): Promise<EvaluationQuestion>
  /** Delete a question of the evaluation set. */
  deleteEvaluationQuestion(id: string, options?: CallOptions): Promise<void>
  /** List the evaluations. Newest first. */
  listEvaluations(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<EvaluationPage>
  /** Run the evaluation set. Asks every question of the set in the background, as readers of a public page ask; of an internal base, as its members do. Nothing is stored as a conversation, and nothing counts against the quota or in the analytics; a language model is called. One run of a base at a time; the last 50 are kept. */
  createEvaluation(id: string, options?: CallOptions): Promise<Evaluation>
  /** Read an evaluation, compared with another one. */
  getEvaluation(id: string, query?: {
    /** An evaluation of the same knowledge base. The last one that succeeded before it if omitted. */
    against?: string | undefined
  }, options?: CallOptions): Promise<EvaluationDetail>
  /** Cancel an evaluation. Results so far are kept. A finished evaluation is not changed. */
  cancelEvaluation(id: string, options?: CallOptions): Promise<Evaluation>
  /** Delete an evaluation. */
  deleteEvaluation(id: string, options?: CallOptions): Promise<void>
  /** Export conversations. A row for each question with its answer, of the conversations that the filters find. At most 5,000 rows, the newest; if there are more, the response header `X-Citewell-Truncated` is `true`. */
  exportConversations(id: string, query?: {
    /** Where the question came from. */
    surface?: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team' | undefined
    /** Only conversations with an answer that has this rating. */
    rating?: 'up' | 'down' | undefined
    /** Compared with `covered` of the conversation. */
    covered?: 'true' | 'false' | undefined
    /** Started at this time or later; a day counts from its start, in UTC. */
    from?: string | undefined
    /** Started before this time; a day counts to its end. */
    to?: string | undefined
    /** Only if one question with its answer contains all of these words, in any inflected form. */
    text?: string | undefined
    /** Only of this reader. */
    user?: string | undefined
    /** `csv`: a line of column names, then a line for each row, for spreadsheets, in UTF-8 with a byte order mark; a text that a spreadsheet would run as a formula has an apostrophe before it. `ndjson`: a JSON object a line. */
    format?: 'csv' | 'ndjson' | undefined
  }, options?: CallOptions): Promise<string>
  /** Export the figures of each day. A row for each day and surface with a question, in UTC. */
  exportAnalytics(id: string, query?: {
    /** First day, in UTC. 30 days up to `to` if omitted. */
    from?: string | undefined
    /** Last day, in UTC. Today if omitted. */
    to?: string | undefined
    /** `csv`: a line of column names, then a line for each row, for spreadsheets, in UTF-8 with a byte order mark; a text that a spreadsheet would run as a formula has an apostrophe before it. `ndjson`: a JSON object a line. */
    format?: 'csv' | 'ndjson' | undefined
  }, options?: CallOptions): Promise<string>
  /** Export the activity log. For owners and admins. At most 5,000 rows, the newest; if there are more, the response header `X-Citewell-Truncated` is `true`. */
  exportActivity(id: string, query?: {
    /** What was done, and to what kind of record. */
    action?: string | undefined
    /** Only what this person did. */
    actor_id?: string | undefined
    /** Only what was done to this knowledge base. */
    knowledge_base_id?: string | undefined
    /** `csv`: a line of column names, then a line for each row, for spreadsheets, in UTF-8 with a byte order mark; a text that a spreadsheet would run as a formula has an apostrophe before it. `ndjson`: a JSON object a line. */
    format?: 'csv' | 'ndjson' | undefined
  }, options?: CallOptions): Promise<string>
  /** Ask a question as a member. The stream of the public chat. Restricted documents are used too. */
  askAsMember(id: string, body: ChatBody, options?: CallOptions): AsyncGenerator<Exclude<ChatFrame, StreamError>, void, void>
  /** Search the pages as a member. */
  searchAsMember(id: string, body: SearchBody, options?: CallOptions): Promise<SearchResults>
  /** List suggested questions for a member. */
  suggestQuestionsToMember(id: string, options?: CallOptions): Promise<SuggestedQuestions>
  /** Ask the knowledge bases of a workspace. One knowledge base answers: the one with the best evidence, among those that you may chat in and that your lists leave. A conversation is continued in its own knowledge base, if that is among them; otherwise a new one begins. */
  askInWorkspace(id: string, body: WorkspaceChatBody, options?: CallOptions): AsyncGenerator<Exclude<WorkspaceChatFrame, StreamError>, void, void>
  /** Search the knowledge bases of a workspace. Only those that you may chat in. */
  searchInWorkspace(id: string, body: WorkspaceSearchBody, options?: CallOptions): Promise<WorkspaceSearchResults>
  /** Rate an answer as a member. Only an answer of your own conversations, in a knowledge base that you may chat in. An answer has one rating: sending another replaces it. It counts like the ratings of readers; its `source` is `team`. */
  rateMessage(id: string, body: RateMessage, options?: CallOptions): Promise<Feedback>
  /** Withdraw your rating of an answer. */
  withdrawRating(id: string, options?: CallOptions): Promise<void>
  /** List your conversations. What you asked as a member, in all knowledge bases that you may still chat in. Most recently started first. Empty under zero retention. */
  listMyConversations(query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** Id of the knowledge base. */
    knowledge_base_id?: string | undefined
  }, options?: CallOptions): PagePromise<OwnConversationPage>
  /** Read one of your conversations. */
  getMyConversation(id: string, options?: CallOptions): Promise<Conversation>
  /** Delete one of your conversations. Permanently, with its answers, ratings and traces; it no longer counts in the analytics. Also works on an archived knowledge base. */
  deleteMyConversation(id: string, options?: CallOptions): Promise<void>
  /** List all workspaces of the instance. For operators of the instance. `GET /me` has the workspaces of the caller. */
  listWorkspaces(query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<InstanceWorkspacePage>
  /** Make a workspace. For operators of the instance. The response contains a link for its first owner, which works once and for seven days. */
  createWorkspace(body: NewWorkspace, options?: CallOptions): Promise<CreatedWorkspace>
  /** Suspend a workspace. For operators of the instance. Archives its active knowledge bases: they answer nothing on any surface, and run no syncs. Its members still sign in, read and delete, and can neither make nor restore a knowledge base. */
  suspendWorkspace(id: string, options?: CallOptions): Promise<Workspace>
  /** Resume a suspended workspace. For operators of the instance. Restores the knowledge bases that the suspension archived, as they were: the oldest first, as many as the plan allows now. The others stay archived, and the activity log says how many. */
  resumeWorkspace(id: string, options?: CallOptions): Promise<Workspace>
  /** Read a workspace. */
  getWorkspace(id: string, options?: CallOptions): Promise<Workspace>
  /** Change a workspace. For its owners and admins. `plan` and `monthly_question_allowance` can only be set by operators of the instance: with the token of its command line, or the one it was started with. */
  updateWorkspace(id: string, body: WorkspaceChange, options?: CallOptions): Promise<Workspace>
  /** Try a language model. Asks the model of the workspace, or one with the settings in the body, a tiny question, and stops it at its first word; at most 20 seconds. The provider may charge for it. Nothing is stored. One at a time for each workspace. */
  tryWorkspaceLlm(id: string, body?: TryWorkspaceLlm, options?: CallOptions): Promise<TriedWorkspaceLlm>
  /** List the members. */
  listMembers(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<WorkspaceMemberPage>
  /** Invite a person. The response contains a link for the person, which works once and for seven days. Inviting again makes a new link and invalidates the previous one. Admins cannot invite owners. */
  inviteMember(id: string, body: NewMember, options?: CallOptions): Promise<InvitedMember>
  /** Change the role of a member. A workspace always has at least one owner. Admins cannot make or change owners. */
  updateMember(id: string, userId: string, body: MemberChange, options?: CallOptions): Promise<WorkspaceMember>
  /** Remove a member or revoke an invitation. Their access tokens lose access to the workspace from the next request on. A person who is in no other workspace is signed out, and loses tokens, password, linked providers and connected tools; operator tokens go on with the account of the first owner. */
  removeMember(id: string, userId: string, options?: CallOptions): Promise<void>
  /** List a member's access tokens. Tokens with access to this workspace, without the secrets. Not available for a person who is only invited; admins do not see tokens of owners. */
  listMemberAccessTokens(id: string, userId: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<MemberAccessTokenPage>
  /** Revoke a member's access token. It loses access to this workspace from the next request on, and so do all tokens created with it. In other workspaces of its owner it continues to work; if there are none, it is deleted. Operator tokens cannot be revoked here. */
  revokeMemberAccessToken(id: string, userId: string, accessId: string, options?: CallOptions): Promise<void>
  /** Make a link for setting a password. For a member who has forgotten their password or has none yet. For operators of the instance. Earlier links stop working. */
  createPasswordLink(body: NewPasswordLink, options?: CallOptions): Promise<PasswordLink>
  /** Read the activity log. Who did what, newest first. For owners and admins. */
  listActivity(id: string, query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
    /** What was done, and to what kind of record. */
    action?: string | undefined
    /** Only what this person did. */
    actor_id?: string | undefined
    /** Only what was done to this knowledge base. */
    knowledge_base_id?: string | undefined
  }, options?: CallOptions): PagePromise<ActivityPage>
  /** Read your account. */
  getMe(options?: CallOptions): Promise<Me>
  /** Delete your account. You leave every workspace, and your sessions, access tokens, password, linked providers, grants, invitations and connected tools are deleted immediately. What you made stays with its workspace; your name and e-mail address are deleted 30 days later, until then the activity log names you. Refused with 409 while you are the only owner of a workspace. */
  deleteMe(body?: DeleteAccount, options?: CallOptions): Promise<void>
  /** List the browsers in which you are signed in. */
  listMySessions(query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<BrowserSessionPage>
  /** Sign one browser out. From its next request on. */
  endMySession(id: string, options?: CallOptions): Promise<void>
  /** Sign out everywhere. Ends all your browser sessions immediately. Connected tools are not affected; access tokens only if requested. */
  endMySessions(query?: {
    /** `access_tokens`: also delete all your access tokens except the one that is sent. Operator tokens are kept. */
    also?: 'access_tokens' | undefined
  }, options?: CallOptions): Promise<void>
  /** List the AI tools that you have connected. */
  listConnectedTools(query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<ConnectedToolPage>
  /** Disconnect an AI tool. Its tokens are refused from its next request on. */
  deleteConnectedTool(id: string, options?: CallOptions): Promise<void>
  /** List your access tokens. */
  listAccessTokens(query?: {
    /** How many records to return. */
    limit?: number | undefined
    /** `next_cursor` of the previous page. */
    cursor?: string | undefined
  }, options?: CallOptions): PagePromise<AccessTokenPage>
  /** Make an access token. The token is shown only in this response. It cannot have a scope that the calling token lacks, nor expire later: if the calling token expires, `expires_at` is required. */
  createAccessToken(body: NewAccessToken, options?: CallOptions): Promise<CreatedAccessToken>
  /** Delete an access token. It stops working immediately. */
  deleteAccessToken(id: string, options?: CallOptions): Promise<void>
  /** Read this month's usage. A question counts when it is accepted, on any surface; it is refunded if its answer failed upstream before the first word. */
  getWorkspaceUsage(id: string, options?: CallOptions): Promise<WorkspaceUsage>
  /** Purge conversations. Permanently deletes conversations with their messages, traces and ratings, the webhook deliveries about them, and reports of AI tools: those of one reader, or all, then also approvals and simulations. It is safe to repeat: a repetition deletes whatever an interrupted purge left. */
  purgeConversations(id: string, body: PurgeConversations, options?: CallOptions): Promise<PurgedConversations>
  /** Run the diagnostics. Storage, index, models and tools, as shown by `citewell doctor`. For operators of the instance. */
  getDiagnostics(query?: {
    /** Also verify the hash chain of every activity log. */
    audit?: 'true' | 'false' | undefined
  }, options?: CallOptions): Promise<Diagnostics>
}

/** Gives a person, or their script, access to the management API. */
export interface AccessToken {
  id: string
  created_at: string
  updated_at: string
  /** Id of the owner. */
  user_id: string
  name: string
  /** Its first characters, to recognise it. */
  token_start: string
  /** What it may be used for: `read`, `config` (also change things), `admin` (also people, tokens and the workspace). It never has more permissions than its owner. */
  scopes: Array<'read' | 'config' | 'admin'>
  /** When it expires. Null: never. */
  expires_at: string | null
  last_used_at: string | null
}

/** One page of a list. */
export interface AccessTokenPage {
  data: Array<AccessToken>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** One entry of the append-only activity log. */
export interface ActivityEntry {
  id: string
  /** Id of the workspace. */
  workspace_id: string
  /** Its place in the log, without gaps. */
  sequence: number
  /** Kept when the knowledge base is deleted. */
  knowledge_base_id: string | null
  actor: {
    type: 'person' | 'service'
    user_id: string | null
    /** Of the person, or of the part of the service. Null: the person has been deleted. */
    name: string | null
    email: string | null
    /** The access token that was used. */
    token_id: string | null
    /** Null: it was deleted. */
    token_name: string | null
  }
  /** What was done, and to what kind of record. */
  action: string
  target: {
    type: string
    id: string
    /** The name at that time; for a person, the e-mail address. */
    name: string | null
  }
  /** Further details, which depend on the action. */
  details: Record<string, unknown>
  /** SHA-256 over the hash of the previous entry and this entry, in hex. */
  hash: string
  created_at: string
}

/** One page of a list. */
export interface ActivityPage {
  data: Array<ActivityEntry>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** An agent that acts with the knowledge base. Its replies and actions may wait for approval. */
export interface AgentApp {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** If false, it answers nothing. */
  enabled: boolean
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config: Record<string, unknown>
  /** Whether credentials are stored. */
  has_credentials: boolean
  /** Why it could not do its work last, and what to do; null as long as it works. A later success clears it. */
  problem: {
    because: string
    at: string
  } | null
  /** What it does. */
  description: string | null
}

/** `config` is merged key by key. If `config.api_url` then names another scheme, host or port, the stored credentials are deleted unless `credentials` are sent with it: they are never sent to a host that they were not given for. */
export interface AgentAppChange {
  name?: string | undefined
  /** If false, it answers nothing. */
  enabled?: boolean | undefined
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config?: Record<string, unknown> | undefined
  /** Replaces the stored ones; null deletes them. */
  credentials?: Record<string, string> | null | undefined
  /** What it does. */
  description?: string | null | undefined
}

/** One page of a list. */
export interface AgentAppPage {
  data: Array<AgentApp>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** What was asked in a period, and how well it was answered. */
export interface Analytics {
  /** Id of the knowledge base. */
  knowledge_base_id: string
  from: string
  to: string
  totals: AnswerFigures
  /** The same for an equal number of days before `from`, for comparison. */
  before: AnswerFigures
  surfaces: Array<SurfaceFigures>
  /** Every day from `from` to `to`, in UTC. */
  days: Array<DayFigures>
  /** Most asked first. */
  top_questions: Array<TopQuestion>
  /** Pages that still exist, by the number of answers that cite them. */
  top_pages: Array<TopPage>
  deflection: DeflectionFigures
  reports: ReportFigures
  /** Largest first. */
  knowledge_gaps: Array<KnowledgeGap>
  bounds: AnalyticsBounds
}

/** How much data the figures are based on. */
export interface AnalyticsBounds {
  /** Number of most recent questions that `top_questions` are based on. */
  grouped_questions: number
  /** False if there were more. */
  all_questions: boolean
  /** Number of most recent questions that `knowledge_gaps` are based on. */
  grouped_gaps: number
  all_gaps: boolean
  /** How questions were compared: by the embedding model, or by their words if there is no model. */
  compared_by: 'meaning' | 'words'
}

export interface AnswerFigures {
  /** Including those whose answer was cut off. */
  questions: number
  conversations: number
  /** Complete answers: neither cancelled by the reader nor failed. */
  finished: number
  /** Complete answers which say that the question is not covered. */
  not_covered: number
  /** Fraction of the complete answers. */
  covered_rate: number | null
  ratings: RatingCounts
  /** Milliseconds to the first piece of an answer. */
  first_ms: Percentiles
  /** Milliseconds to the end of an answer. */
  total_ms: Percentiles
}

/** How an answer was produced, step by step. */
export interface AnswerSteps {
  query: string
  rewritten_query: string | null
  /** Earlier turns that were taken into account, as sent to the model. */
  earlier: Array<{
    query: string
    answer: string | null
  }>
  scope: {
    top_k: number
    /** Null for all of them. */
    source_group_ids: Array<string> | null
    includes_restricted: boolean
  }
  /** `lexical`: keywords only, without an embedding model. */
  search_mode: 'hybrid' | 'lexical' | null
  /** Best first. */
  retrieved: Array<RetrievedPassage>
  coverage: CoverageJudgement | null
  /** `quotes`: sentences of the pages, word for word. `nobody`: the reader was told that the question is not covered. */
  writer: 'model' | 'quotes' | 'nobody' | null
  model: string | null
  /** The exact instructions of the model: the rules, and the instructions of the owner. */
  instructions: string | null
  evidence: Array<ShownEvidence>
  /** The answer as written by the model. */
  written: string | null
  citation_checks: Array<CitationCheck>
  /** The answer after the checks. */
  answer: string | null
  citations: Array<Citation>
  covered: boolean
  confidence: number
  stopped_by: string | null
  /** True if the answer is based on pages that you may not read: then its texts are null. */
  withheld: boolean
  /** Duration of each step, in order. */
  steps: Array<TraceStep>
  /** Milliseconds. Null if this point was never reached. */
  first_ms: number | null
  /** Milliseconds. Null if this point was never reached. */
  total_ms: number | null
}

/** An agent's reply or action that waits for a person's decision. */
export interface Approval {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the agent app. */
  agent_id: string
  /** Whether the agent wants to say something or to do something. */
  kind: 'reply' | 'action'
  title: string
  /** What the agent wants to say or do, for the person who decides. */
  content: string
  status: 'pending' | 'approved' | 'rejected'
  /** Null until someone has decided. */
  decision: 'approved' | 'rejected' | null
  comment: string | null
  /** Who decided. */
  decided_by: string | null
  decided_at: string | null
  /** What is carried out; null if nothing is. */
  action: {
    /** Name of a declared action. */
    name: string
    /** What its address gets. */
    input: Record<string, unknown>
  } | null
  /** What the person who decided made of the content; null if they left it. */
  edited_content: string | null
  /** From then on it cannot be approved. */
  expires_at: string | null
  execution: 'waiting' | 'done' | 'failed' | 'unknown' | null
  /** Why it was not carried out. */
  execution_note: string | null
  executed_at: string | null
}

/** The decision. It is final. */
export interface ApprovalChange {
  decision: 'approved' | 'rejected'
  comment?: string | null | undefined
  /** The content as the person who approves wants it. The agent’s own is kept beside it. */
  content?: string | undefined
}

/** One page of a list. */
export interface ApprovalPage {
  data: Array<Approval>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

export interface AskedQuestion {
  /** Id of the message. */
  message_id: string
  /** Id of the conversation. */
  conversation_id: string
  query: string
  /** Null if the answer was cut off. */
  covered: boolean | null
  vote: 'up' | 'down' | null
  comment: string | null
  asked_at: string
}

/** What happened in a knowledge base since the frame before. */
export interface BaseEvent {
  /** The syncs that changed since the frame before; in the first frame those that have not ended. */
  syncs: Array<SyncSummary>
  /** What was added, changed or removed since: read the list again if you show it. */
  changed: Array<'sources' | 'documents' | 'approvals' | 'simulations' | 'evaluations'>
}

/** One frame of the events of a knowledge base. */
export type BaseFrame = BaseEvent | StreamError

/** A chat bot that answers from the knowledge base. */
export interface Bot {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** If false, it answers nothing. */
  enabled: boolean
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config: Record<string, unknown>
  /** Whether credentials are stored. */
  has_credentials: boolean
  /** Why it could not do its work last, and what to do; null as long as it works. A later success clears it. */
  problem: {
    because: string
    at: string
  } | null
  /** The chat platform; fixed at creation. All but `other` are driven by this service; `other` is driven by your own program. */
  platform: 'slack' | 'teams' | 'discord' | 'mattermost' | 'google_chat' | 'telegram' | 'other'
  /** Whether it answers everyone in its channel from an internal knowledge base: it is on, and the base is internal. */
  answers_internal: boolean
}

/** `config` is merged key by key. If `config.api_url` then names another scheme, host or port, the stored credentials are deleted unless `credentials` are sent with it: they are never sent to a host that they were not given for. */
export interface BotChange {
  name?: string | undefined
  /** If false, it answers nothing. */
  enabled?: boolean | undefined
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config?: Record<string, unknown> | undefined
  /** Replaces the stored ones; null deletes them. */
  credentials?: Record<string, string> | null | undefined
  /** Required to switch a bot of an internal knowledge base on, and to give it its first credentials: from then on everyone in its channel gets answers. */
  acknowledge_internal?: boolean | undefined
}

/** Whether a bot is connected. */
export interface BotCheck {
  /** Whether nothing is missing. */
  is_working: boolean
  /** The account that the credentials open; null if they open none. */
  account: string | null
  /** What does not work, and what to do. */
  problems: Array<string>
  /** Permissions that the token lacks. */
  missing_scopes: Array<string>
  hook_url: string | null
}

/** One page of a list. */
export interface BotPage {
  data: Array<Bot>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** How to connect a bot. */
export interface BotSetup {
  hook_url: string | null
  /** What it needs. */
  credentials: Array<{
    /** Its name in `credentials`. */
    name: string
    /** Where to find it. */
    description: string
    is_set: boolean
  }>
  /** What may be set in `config`. */
  settings: Array<{
    name: string
    description: string
  }>
  /** The manifest of the app, to paste at the platform; null if it takes none. */
  manifest: Record<string, unknown> | null
}

/** A browser in which you are signed in. */
export interface BrowserSession {
  id: string
  /** Null if it is not known. */
  browser: string | null
  /** Whether it is the session of this request. */
  is_current: boolean
  /** When you signed in. */
  created_at: string
  /** Written at most once a minute. */
  last_seen_at: string
}

/** One page of a list. */
export interface BrowserSessionPage {
  data: Array<BrowserSession>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** The result of a change of several documents. */
export interface ChangedDocuments {
  /** How many had another visibility before. */
  changed: number
}

/** A knowledge base after a change; one that became external also with the key and widget created for it. */
export interface ChangedKnowledgeBase {
  id: string
  created_at: string
  updated_at: string
  /** Id of the workspace. */
  workspace_id: string
  name: string
  description: string | null
  /** `external` may answer the public. `internal` answers members of the workspace only, and all its documents are restricted. */
  type: 'external' | 'internal'
  status: 'active' | 'archived'
  /** Language of its pages, which decides how words are searched: as it was chosen, or as it was found out from the pages. Null: they are in English or in several languages, or not read yet. Null in a request: it is found out. */
  language: string | null
  /** Whether crawls obey robots.txt. */
  respect_robots_txt: boolean
  settings: {
    /** Whether MCP servers offer the tool `get_documents`. */
    mcp_documents_enabled: boolean
  }
  starter_questions: {
    /** `generated`: derived from the titles of public pages. */
    mode: 'generated' | 'own' | 'none'
    /** The questions of mode `own`, in order. */
    questions: Array<string>
  }
  /** An extra sync of every source, in addition to the refresh of each. */
  scheduled_crawling: 'hourly' | 'daily' | 'weekly' | 'monthly' | null
  /** Who answers. */
  persona: string | null
  /** How answers sound. */
  tone: string | null
  /** Instructions for every answer. */
  standing_instructions: string | null
  pii_masking: {
    /** Kinds of personal data to mask. `national_id`: numbers of the USA, the United Kingdom, Spain, France, Italy and Brazil. `secret`: keys and tokens by their well-known forms. */
    mask: Array<'email' | 'phone' | 'credit_card' | 'iban' | 'ip_address' | 'national_id' | 'secret'>
    /** Regular expressions of your own, in RE2 syntax: no back references, no look-around. Each is matched against one line at a time. */
    custom_patterns: Array<string>
    /** Exceptions from masking: a text, or a pattern between slashes that matches all of it. */
    allow_list: Array<string>
  }
  /** Whether every member of the workspace may ask it if it is internal. */
  workspace_members_can_chat: boolean
  /** Documents that answers can use now. */
  document_count: number
  /** What the caller may do with it: ask it as a member (`chat`), set it up (`config`), and archive, restore or delete it and change who may use it (`edit-config`). The scope of an access token counts too. */
  your_permissions: Array<'chat' | 'config' | 'edit-config'>
  /** The public client key that was created because the base became external and had no live key. */
  client_key?: CreatedClientKey | undefined
  /** The widget that was created because the base became external and had none. */
  widget?: Widget | undefined
}

/** A question. */
export interface ChatBody {
  /** The question. */
  query: string
  /** Continue this conversation. An invalid id starts a new one. */
  thread_id?: string | undefined
  /** How many passages to retrieve; more than 100 counts as 100. */
  top_k?: number | null | undefined
  /** Use only these source groups. If omitted or empty: all that the key may use. */
  group_ids?: Array<string> | null | undefined
  /** Who asks, for analytics; `id` is used when both are sent. */
  user?: {
    id?: string | null | undefined
    email?: string | null | undefined
  } | null | undefined
  /** Answer in the voice of this widget. Its `enabled` switch and its allowed origins then apply too. */
  widget_id?: string | null | undefined
}

/** A piece of the answer. */
export interface ChatDeltaFrame {
  /** The next piece of the answer: append it. */
  delta: string
  done: false
}

/** The first frame: what was found. */
export interface ChatFirstFrame {
  /** Pages found for the question. Omitted if nothing was found. */
  citations?: Array<Citation> | undefined
  done: false
}

/** One frame of a chat stream. */
export type ChatFrame = ChatFirstFrame | ChatDeltaFrame | ChatLastFrame | StreamError

/** The last frame: how the answer ended. */
export interface ChatLastFrame {
  done: true
  /** Send it to continue the conversation. Omitted under zero data retention. */
  thread_id?: string | undefined
  /** Send it to rate the answer. Omitted under zero data retention. */
  message_id?: string | undefined
  /** The citations of the answer. They replace the first list, and may be empty. */
  citations: Array<Citation>
  /** Only when the final text differs from the streamed one: it replaces it. */
  answer?: string | undefined
  /** False when the knowledge base does not cover the question. */
  covered: boolean
  confidence: number
  powered_by?: string | undefined
  powered_by_url?: string | undefined
}

/** One passage of a document, as it is searched. */
export interface Chunk {
  id: string
  /** The headings above the passage, outermost first. */
  heading_path: Array<string>
  /** Fragment id of its section. */
  anchor: string | null
  text: string
}

/** A passage that an answer is based on. */
export interface Citation {
  /** `[n]` in the text refers to the citation with index n. */
  index: number
  title: string
  /** Opens the page at the section, and in current browsers at the words. A document without its own address (an uploaded file, a local folder) has a page of this service that shows it. */
  url: string
  /** Id of the document. */
  document_id: string
  /** Id of the passage. */
  chunk_id: string
  /** The headings above the passage, outermost first. */
  heading_path: Array<string>
  excerpt: string
}

/** The check of one `[n]` that the model put after a sentence. */
export interface CitationCheck {
  /** As written by the model. */
  number: number
  claim: string | null
  /** `moved`: kept with another number, because citations of the answer are numbered from 1. */
  outcome: 'kept' | 'moved' | 'dropped'
  /** Its number in the answer. */
  became: number | null
  /** Why it was dropped: there was no excerpt with that number, or the excerpt does not support the sentence. */
  reason: 'not_offered' | 'not_supported' | null
}

/** The credential with which a page, an app or a server asks an external knowledge base. */
export interface ClientKey {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** `public`: one key, for pages and apps. `secret`: a client id and a client secret, for servers. */
  kind: 'public' | 'secret'
  /** For a public key: the value of `X-Client-Key`. */
  key?: string | undefined
  /** For a secret pair: the value of `X-Client-Id`. */
  client_id?: string | undefined
  /** Whether MCP servers accept it. Cannot be changed after creation. */
  allow_mcp_access: boolean
  /** Origins of the pages that may use it, such as `https://docs.example.com`. A bare domain such as `docs.example.com` means its https origin (`localhost:5173` its http one), and is stored as such. A star may replace the left-most part: `https://*.example.com`. One that is given twice is stored once. An empty list allows every page. */
  allowed_origins: Array<string>
  /** The source groups that it may use; `group_ids` of a request only narrow them further. An empty list allows the whole knowledge base. */
  allowed_source_group_ids: Array<string>
  status: 'live' | 'revoked'
  last_used_at: string | null
}

/** `allow_mcp_access` cannot be changed. */
export interface ClientKeyChange {
  name?: string | undefined
  /** Origins of the pages that may use it, such as `https://docs.example.com`. A bare domain such as `docs.example.com` means its https origin (`localhost:5173` its http one), and is stored as such. A star may replace the left-most part: `https://*.example.com`. One that is given twice is stored once. An empty list allows every page. */
  allowed_origins?: Array<string> | undefined
  /** The source groups that it may use; `group_ids` of a request only narrow them further. An empty list allows the whole knowledge base. */
  allowed_source_group_ids?: Array<string> | undefined
}

/** One page of a list. */
export interface ClientKeyPage {
  data: Array<ClientKey>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** A page that was found for these questions. */
export interface ClosestPage {
  /** Id of the document. */
  document_id: string
  title: string
  url: string
  /** The best score among its questions. */
  score: number
}

/** Reads the pages and blog posts of a Confluence. */
export interface ConfluenceConfig {
  /** Address of Confluence: `https://….atlassian.net/wiki`, or that of your own server. */
  url: string
  /** Keys of the spaces to read. An empty list: every space that the account sees. */
  spaces?: Array<string> | undefined
  /** Whether files that are attached to pages are read too: PDF, Word, slides (PPTX), tables (XLSX, CSV, TSV), Markdown, HTML and text, each as a document of its own. */
  attachments?: boolean | undefined
  /** Whether pages without restrictions that only those who sign in may read have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

export interface ConnectablePlatforms {
  platforms: Array<{
    /** Where the account is. */
    platform: 'google' | 'microsoft' | 'atlassian' | 'notion' | 'github' | 'slack'
    name: string
    /** Whether the operator has set the app that accounts are connected with. */
    is_set_up: boolean
    /** The address to register at the platform as the redirect address of the app. */
    redirect_url: string
  }>
}

/** An AI tool that reads an MCP server on your behalf. */
export interface ConnectedTool {
  id: string
  created_at: string
  updated_at: string
  /** The name that the tool gave. */
  client_name: string
  /** Where it was authorised from: your own machine, or a website. */
  redirect_host: string
  /** The MCP server that it reads. */
  url: string
  /** At the portal: whether it reads every base that you may chat in, including future ones. Null elsewhere. */
  reads_all: boolean | null
  /** At the portal: the bases that you chose. Null elsewhere. */
  knowledge_base_ids: Array<string> | null
  /** Written at most once a minute. Null: never. */
  last_used_at: string | null
}

/** One page of a list. */
export interface ConnectedToolPage {
  data: Array<ConnectedTool>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** A conversation with its messages. */
export interface Conversation {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Where the question came from. */
  surface: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team'
  /** The reader as named by the caller. For the surface `team`, the id of the member. */
  user: string | null
  /** The client key of the caller. Null if a member asked. */
  client_key_id: string | null
  /** Its first question. */
  first_query: string
  message_count: number
  /** False if one of its answers was not covered. Null if no answer was finished. */
  covered: boolean | null
  /** Number of its answers with each rating. */
  ratings: {
    up: number
    down: number
  }
  /** Its questions with their answers, oldest first: the first 1,000. */
  messages: Array<Message>
}

/** One page of a list. */
export interface ConversationPage {
  data: Array<ConversationSummary>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** A conversation without its messages. */
export interface ConversationSummary {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Where the question came from. */
  surface: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team'
  /** The reader as named by the caller. For the surface `team`, the id of the member. */
  user: string | null
  /** The client key of the caller. Null if a member asked. */
  client_key_id: string | null
  /** Its first question. */
  first_query: string
  message_count: number
  /** False if one of its answers was not covered. Null if no answer was finished. */
  covered: boolean | null
  /** Number of its answers with each rating. */
  ratings: {
    up: number
    down: number
  }
}

/** Whether the passages answer the question, judged before the answer was written. */
export interface CoverageJudgement {
  covered: boolean
  confidence: number
  /** The features of the judgement, each 0 to 1. */
  features: Record<string, number>
}

/** A new access token. */
export interface CreatedAccessToken {
  id: string
  created_at: string
  updated_at: string
  /** Id of the owner. */
  user_id: string
  name: string
  /** Its first characters, to recognise it. */
  token_start: string
  /** What it may be used for: `read`, `config` (also change things), `admin` (also people, tokens and the workspace). It never has more permissions than its owner. */
  scopes: Array<'read' | 'config' | 'admin'>
  /** When it expires. Null: never. */
  expires_at: string | null
  last_used_at: string | null
  /** The token itself. It is shown only once. */
  token: string
}

/** A new client key. */
export interface CreatedClientKey {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** `public`: one key, for pages and apps. `secret`: a client id and a client secret, for servers. */
  kind: 'public' | 'secret'
  /** For a public key: the value of `X-Client-Key`. */
  key?: string | undefined
  /** For a secret pair: the value of `X-Client-Id`. */
  client_id?: string | undefined
  /** Whether MCP servers accept it. Cannot be changed after creation. */
  allow_mcp_access: boolean
  /** Origins of the pages that may use it, such as `https://docs.example.com`. A bare domain such as `docs.example.com` means its https origin (`localhost:5173` its http one), and is stored as such. A star may replace the left-most part: `https://*.example.com`. One that is given twice is stored once. An empty list allows every page. */
  allowed_origins: Array<string>
  /** The source groups that it may use; `group_ids` of a request only narrow them further. An empty list allows the whole knowledge base. */
  allowed_source_group_ids: Array<string>
  status: 'live' | 'revoked'
  last_used_at: string | null
  /** For a secret pair: the value of `X-Client-Secret`. It is shown only once. */
  client_secret?: string | undefined
}

/** A new knowledge base; an external one has a public client key and a widget. */
export interface CreatedKnowledgeBase {
  id: string
  created_at: string
  updated_at: string
  /** Id of the workspace. */
  workspace_id: string
  name: string
  description: string | null
  /** `external` may answer the public. `internal` answers members of the workspace only, and all its documents are restricted. */
  type: 'external' | 'internal'
  status: 'active' | 'archived'
  /** Language of its pages, which decides how words are searched: as it was chosen, or as it was found out from the pages. Null: they are in English or in several languages, or not read yet. Null in a request: it is found out. */
  language: string | null
  /** Whether crawls obey robots.txt. */
  respect_robots_txt: boolean
  settings: {
    /** Whether MCP servers offer the tool `get_documents`. */
    mcp_documents_enabled: boolean
  }
  starter_questions: {
    /** `generated`: derived from the titles of public pages. */
    mode: 'generated' | 'own' | 'none'
    /** The questions of mode `own`, in order. */
    questions: Array<string>
  }
  /** An extra sync of every source, in addition to the refresh of each. */
  scheduled_crawling: 'hourly' | 'daily' | 'weekly' | 'monthly' | null
  /** Who answers. */
  persona: string | null
  /** How answers sound. */
  tone: string | null
  /** Instructions for every answer. */
  standing_instructions: string | null
  pii_masking: {
    /** Kinds of personal data to mask. `national_id`: numbers of the USA, the United Kingdom, Spain, France, Italy and Brazil. `secret`: keys and tokens by their well-known forms. */
    mask: Array<'email' | 'phone' | 'credit_card' | 'iban' | 'ip_address' | 'national_id' | 'secret'>
    /** Regular expressions of your own, in RE2 syntax: no back references, no look-around. Each is matched against one line at a time. */
    custom_patterns: Array<string>
    /** Exceptions from masking: a text, or a pattern between slashes that matches all of it. */
    allow_list: Array<string>
  }
  /** Whether every member of the workspace may ask it if it is internal. */
  workspace_members_can_chat: boolean
  /** Documents that answers can use now. */
  document_count: number
  /** What the caller may do with it: ask it as a member (`chat`), set it up (`config`), and archive, restore or delete it and change who may use it (`edit-config`). The scope of an access token counts too. */
  your_permissions: Array<'chat' | 'config' | 'edit-config'>
  /** Its public client key. Null for an internal one. */
  client_key: CreatedClientKey | null
  /** Its website widget. Null for an internal one. */
  widget: Widget | null
}

/** A new workspace, with the link for its owner. */
export interface CreatedWorkspace {
  id: string
  created_at: string
  updated_at: string
  name: string
  plan: 'free' | 'pro' | 'enterprise'
  /** Questions per month. Null: the limit of the plan. */
  monthly_question_allowance: number | null
  /** Conversations and answers are not stored: answers have no thread_id and no message_id. */
  zero_data_retention: boolean
  /** Conversations are deleted after this many days without activity. Null keeps them. */
  retention_days: number | null
  /** Since when the operator of the instance has suspended it. Its knowledge bases are archived, and none is made or restored. Null: it is not suspended. */
  suspended_at: string | null
  /** Without people who are invited. */
  member_count: number
  /** Without archived ones. */
  knowledge_base_count: number
  /** The link with which the first owner joins. */
  invitation: {
    email: string
    /** Give it to the owner: it works once. It is shown only once. */
    url: string
    expires_at: string
  }
}

/** A question with a curated answer. It is searched and cited like a document. */
export interface CustomAnswer {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** The question in the words of a reader. It is the title of its citations. */
  question: string
  /** Markdown. Null if it is withheld. */
  answer: string | null
  /** Whether its text is withheld: restricted documents are only shown to callers who may ask the base. */
  withheld: boolean
  /** Where its citations link. Null: to a page of this service that shows it. */
  url: string | null
  /** Restricted documents are never used by the public API or the widget. */
  visibility: 'public' | 'restricted'
  /** Used only with keys and questions of this group. */
  source_group_id: string | null
  /** Id of the source. */
  source_id: string
  /** The document that is searched and cited. */
  document_id: string
}

export interface CustomAnswerChange {
  /** The question in the words of a reader. It is the title of its citations. */
  question?: string | undefined
  /** Markdown. */
  answer?: string | undefined
  /** Where its citations link. Null: to a page of this service that shows it. */
  url?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** Used only with keys and questions of this group. */
  source_group_id?: string | null | undefined
}

/** One page of a list. */
export interface CustomAnswerPage {
  data: Array<CustomAnswer>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** No settings: it contains the custom answers of a group. */
export type CustomAnswersConfig = Record<string, never>

export interface DayFigures {
  day: string
  questions: number
  /** Every surface with a question in the range. */
  by_surface: Record<string, number>
  /** Complete answers: neither cancelled by the reader nor failed. */
  finished: number
  not_covered: number
  /** A fraction from 0 to 1. Null if there is nothing to count. */
  covered_rate: number | null
  ratings: RatingCounts
}

/** Outcomes of support forms. */
export interface DeflectionFigures {
  /** Support forms that got an answer. */
  answered: number
  deflected: number
  submitted: number
  /** Fraction of those with a known outcome. */
  deflection_rate: number | null
}

/** Proves that it is you who deletes your account. */
export interface DeleteAccount {
  /** Your password. An account without one is deleted in a browser that was signed in within the last ten minutes. */
  password?: string | null | undefined
}

export interface DeleteKnowledgeBase {
  /** The exact name of the knowledge base. Required if it is not empty. */
  confirm?: string | undefined
}

/** What was deleted permanently. */
export interface DeletedKnowledgeBase {
  deleted: true
  /** Id of the knowledge base. */
  id: string
  counts: OwnedCounts
}

/** What a deletion would delete. */
export interface DeletionPreview {
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** Whether its exact name must be sent as `confirm`, because it is not empty. */
  requires_confirmation: boolean
  counts: OwnedCounts
}

/** What is known of a source as a whole. */
export interface DetectedSite {
  /** Title of the first page. */
  title: string | null
  /** What the site says it was made with. */
  generator: string | null
  /** A sitemap that is read. */
  sitemap: string | null
  /** Addresses found so far. There may be more. */
  pages_known: number
}

/** Whether everything that this service needs works. */
export interface Diagnostics {
  checks: Array<{
    name: string
    status: 'ok' | 'warning' | 'fault'
    /** What was found, and what to do if there is a problem. */
    detail: string
  }>
}

/** Reads the topics of a Discourse forum. */
export interface DiscourseConfig {
  /** Address of the forum. */
  url: string
  /** The user that the key was made for. Null: `system`. */
  username?: string | null | undefined
  /** Whether messages have the names of those who wrote them. Otherwise they have what these are in the thread: its author, a maintainer. */
  show_names?: boolean | undefined
}

/** One page that answers can use, with its passages. */
export interface Document {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the source. */
  source_id: string
  source_group_id: string | null
  title: string
  /** The address of the page. A document without its own address (an uploaded file, a local folder) has a page of this service. */
  url: string
  /** Restricted documents are never used by the public API or the widget. */
  visibility: 'public' | 'restricted'
  version_label: string | null
  indexed_at: string | null
  /** Time of the last change according to the source. */
  source_modified_at: string | null
  /** Number of its passages. */
  chunk_count: number
  /** What limits of this service left out of its text, a sentence for each limit, such as columns of a very wide table. Empty: nothing. */
  left_out: Array<string>
  chunks: Array<Chunk>
  /** Whether its text is withheld: restricted documents are only shown to callers who may ask the base. */
  withheld: boolean
}

export interface DocumentChange {
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
}

/** How many documents a filter finds. */
export interface DocumentCounts {
  total: number
  public: number
  restricted: number
}

/** One page of a list. */
export interface DocumentPage {
  data: Array<DocumentSummary>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** One page that answers can use. */
export interface DocumentSummary {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the source. */
  source_id: string
  source_group_id: string | null
  title: string
  /** The address of the page. A document without its own address (an uploaded file, a local folder) has a page of this service. */
  url: string
  /** Restricted documents are never used by the public API or the widget. */
  visibility: 'public' | 'restricted'
  version_label: string | null
  indexed_at: string | null
  /** Time of the last change according to the source. */
  source_modified_at: string | null
  /** Number of its passages. */
  chunk_count: number
  /** What limits of this service left out of its text, a sentence for each limit, such as columns of a very wide table. Empty: nothing. */
  left_out: Array<string>
}

export interface DocumentsChange {
  /** Those that do not exist in the knowledge base any more are skipped. */
  ids: Array<string>
  /** Restricted documents are never used by the public API or the widget. */
  visibility: 'public' | 'restricted'
}

export interface EarlierOutcome {
  /** Place of the first page that answers, from 1. Null if it is not among the first ten. */
  rank: number | null
  /** Null if it was not asked, or failed. */
  covered: boolean | null
  /** Whether the answer cites a page that answers. */
  cited: boolean | null
}

/** A run of the evaluation set: every question was asked as a reader would. */
export interface Evaluation {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  /** Questions of the set when it was started. */
  total: number
  /** Questions that were asked. */
  completed: number
  /** Of the questions that were asked so far. */
  figures: EvaluationFigures
  error: string | null
  started_at: string | null
  finished_at: string | null
}

/** A run with its results, compared with another one. */
export interface EvaluationDetail {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  /** Questions of the set when it was started. */
  total: number
  /** Questions that were asked. */
  completed: number
  /** Of the questions that were asked so far. */
  figures: EvaluationFigures
  error: string | null
  started_at: string | null
  finished_at: string | null
  results: Array<EvaluationResult>
  /** The run that `before` and `change` refer to. Null: there is no earlier one. */
  compared_with: Evaluation | null
}

export interface EvaluationFigures {
  /** A page that answers was found first; of questions that name a page. */
  hit1: PartOf
  /** It was among the first five pages. */
  hit5: PartOf
  /** The answer cites it. */
  cited: PartOf
  /** Answerable questions that were answered. */
  covered: PartOf
  /** Questions that are not answerable, and were refused. */
  refused_rightly: PartOf
  /** Questions whose answer failed. They count in no other figure. */
  failed: number
}

/** One page of a list. */
export interface EvaluationPage {
  data: Array<Evaluation>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** A question of the evaluation set of a knowledge base, with what should come out. */
export interface EvaluationQuestion {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  question: string
  /** The pages that answer it: one of them is enough. The part after `#` is ignored. Empty if no page is expected. */
  urls: Array<string>
  /** False for a question that the documentation does not cover, and that must be refused. */
  answerable: boolean
}

export interface EvaluationQuestionChange {
  question?: string | undefined
  /** The pages that answer it: one of them is enough. The part after `#` is ignored. Empty if no page is expected. */
  urls?: Array<string> | undefined
  /** False for a question that the documentation does not cover, and that must be refused. */
  answerable?: boolean | undefined
}

/** One page of a list. */
export interface EvaluationQuestionPage {
  data: Array<EvaluationQuestion>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** What came out for one question. */
export interface EvaluationResult {
  question: string
  /** The pages that answer it: one of them is enough. The part after `#` is ignored. Empty if no page is expected. */
  urls: Array<string>
  /** False for a question that the documentation does not cover, and that must be refused. */
  answerable: boolean
  /** Place of the first page that answers, from 1. Null if it is not among the first ten. */
  rank: number | null
  /** Null if it was not asked, or failed. */
  covered: boolean | null
  /** Whether the answer cites a page that answers. */
  cited: boolean | null
  /** Right: an answerable question was answered, and its page found among the first five; any other was refused. */
  status: 'waiting' | 'right' | 'wrong' | 'failed'
  /** The first five pages that were found, those that you may read. */
  found: Array<FoundPage>
  /** Of the same question in the run that it is compared with. Null if it was not in it. */
  before: EarlierOutcome | null
  /** Against the run that it is compared with: from wrong to right, or a better rank. */
  change: 'better' | 'worse' | 'same' | 'new'
}

/** A Markdown file for each gap, and one that says what they are: for whoever writes the documentation, a person or a coding agent. */
export interface ExportedGaps {
  files: Array<MarkdownFile>
}

/** The rating of one answer. */
export interface Feedback {
  id: string
  created_at: string
  updated_at: string
  /** Id of the workspace. */
  workspace_id: string
  /** Id of the message. */
  message_id: string
  vote: 'up' | 'down'
  comment: string | null
  /** Where the answer was given. */
  source: string
}

/** One page of a list. */
export interface FeedbackPage {
  data: Array<ListedFeedback>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** No settings: upload files to it. */
export type FilesConfig = Record<string, never>

/** A support form that offers an answer before a ticket is sent. */
export interface FormDeflector {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** If false, requests with its `form_id` are refused. */
  enabled: boolean
  /** Shorter texts are not answered: `too_short`. */
  min_characters: number
  /** Answers with lower confidence are withheld: `low_confidence`. */
  min_confidence: number
}

export interface FormDeflectorChange {
  name?: string | undefined
  /** If false, requests with its `form_id` are refused. */
  enabled?: boolean | undefined
  /** Shorter texts are not answered: `too_short`. */
  min_characters?: number | undefined
  /** Answers with lower confidence are withheld: `low_confidence`. */
  min_confidence?: number | undefined
}

/** One page of a list. */
export interface FormDeflectorPage {
  data: Array<FormDeflector>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

export interface FoundPage {
  title: string
  url: string
}

/** Reads the solution articles of a Freshdesk. */
export interface FreshdeskSolutionsConfig {
  /** Address of the help desk. Its own one (`….freshdesk.com`), not one of your domain. */
  url: string
}

/** A question of a knowledge gap. Text of an unknown person. */
export interface GapQuestion {
  /** Id of the message. */
  message_id: string
  /** Id of the conversation. */
  conversation_id: string
  query: string
  /** Where the question came from. */
  surface: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team'
  /** Null if the answer was cut off. */
  covered: boolean | null
  vote: 'up' | 'down' | null
  comment: string | null
  asked_at: string
  /** Whether it was covered when it was last asked again. Null if it was not. */
  covered_at_replay: boolean | null
}

/** Reads the issues, discussions and releases of a GitHub repository. */
export interface GithubConfig {
  /** Address of a repository at github.com or on a GitHub Enterprise Server. */
  url: string
  /** Read issues, open and closed. */
  issues?: boolean | undefined
  /** Read pull requests too. */
  pull_requests?: boolean | undefined
  /** Read discussions. GitHub shows them with a token only. */
  discussions?: boolean | undefined
  /** Read the notes of releases. */
  releases?: boolean | undefined
  /** Whether messages have the names of those who wrote them. Otherwise they have what these are in the thread: its author, a maintainer. */
  show_names?: boolean | undefined
}

/** Reads the issues and the wiki of a GitLab project. */
export interface GitlabConfig {
  /** Address of a project at gitlab.com or on a GitLab of your own. */
  url: string
  /** Read issues, open and closed. */
  issues?: boolean | undefined
  /** Read the pages of the wiki. */
  wiki?: boolean | undefined
  /** Whether messages have the names of those who wrote them. Otherwise they have what these are in the thread: its author, a maintainer. */
  show_names?: boolean | undefined
}

/** Reads the documents in folders of Google Drive. */
export interface GoogleDriveConfig {
  /** Addresses, or ids, of folders or shared drives: they are read with all folders in them. */
  folders: Array<string>
  /** With the key of a service account that may act for the users of its domain: the user to read as. Null: as the service account itself. */
  act_as?: string | null | undefined
  /** Whether files that not everyone may open have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

export interface GrantedPermissions {
  /** `config`: everything about the knowledge base except archiving, restoring, deleting, its type and its members switch. `chat`: ask it while the members switch is off. */
  permissions: Array<'config' | 'chat'>
}

/** A document that changes for readers when the sync is accepted. */
export interface HeldDocument {
  /** Id of the document. */
  id: string
  kind: 'added' | 'changed' | 'removed'
  /** As it will be. */
  title: string
  /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
  url: string
}

/** One page of a list. */
export interface HeldDocumentPage {
  data: Array<HeldDocument>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** Reads the articles of Help Scout Docs. */
export interface HelpScoutDocsConfig {
  /** The site to read: its name before `.helpscoutdocs.com`. Null: all sites. */
  site?: string | null | undefined
  /** Whether public collections of sites of which Help Scout does not say whether they need a sign-in have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

/** Whether a help desk is connected. */
export interface HelpdeskCheck {
  /** Whether nothing is missing. */
  is_working: boolean
  /** The account that the credentials open; null if they open none. */
  account: string | null
  /** What does not work, and what to do. */
  problems: Array<string>
  /** The address to enter at the help desk: it sends its events there. Null for one that this service asks for changes. */
  hook_url: string | null
}

/** Help-desk automation: answers tickets or chats. */
export interface HelpdeskIntegration {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** If false, it answers nothing. */
  enabled: boolean
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config: Record<string, unknown>
  /** Whether credentials are stored. */
  has_credentials: boolean
  /** Why it could not do its work last, and what to do; null as long as it works. A later success clears it. */
  problem: {
    because: string
    at: string
  } | null
  /** The help desk; fixed at creation. Tickets of Freshdesk, Request Tracker, Zammad and Zendesk, conversations of Front, Help Scout and HubSpot, chats of Chatwoot, Zendesk messaging and Intercom, and the mail of a mailbox, are read and answered by this service once it has credentials, everything else by your own program. */
  platform: 'zendesk' | 'zendesk_messaging' | 'intercom' | 'freshdesk' | 'helpscout' | 'hubspot' | 'front' | 'zammad' | 'chatwoot' | 'request_tracker' | 'email' | 'other'
  /** Tickets get one answer, and are handed to a person when the customer writes again. Chats get up to 5 answers. Fixed at creation. */
  handles: 'tickets' | 'chats'
}

/** `config` is merged key by key. If `config.api_url` then names another scheme, host or port, the stored credentials are deleted unless `credentials` are sent with it: they are never sent to a host that they were not given for. */
export interface HelpdeskIntegrationChange {
  name?: string | undefined
  /** If false, it answers nothing. */
  enabled?: boolean | undefined
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config?: Record<string, unknown> | undefined
  /** Replaces the stored ones; null deletes them. */
  credentials?: Record<string, string> | null | undefined
}

/** One page of a list. */
export interface HelpdeskIntegrationPage {
  data: Array<HelpdeskIntegration>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** How to connect a help desk. */
export interface HelpdeskSetup {
  /** The address to enter at the help desk: it sends its events there. Null for one that this service asks for changes. */
  hook_url: string | null
  /** What it needs. */
  credentials: Array<{
    /** Its name in `credentials`. */
    name: string
    /** Where to find it. */
    description: string
    is_set: boolean
  }>
  /** What may be set in `config`. */
  settings: Array<{
    name: string
    description: string
  }>
}

export interface ImportEvaluationQuestions {
  /** `jsonl`: a JSON object a line, with `question`, and `url` or `urls`, or `"answerable": false`. `csv`: a line of column names (`question`, `url`, `answerable`), then a line for each question; several addresses are separated by spaces. `ratings`: the questions whose answers were rated up, with the pages that they cite; no `text`. */
  format: 'jsonl' | 'csv' | 'ratings'
  /** The text of the file. */
  text?: string | undefined
}

export interface ImportedEvaluationQuestions {
  added: number
  /** Those that were in the set already; they are not changed. */
  known: number
  /** How many questions the set has now. */
  total: number
}

/** A workspace of the instance, for its operator. */
export interface InstanceWorkspace {
  id: string
  created_at: string
  updated_at: string
  name: string
  plan: 'free' | 'pro' | 'enterprise'
  /** Questions per month. Null: the limit of the plan. */
  monthly_question_allowance: number | null
  /** Conversations and answers are not stored: answers have no thread_id and no message_id. */
  zero_data_retention: boolean
  /** Conversations are deleted after this many days without activity. Null keeps them. */
  retention_days: number | null
  /** Since when the operator of the instance has suspended it. Its knowledge bases are archived, and none is made or restored. Null: it is not suspended. */
  suspended_at: string | null
  /** Without people who are invited. */
  member_count: number
  /** Without archived ones. */
  knowledge_base_count: number
}

/** One page of a list. */
export interface InstanceWorkspacePage {
  data: Array<InstanceWorkspace>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** Reads the public articles of an Intercom workspace. */
export interface IntercomConfig {
  /** Where Intercom keeps the data of the workspace. */
  region?: 'us' | 'eu' | 'au' | undefined
  /** The language to read. Null: the default language of each article. */
  locale?: string | null | undefined
  /** Whether published articles of a collection, whose audience Intercom does not tell, have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

/** An invited person, with the link to give to them. */
export interface InvitedMember {
  /** Id of the person. */
  id: string
  created_at: string
  updated_at: string
  /** Id of the workspace. */
  workspace_id: string
  /** Id of the person. */
  user_id: string
  email: string
  name: string
  /** `owner` and `admin` may do everything in the workspace, but only owners make, change and remove owners. A `member` reads and makes knowledge bases, and may do with each what its members may or what was granted. */
  role: 'owner' | 'admin' | 'member'
  /** `invited`: has not accepted the invitation yet, and has no permissions so far. */
  status: 'active' | 'invited'
  /** The link with which the person becomes a member. */
  invitation: {
    /** Give it to the person: it works once. It is shown only once. */
    url: string
    expires_at: string
  }
}

/** Reads the issues of a Jira, with their comments. */
export interface JiraConfig {
  /** Address of a Jira in the cloud. */
  url: string
  /** Keys of the projects to read. */
  projects: Array<string>
  /** Whether files that are attached to issues are read too: PDF, Word, slides (PPTX), tables (XLSX, CSV, TSV), Markdown, HTML and text, each as a document of its own. */
  attachments?: boolean | undefined
  /** Whether issues without a security level have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

/** The content that answers are based on, and how they are written. */
export interface KnowledgeBase {
  id: string
  created_at: string
  updated_at: string
  /** Id of the workspace. */
  workspace_id: string
  name: string
  description: string | null
  /** `external` may answer the public. `internal` answers members of the workspace only, and all its documents are restricted. */
  type: 'external' | 'internal'
  status: 'active' | 'archived'
  /** Language of its pages, which decides how words are searched: as it was chosen, or as it was found out from the pages. Null: they are in English or in several languages, or not read yet. Null in a request: it is found out. */
  language: string | null
  /** Whether crawls obey robots.txt. */
  respect_robots_txt: boolean
  settings: {
    /** Whether MCP servers offer the tool `get_documents`. */
    mcp_documents_enabled: boolean
  }
  starter_questions: {
    /** `generated`: derived from the titles of public pages. */
    mode: 'generated' | 'own' | 'none'
    /** The questions of mode `own`, in order. */
    questions: Array<string>
  }
  /** An extra sync of every source, in addition to the refresh of each. */
  scheduled_crawling: 'hourly' | 'daily' | 'weekly' | 'monthly' | null
  /** Who answers. */
  persona: string | null
  /** How answers sound. */
  tone: string | null
  /** Instructions for every answer. */
  standing_instructions: string | null
  pii_masking: {
    /** Kinds of personal data to mask. `national_id`: numbers of the USA, the United Kingdom, Spain, France, Italy and Brazil. `secret`: keys and tokens by their well-known forms. */
    mask: Array<'email' | 'phone' | 'credit_card' | 'iban' | 'ip_address' | 'national_id' | 'secret'>
    /** Regular expressions of your own, in RE2 syntax: no back references, no look-around. Each is matched against one line at a time. */
    custom_patterns: Array<string>
    /** Exceptions from masking: a text, or a pattern between slashes that matches all of it. */
    allow_list: Array<string>
  }
  /** Whether every member of the workspace may ask it if it is internal. */
  workspace_members_can_chat: boolean
  /** Documents that answers can use now. */
  document_count: number
  /** What the caller may do with it: ask it as a member (`chat`), set it up (`config`), and archive, restore or delete it and change who may use it (`edit-config`). The scope of an access token counts too. */
  your_permissions: Array<'chat' | 'config' | 'edit-config'>
}

/** Only the fields that are sent are changed. `settings`, `starter_questions` and `pii_masking` are merged key by key. */
export interface KnowledgeBaseChange {
  name?: string | undefined
  description?: string | null | undefined
  /** `external` may answer the public. `internal` answers members of the workspace only, and all its documents are restricted. */
  type?: 'external' | 'internal' | undefined
  /** Language of its pages, which decides how words are searched: as it was chosen, or as it was found out from the pages. Null: they are in English or in several languages, or not read yet. Null in a request: it is found out. */
  language?: string | null | undefined
  /** Whether crawls obey robots.txt. */
  respect_robots_txt?: boolean | undefined
  settings?: {
    /** Whether MCP servers offer the tool `get_documents`. */
    mcp_documents_enabled?: boolean | undefined
  } | undefined
  starter_questions?: {
    /** `generated`: derived from the titles of public pages. */
    mode?: 'generated' | 'own' | 'none' | undefined
    /** The questions of mode `own`, in order. */
    questions?: Array<string> | undefined
  } | undefined
  /** An extra sync of every source, in addition to the refresh of each. */
  scheduled_crawling?: 'hourly' | 'daily' | 'weekly' | 'monthly' | null | undefined
  /** Who answers. */
  persona?: string | null | undefined
  /** How answers sound. */
  tone?: string | null | undefined
  /** Instructions for every answer. */
  standing_instructions?: string | null | undefined
  pii_masking?: {
    /** Kinds of personal data to mask. `national_id`: numbers of the USA, the United Kingdom, Spain, France, Italy and Brazil. `secret`: keys and tokens by their well-known forms. */
    mask?: Array<'email' | 'phone' | 'credit_card' | 'iban' | 'ip_address' | 'national_id' | 'secret'> | undefined
    /** Regular expressions of your own, in RE2 syntax: no back references, no look-around. Each is matched against one line at a time. */
    custom_patterns?: Array<string> | undefined
    /** Exceptions from masking: a text, or a pattern between slashes that matches all of it. */
    allow_list?: Array<string> | undefined
  } | undefined
  /** Whether every member of the workspace may ask it if it is internal. */
  workspace_members_can_chat?: boolean | undefined
}

/** Permissions of a member on one knowledge base, beyond those of every member. */
export interface KnowledgeBaseGrant {
  /** Id of the person. */
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the person. */
  user_id: string
  /** `config`: everything about the knowledge base except archiving, restoring, deleting, its type and its members switch. `chat`: ask it while the members switch is off. */
  permissions: Array<'config' | 'chat'>
}

/** One page of a list. */
export interface KnowledgeBaseGrantPage {
  data: Array<KnowledgeBaseGrant>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** One page of a list. */
export interface KnowledgeBasePage {
  data: Array<KnowledgeBase>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** Questions about one topic whose answers were not covered, or were rated down. */
export interface KnowledgeGap {
  /** Id of the knowledge gap. */
  id: string
  status: 'open' | 'resolved' | 'dismissed'
  /** The most typical of these questions. */
  label: string
  /** Questions in the group, including repetitions. */
  count: number
  not_covered: number
  rated_down: number
  first_asked_at: string
  last_asked_at: string
  /** Up to 5, the most typical first, without duplicates. */
  examples: Array<AskedQuestion>
  /** The most recent first, at most 50. */
  message_ids: Array<string>
}

export interface KnowledgeGapChange {
  /** A resolved gap opens again by itself when one of its questions is asked later and not covered. A dismissed one stays dismissed. */
  status?: 'open' | 'resolved' | 'dismissed' | undefined
  /** Of your team. */
  note?: string | null | undefined
  /** The custom answer that was written for it. Null if there is none, or it was deleted. */
  custom_answer_id?: string | null | undefined
}

/** A knowledge gap with its questions. */
export interface KnowledgeGapDetail {
  id: string
  /** A resolved gap opens again by itself when one of its questions is asked later and not covered. A dismissed one stays dismissed. */
  status: 'open' | 'resolved' | 'dismissed'
  /** The most typical of these questions. */
  label: string
  /** Questions in the group, including repetitions. */
  count: number
  not_covered: number
  rated_down: number
  /** Up to 5, the most typical first, without duplicates. */
  examples: Array<AskedQuestion>
  /** The most recent first, at most 50. */
  message_ids: Array<string>
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Of your team. */
  note: string | null
  /** The custom answer that was written for it. Null if there is none, or it was deleted. */
  custom_answer_id: string | null
  /** Questions in an equal number of days before the range, to see the trend. */
  count_before: number
  /** Null if none was asked in the range. */
  first_asked_at: string | null
  last_asked_at: string | null
  /** When it was last marked as resolved, also if it has opened again since. */
  resolved_at: string | null
  /** When it was asked again and not covered, after it had been resolved. */
  reopened_at: string | null
  last_replay: LastReplay | null
  /** All of its questions of any time, the most recent first, at most 200. */
  questions: Array<GapQuestion>
  /** Pages that were found for them and did not answer them, the best first, at most 5; only those that you may read. */
  closest_pages: Array<ClosestPage>
}

/** The knowledge gaps of a period. */
export interface KnowledgeGaps {
  /** Id of the knowledge base. */
  knowledge_base_id: string
  from: string
  to: string
  /** The most asked first, at most 200. */
  data: Array<TrackedKnowledgeGap>
  /** True if the workspace keeps no conversations: then there is nothing to find gaps in. */
  zero_retention: boolean
}

/** The result of asking its questions again. */
export interface LastReplay {
  at: string
  /** How many of its questions were asked again. */
  questions: number
  /** How many of these were covered. */
  covered: number
}

/** Tickets that were left out. They stay in the number of all tickets. */
export interface LeftOutTickets {
  /** automatic: a program wrote it. merged: into another ticket. agent_made: no customer wrote it. empty: nothing is left without quotations and signature. */
  reason: 'automatic' | 'spam' | 'empty' | 'attachment_only' | 'merged' | 'agent_made' | 'too_long'
  count: number
  /** Of the first five. */
  refs: Array<string>
}

/** A rating with the question that was answered. */
export interface ListedFeedback {
  id: string
  created_at: string
  updated_at: string
  /** Id of the workspace. */
  workspace_id: string
  /** Id of the message. */
  message_id: string
  vote: 'up' | 'down'
  comment: string | null
  /** Where the answer was given. */
  source: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the conversation. */
  conversation_id: string
  /** The question. */
  query: string
  covered: boolean
}

/** An uploaded file, and what became of it. */
export interface ListedFile {
  id: string
  created_at: string
  updated_at: string
  /** Id of the source. */
  source_id: string
  name: string
  media_type: string
  byte_length: number
  sha256: string
  /** The document that readers find of it; null if it was not read yet, or cannot be read. */
  document_id: string | null
}

/** One page of a list. */
export interface ListedFilePage {
  data: Array<ListedFile>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** A question whose trace can be read. */
export interface ListedTrace {
  /** Id of the message. */
  message_id: string
  /** Id of the conversation. */
  conversation_id: string
  /** Where the question came from. */
  surface: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team'
  query: string
  /** Null if the answer was cut off. */
  covered: boolean | null
  confidence: number
  vote: 'up' | 'down' | null
  stopped_by: string | null
  /** Milliseconds. Null if this point was never reached. */
  total_ms: number | null
  created_at: string
}

export interface LostQuestion {
  question: string
  /** Place of the page that answers, for readers as they are. */
  rank_before: number
  /** With the documents of the sync. Null if it is not among the first ten. */
  rank_after: number | null
}

/** Reads the conversations of a public mailing list. */
export interface MailArchiveConfig {
  /** Addresses of mbox files that everyone may read, packed with gzip or not: the archives of a mailing list. */
  urls: Array<string>
  /** Whether files that are attached to mails are read too: PDF, Word, slides (PPTX), tables (XLSX, CSV, TSV), Markdown, HTML and text, each as a document of its own. */
  attachments?: boolean | undefined
  /** Whether messages have the names of those who wrote them. Otherwise they have what these are in the thread: its author, a maintainer. */
  show_names?: boolean | undefined
}

/** Reads the conversations in folders of a mailbox. */
export interface MailboxConfig {
  /** The mail server: `imaps://` with TLS at port 993, or `imap://` with STARTTLS at port 143, unless it has another port. */
  url: string
  /** Folders to read. */
  folders?: Array<string> | undefined
  /** Whether files that are attached to mails are read too: PDF, Word, slides (PPTX), tables (XLSX, CSV, TSV), Markdown, HTML and text, each as a document of its own. */
  attachments?: boolean | undefined
  /** Whether messages have the names of those who wrote them. Otherwise they have what these are in the thread: its author, a maintainer. */
  show_names?: boolean | undefined
  /** Whether mails have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

export interface MarkdownFile {
  path: string
  /** Markdown. */
  content: string
}

/** Whether readers may connect AI tools, and if not, why. */
export interface McpAvailability {
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Whether readers may connect AI tools, as in `widget-config`. */
  mcp_available: boolean
  /** Why they may not; null if they may. `sign_in_not_set_up`: this service has no identity provider for readers. An operator sets one up, for example with `CITEWELL_GOOGLE_CLIENT_ID` and `CITEWELL_GOOGLE_CLIENT_SECRET`. */
  because: 'sign_in_not_set_up' | 'knowledge_base_internal' | 'knowledge_base_archived' | null
}

/** An address at which AI tools read a knowledge base. */
export interface McpServer {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  server_name: string
  /** Who may connect. It cannot be changed. `api_key`: anyone with a client key with MCP access. `public`: readers who sign in. `internal`: members who may ask the knowledge base. An external knowledge base offers the first two, an internal one the last. */
  sign_in_type: 'api_key' | 'public' | 'internal'
  /** The address to give to an AI tool. */
  url: string
  /** What keeps it from answering, and what to do about it; null if it works. A `public` server needs an identity provider for readers. */
  notice: string | null
  /** Calls of its tools in the last 30 days (UTC), without those that a limit refused. Counted with any retention, and with zero retention too: without readers. */
  calls: number
  /** Who called in these days: signed-in people, or addresses if a key is sent. At most 2,000 a day are told apart. Those from before the retention of the workspace (`retention_days`) are not counted. Null with zero retention, which tells no one apart. */
  readers: number | null
  /** When a tool was last called, written at most once a minute. Null: never. */
  last_used_at: string | null
}

/** One page of a list. */
export interface McpServerPage {
  data: Array<McpServer>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** The caller, with the workspaces they are in and their role in each. */
export interface Me {
  user: {
    id: string
    email: string
    name: string
    /** Whether you can sign in with a password. False for who signs in by a provider only, or was let in by a link. */
    has_password: boolean
  }
  workspaces: Array<{
    id: string
    name: string
    plan: 'free' | 'pro' | 'enterprise'
    /** `owner` and `admin` may do everything in the workspace, but only owners make, change and remove owners. A `member` reads and makes knowledge bases, and may do with each what its members may or what was granted. */
    role: 'owner' | 'admin' | 'member'
  }>
  /** The access token that was sent. Null for a signed-in browser. */
  token: {
    id: string
    name: string
    /** What it may be used for: `read`, `config` (also change things), `admin` (also people, tokens and the workspace). It never has more permissions than its owner. */
    scopes: Array<'read' | 'config' | 'admin'>
    expires_at: string | null
    /** Whether it belongs to an operator of this instance, and may set plans and quotas. */
    is_operator: boolean
  } | null
  /** The session of a signed-in browser: pages of this service may use every management endpoint with the cookie of the session instead of an access token. Null if a token was sent. */
  session: {
    /** Send it in the header `X-Citewell-Csrf` with every request that is not a GET. */
    csrf: string
    /** When it expires if it is not used again. */
    expires_at: string
  } | null
}

/** Reads the pages of a MediaWiki. */
export interface MediawikiConfig {
  /** Address of the API of a MediaWiki: it ends with `api.php`, and Special:Version names it. */
  url: string
  /** Numbers of the namespaces to read. 0 is that of the articles. */
  namespaces?: Array<number> | undefined
  /** Whether pages that only those who sign in may read have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

/** One page of a list. */
export interface MemberAccessTokenPage {
  data: Array<AccessToken>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

export interface MemberChange {
  /** `owner` and `admin` may do everything in the workspace, but only owners make, change and remove owners. A `member` reads and makes knowledge bases, and may do with each what its members may or what was granted. */
  role: 'owner' | 'admin' | 'member'
}

/** A question with its answer. `first_ms` is the time to the first piece of the answer. */
export interface Message {
  id: string
  created_at: string
  updated_at: string
  /** Id of the conversation. */
  conversation_id: string
  /** The question. */
  query: string
  /** What was searched for, if it differs from the question. */
  rewritten_query: string | null
  /** Null if it is withheld. */
  answer: string | null
  citations: Array<Citation>
  /** True if the answer is based on pages that you may not read: restricted ones, if you may not chat in the knowledge base. */
  withheld: boolean
  /** False if the answer says that the knowledge base does not cover the question. */
  covered: boolean
  confidence: number
  /** Why it ended early: an `error_code`, or `cancelled` by its reader. Null for a complete answer. */
  stopped_by: string | null
  /** Null if it was not rated. */
  rating: Rating | null
  /** Milliseconds. Null if this point was never reached. */
  first_ms: number | null
  /** Milliseconds. Null if this point was never reached. */
  total_ms: number | null
}

/** Some records of a knowledge base. */
export interface NamedRecords {
  count: number
  /** The first 20, by name. */
  names: Array<string>
}

export interface NewAccessToken {
  name: string
  /** What it may be used for: `read`, `config` (also change things), `admin` (also people, tokens and the workspace). It never has more permissions than its owner. */
  scopes?: Array<'read' | 'config' | 'admin'> | undefined
  /** When it expires. Null: never. */
  expires_at?: string | null | undefined
}

export interface NewAgentApp {
  name: string
  /** If false, it answers nothing. */
  enabled?: boolean | undefined
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config?: Record<string, unknown> | undefined
  /** Tokens and passwords for the other service. Stored encrypted, and never shown again. */
  credentials?: Record<string, string> | undefined
  /** What it does. */
  description?: string | null | undefined
}

export interface NewApproval {
  /** Id of the agent app. */
  agent_id: string
  /** Whether the agent wants to say something or to do something. */
  kind?: 'reply' | 'action' | undefined
  title: string
  /** What the agent wants to say or do, for the person who decides. */
  content: string
  /** A declared action of the agent app (`config.actions`: `name`, `url`, `description`). Once it is approved, it is carried out, once: its address gets a POST with `approval_id`, `action`, `input` and `content`, signed like a webhook if the agent app has the credential `signing_secret`, and with the id of the approval as `Idempotency-Key`. */
  action?: {
    /** Name of a declared action. */
    name: string
    /** What its address gets. */
    input?: Record<string, unknown> | undefined
  } | undefined
  /** An id of the agent’s own. Asking with it again returns the approval that there is. */
  dedupe_key?: string | undefined
  expires_at?: string | undefined
}

export interface NewBot {
  name: string
  /** If false, it answers nothing. */
  enabled?: boolean | undefined
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config?: Record<string, unknown> | undefined
  /** Tokens and passwords for the other service. Stored encrypted, and never shown again. */
  credentials?: Record<string, string> | undefined
  /** The chat platform; fixed at creation. All but `other` are driven by this service; `other` is driven by your own program. */
  platform: 'slack' | 'teams' | 'discord' | 'mattermost' | 'google_chat' | 'telegram' | 'other'
  /** Required on an internal knowledge base: a bot does not check who asks, so everyone in the channel gets its answers. */
  acknowledge_internal?: boolean | undefined
}

export interface NewClientKey {
  name: string
  /** `public`: one key, for pages and apps. `secret`: a client id and a client secret, for servers. */
  kind?: 'public' | 'secret' | undefined
  /** Whether MCP servers accept it. Cannot be changed after creation. */
  allow_mcp_access?: boolean | undefined
  /** Origins of the pages that may use it, such as `https://docs.example.com`. A bare domain such as `docs.example.com` means its https origin (`localhost:5173` its http one), and is stored as such. A star may replace the left-most part: `https://*.example.com`. One that is given twice is stored once. An empty list allows every page. */
  allowed_origins?: Array<string> | undefined
  /** The source groups that it may use; `group_ids` of a request only narrow them further. An empty list allows the whole knowledge base. */
  allowed_source_group_ids?: Array<string> | undefined
}

export interface NewCustomAnswer {
  /** The question in the words of a reader. It is the title of its citations. */
  question: string
  /** Markdown. */
  answer: string
  /** Where its citations link. Null: to a page of this service that shows it. */
  url?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** Used only with keys and questions of this group. */
  source_group_id?: string | null | undefined
}

export interface NewEvaluationQuestion {
  question: string
  /** The pages that answer it: one of them is enough. The part after `#` is ignored. Empty if no page is expected. */
  urls?: Array<string> | undefined
  /** False for a question that the documentation does not cover, and that must be refused. */
  answerable?: boolean | undefined
}

export interface NewFormDeflector {
  name: string
  /** If false, requests with its `form_id` are refused. */
  enabled?: boolean | undefined
  /** Shorter texts are not answered: `too_short`. */
  min_characters?: number | undefined
  /** Answers with lower confidence are withheld: `low_confidence`. */
  min_confidence?: number | undefined
}

export interface NewHelpdeskIntegration {
  name: string
  /** If false, it answers nothing. */
  enabled?: boolean | undefined
  /** Its settings. Do not put secrets here: everyone who may read the record sees them. */
  config?: Record<string, unknown> | undefined
  /** Tokens and passwords for the other service. Stored encrypted, and never shown again. */
  credentials?: Record<string, string> | undefined
  /** The help desk; fixed at creation. Tickets of Freshdesk, Request Tracker, Zammad and Zendesk, conversations of Front, Help Scout and HubSpot, chats of Chatwoot, Zendesk messaging and Intercom, and the mail of a mailbox, are read and answered by this service once it has credentials, everything else by your own program. */
  platform: 'zendesk' | 'zendesk_messaging' | 'intercom' | 'freshdesk' | 'helpscout' | 'hubspot' | 'front' | 'zammad' | 'chatwoot' | 'request_tracker' | 'email' | 'other'
  /** Tickets get one answer, and are handed to a person when the customer writes again. Chats get up to 5 answers. Fixed at creation. */
  handles?: 'tickets' | 'chats' | undefined
}

export interface NewKnowledgeBase {
  /** May be omitted if you are in one workspace only. */
  workspace_id?: string | undefined
  name: string
  /** Also adds the guide of Citewell as its first source, and begins to read it: something to try out. */
  sample?: boolean | undefined
  description?: string | null | undefined
  /** `external` may answer the public. `internal` answers members of the workspace only, and all its documents are restricted. */
  type?: 'external' | 'internal' | undefined
  /** Language of its pages, which decides how words are searched: as it was chosen, or as it was found out from the pages. Null: they are in English or in several languages, or not read yet. Null in a request: it is found out. */
  language?: string | null | undefined
  /** Whether crawls obey robots.txt. */
  respect_robots_txt?: boolean | undefined
  settings?: {
    /** Whether MCP servers offer the tool `get_documents`. */
    mcp_documents_enabled?: boolean | undefined
  } | undefined
  starter_questions?: {
    /** `generated`: derived from the titles of public pages. */
    mode?: 'generated' | 'own' | 'none' | undefined
    /** The questions of mode `own`, in order. */
    questions?: Array<string> | undefined
  } | undefined
  /** An extra sync of every source, in addition to the refresh of each. */
  scheduled_crawling?: 'hourly' | 'daily' | 'weekly' | 'monthly' | null | undefined
  /** Who answers. */
  persona?: string | null | undefined
  /** How answers sound. */
  tone?: string | null | undefined
  /** Instructions for every answer. */
  standing_instructions?: string | null | undefined
  pii_masking?: {
    /** Kinds of personal data to mask. `national_id`: numbers of the USA, the United Kingdom, Spain, France, Italy and Brazil. `secret`: keys and tokens by their well-known forms. */
    mask?: Array<'email' | 'phone' | 'credit_card' | 'iban' | 'ip_address' | 'national_id' | 'secret'> | undefined
    /** Regular expressions of your own, in RE2 syntax: no back references, no look-around. Each is matched against one line at a time. */
    custom_patterns?: Array<string> | undefined
    /** Exceptions from masking: a text, or a pattern between slashes that matches all of it. */
    allow_list?: Array<string> | undefined
  } | undefined
  /** Whether every member of the workspace may ask it if it is internal. */
  workspace_members_can_chat?: boolean | undefined
}

export interface NewLeftOutTickets {
  /** automatic: a program wrote it. merged: into another ticket. agent_made: no customer wrote it. empty: nothing is left without quotations and signature. */
  reason: 'automatic' | 'spam' | 'empty' | 'attachment_only' | 'merged' | 'agent_made' | 'too_long'
  count: number
  /** Of the first five. */
  refs: Array<string>
}

export interface NewMcpServer {
  /** Last part of its address. It cannot be changed, and is unique within this service. */
  server_name: string
  /** Who may connect. It cannot be changed. `api_key`: anyone with a client key with MCP access. `public`: readers who sign in. `internal`: members who may ask the knowledge base. An external knowledge base offers the first two, an internal one the last. */
  sign_in_type: 'api_key' | 'public' | 'internal'
}

export interface NewMember {
  email: string
  name?: string | undefined
  /** `owner` and `admin` may do everything in the workspace, but only owners make, change and remove owners. A `member` reads and makes knowledge bases, and may do with each what its members may or what was granted. */
  role?: 'owner' | 'admin' | 'member' | undefined
}

export interface NewPasswordLink {
  /** Of a member of any workspace. */
  email: string
}

export interface NewPastTicket {
  /** Your own id for the ticket. */
  ref?: string | null | undefined
  subject?: string | null | undefined
  /** The first message of the customer. */
  body: string
  /** When the customer wrote it. The report counts by month. */
  asked_at?: string | null | undefined
  /** The report counts by tag. */
  tags?: Array<string> | undefined
  /** What an agent answered first. The answer is compared with it. */
  agent_reply?: string | null | undefined
}

export interface NewSimulation {
  /** Id of the help-desk integration. */
  integration_id: string
  name?: string | undefined
  /** Past tickets or questions. */
  tickets: Array<NewPastTicket>
  /** What was left out of the tickets: it stays in the number of all tickets. */
  left_out?: Array<NewLeftOutTickets> | undefined
  sample?: {
    /** month_and_tag: as many of each month and first tag as their share is. */
    by: 'random' | 'month_and_tag'
    /** The same seed draws the same tickets of the same file. */
    seed: number
    /** How many tickets the sample was drawn from. */
    drawn_from: number
  } | null | undefined
}

/** `config` depends on `type`. */
export type NewSource = {
  type: 'website'
  config: WebsiteConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'sitemap'
  config: SitemapConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'repository'
  config: RepositoryConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'files'
  config?: FilesConfig | undefined
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'openapi'
  config: OpenapiConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'discourse'
  config: DiscourseConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'github'
  config: GithubConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'notion'
  config?: NotionConfig | undefined
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'zendesk_help_center'
  config: ZendeskHelpCenterConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'confluence'
  config: ConfluenceConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'jira'
  config: JiraConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'mail_archive'
  config: MailArchiveConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'mailbox'
  config: MailboxConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'mediawiki'
  config: MediawikiConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'gitlab'
  config: GitlabConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'intercom'
  config: IntercomConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'freshdesk_solutions'
  config: FreshdeskSolutionsConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'help_scout_docs'
  config: HelpScoutDocsConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 's3'
  config: S3Config
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'google_drive'
  config: GoogleDriveConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'sharepoint'
  config: SharepointConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'slack_channels'
  config: SlackChannelsConfig
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'push'
  config?: PushConfig | undefined
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
} | {
  type: 'custom_answers'
  config?: CustomAnswersConfig | undefined
  name: string
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
}

export interface NewSourceConnection {
  /** Where the account is. */
  platform: 'google' | 'microsoft' | 'atlassian' | 'notion' | 'github' | 'slack'
}

export interface NewSourceGroup {
  name: string
  description?: string | null | undefined
}

export interface NewTicketReview {
  /** Of the ticket. */
  number: number
  review: 'right' | 'partly' | 'wrong' | null
}

export interface NewWebhookTrigger {
  name: string
  /** Where deliveries are posted. Use https: a body contains the beginning of an answer. */
  url: string
  /** The events to send. */
  events: Array<'conversation.completed' | 'deflection.completed' | 'ticket.deflected' | 'ticket.escalated' | 'simulation.completed' | 'approval.resolved'>
  /** Signs every delivery. Recommended: `whsec_` and 24 to 64 random bytes in base64, as in Standard Webhooks; any other text is used unchanged. Stored encrypted, and never shown again. */
  secret?: string | undefined
}

export interface NewWidget {
  name: string
  /** If false, requests with its `widget_id` are refused. */
  enabled?: boolean | undefined
  /** Origins of the pages that may use it, such as `https://docs.example.com`. A bare domain such as `docs.example.com` means its https origin (`localhost:5173` its http one), and is stored as such. A star may replace the left-most part: `https://*.example.com`. One that is given twice is stored once. An empty list allows every page. */
  allowed_origins?: Array<string> | undefined
  /** Saved settings of the widget: the looks and texts that its script supports, and its voice. `persona`, `tone` and `standing_instructions` replace those of the knowledge base in answers to its readers. */
  config?: {
    /** How the widget opens. Default: `modal`. */
    mode?: 'modal' | 'sidebar' | 'bubble' | 'embedded' | 'none' | null | undefined
    /** Side of the launcher and the sidebar. Default: `end`. */
    position?: 'end' | 'start' | null | undefined
    /** Distance of the launcher from the edges. */
    offset?: string | null | undefined
    /** `page` follows the page. Default: `auto`. */
    theme?: 'auto' | 'light' | 'dark' | 'page' | null | undefined
    /** Colour of buttons and links; it is changed where it could not be read. */
    accent?: string | null | undefined
    /** Radius of corners. */
    radius?: string | null | undefined
    /** `inherit`: that of the page. Default: `system`. */
    font?: 'system' | 'inherit' | null | undefined
    /** Shown at the top. */
    logo?: string | null | undefined
    /** Default: on top. */
    z_index?: number | null | undefined
    /** `none`: your own buttons open the widget. Default: `button`. */
    launcher?: 'button' | 'none' | null | undefined
    /** Text of the launcher. */
    launcher_label?: string | null | undefined
    /** Icon of the launcher. */
    launcher_icon?: string | null | undefined
    /** The tab that is open first. Default: `ask`. */
    default_tab?: 'ask' | 'search' | null | undefined
    /** Whether there is a tab for searching. Default: `true`. */
    search?: boolean | null | undefined
    /** Keys that open the widget. Default: `mod+k`. */
    shortcut?: string | null | undefined
    /** Whether `/` opens the search. Default: `true`. */
    slash?: boolean | null | undefined
    /** Whether a question in the address of the page (`?ask=…`) opens the widget. Default: `false`. */
    deep_link?: boolean | null | undefined
    /** Parameter of the address that holds a question. Default: `ask`. */
    query_param?: string | null | undefined
    /** Whether a question in the address is asked without a press. Default: `false`. */
    allow_autosend?: boolean | null | undefined
    /** Whether selected text of the page can be asked about. Default: `false`. */
    selection?: boolean | null | undefined
    /** How long the browser keeps the conversation. Default: `session`. */
    remember?: 'session' | 'none' | 'local' | null | undefined
    /** Where links open. Default: `new`. */
    open_links?: 'new' | 'same' | null | undefined
    /** Default: the language of the page, then of the browser. */
    language?: string | null | undefined
    /** Shown in the empty field. */
    placeholder?: string | null | undefined
    /** Shown below the field. */
    disclaimer?: string | null | undefined
    /** Link of the privacy line. */
    privacy_url?: string | null | undefined
    /** Where readers reach people. */
    support_url?: string | null | undefined
    /** The same. */
    support_email?: string | null | undefined
    /** `required`: nothing is fetched before a press. Default: `none`. */
    consent?: 'none' | 'required' | null | undefined
    /** Events for scripts of the page. Default: `metadata`. */
    events?: 'metadata' | 'none' | null | undefined
    /** Shown at the top in place of the name of the base. */
    product_name?: string | null | undefined
    /** Counts only where `hide_branding_allowed` is true. Default: `false`. */
    hide_branding?: boolean | null | undefined
    /** `false` hides the button Use MCP. Default: `true`. */
    mcp_enabled?: boolean | null | undefined
    /** Limits questions and searches to these groups. */
    source_group_ids?: Array<string> | null | undefined
    persona?: string | null | undefined
    tone?: string | null | undefined
    standing_instructions?: string | null | undefined
    [name: string]: unknown
  } | undefined
}

export interface NewWorkspace {
  name: string
  plan?: 'free' | 'pro' | 'enterprise' | undefined
  /** Who is invited as its first owner. */
  owner_email: string
}

/** Reads the pages that a Notion integration was given. */
export interface NotionConfig {
  /** Whether files that are attached to pages are read too: PDF, Word, slides (PPTX), tables (XLSX, CSV, TSV), Markdown, HTML and text, each as a document of its own. */
  attachments?: boolean | undefined
  /** Whether pages that are not published to the web have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

/** Creates a page for each operation of an API. */
export interface OpenapiConfig {
  /** Address of an OpenAPI or Swagger description, JSON or YAML. */
  url: string
}

/** One page of a list. */
export interface OwnConversationPage {
  data: Array<ConversationSummary>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** Number of records in a knowledge base, by kind. */
export interface OwnedCounts {
  sources: number
  documents: number
  conversations: number
  custom_answers: number
  client_keys: number
  widgets: number
  bots: number
  helpdesk_integrations: number
  agent_apps: number
  form_deflectors: number
  mcp_servers: number
}

/** Pages cited by both answers, only by the earlier one, and only by the new one. */
export interface PageDifference {
  kept: number
  gone: Array<{
    /** Id of the document. */
    document_id: string
    title: string | null
    url: string | null
  }>
  added: Array<{
    /** Id of the document. */
    document_id: string
    title: string | null
    url: string | null
  }>
}

/** How many of how many. */
export interface PartOf {
  count: number
  of: number
}

/** A link with which a member sets a new password. */
export interface PasswordLink {
  email: string
  /** Works once, for a day. It is shown only once. */
  url: string
  expires_at: string
}

export interface PastTicket {
  /** Your own id for the ticket. */
  ref: string | null
  subject: string | null
  /** The first message of the customer. */
  body: string
  /** When the customer wrote it. The report counts by month. */
  asked_at: string | null
  /** The report counts by tag. */
  tags: Array<string>
  /** What an agent answered first. The answer is compared with it. */
  agent_reply: string | null
}

/** Milliseconds. */
export interface Percentiles {
  p50: number | null
  p95: number | null
}

/** What is known by now. Replaces the one before. */
export interface PreviewDetectedFrame {
  detected: DetectedSite
  done: false
}

/** An address that could not be read. */
export interface PreviewFailedFrame {
  failed: {
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    reason: string
  }
  done: false
}

/** One frame of a preview that is watched. */
export type PreviewFrame = PreviewDetectedFrame | PreviewPageFrame | PreviewLeftOutFrame | PreviewFailedFrame | PreviewLastFrame | StreamError

/** The whole preview, which replaces the frames before it. */
export interface PreviewLastFrame {
  /** Null for a type of source without accounts, or if it cannot be read. */
  access: {
    /** Who the service is at the source. */
    account: string
    /** What it can read there. */
    sees: Array<string>
    /** What it lacks, and where to change that. */
    missing: Array<string>
  } | null
  pages: Array<{
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    title: string
    /** The beginning of its text. */
    excerpt: string
  }>
  detected: DetectedSite
  /** Addresses left out on purpose, each with its reason. */
  left_out: Array<{
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    reason: string
  }>
  /** Addresses that could not be read, each with its reason. */
  failed: Array<{
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    reason: string
  }>
  /** Why the source as a whole cannot be read. */
  error: string | null
  /** Whether the whole source was read. */
  is_complete: boolean
  done: true
}

/** An address that is left out, also if it was read before. */
export interface PreviewLeftOutFrame {
  left_out: {
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    reason: string
  }
  done: false
}

/** A page that was read. */
export interface PreviewPageFrame {
  page: {
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    title: string
    /** The beginning of its text. */
    excerpt: string
  }
  done: false
}

export interface PurgeConversations {
  /** Only those of this knowledge base. */
  knowledge_base_id?: string | undefined
  /** Only those of this reader: the `user.id` or `user.email` that was sent with the questions. */
  user?: string | undefined
  /** Required if no reader is named, so that a workspace is not emptied by mistake. */
  everything?: true | undefined
}

/** The result of a purge. */
export interface PurgedConversations {
  /** How many were deleted. */
  conversations: number
  /** How many reports of AI tools were deleted with them. */
  reports: number
  /** How many approvals were deleted: none if a reader was named. */
  approvals: number
  /** How many simulations were deleted: none if a reader was named. */
  simulations: number
}

/** No settings: send documents to it. */
export type PushConfig = Record<string, never>

export interface PushDocuments {
  documents: Array<PushedDocument>
}

/** One document, as `markdown` or as `html`. */
export interface PushedDocument {
  /** Your own id for the document. */
  external_id: string
  title: string
  /** Where citations link. */
  url: string
  markdown?: string | undefined
  html?: string | undefined
  /** That of the source if omitted. */
  visibility?: 'public' | 'restricted' | undefined
}

/** The result for each document, in the order in which they were sent. */
export interface PushedDocuments {
  documents: Array<{
    /** Id of the document. */
    id: string
    /** Your own id for the document. */
    external_id: string
    outcome: 'added' | 'changed' | 'unchanged'
  }>
}

export interface RateMessage {
  vote: 'up' | 'down'
  comment?: string | null | undefined
}

/** A reader's rating of an answer. */
export interface Rating {
  vote: 'up' | 'down'
  comment: string | null
  created_at: string
  updated_at: string
}

export interface RatingCounts {
  up: number
  down: number
  /** A fraction from 0 to 1. Null if there is nothing to count. */
  up_rate: number | null
}

/** A stored answer beside a new answer to the same question. */
export interface Replay {
  /** Id of the message. */
  message_id: string
  before: AnswerSteps
  after: AnswerSteps
  differences: ReplayDifferences
}

export interface ReplayDifferences {
  /** Whether anything below differs. */
  any: boolean
  rewritten_query: boolean
  pages_found: PageDifference
  pages_cited: PageDifference
  /** Null if it is the same. */
  covered: {
    before: boolean
    after: boolean
  } | null
  /** Whether the text differs. */
  answer: boolean
}

export interface ReplayMessage {
  /** Only these source groups. Empty: all of them. */
  group_ids?: Array<string> | undefined
  /** How many passages to retrieve. */
  top_k?: number | undefined
  /** Who answers. */
  persona?: string | null | undefined
  /** How answers sound. */
  tone?: string | null | undefined
  /** Instructions for every answer. */
  standing_instructions?: string | null | undefined
}

/** The questions of a gap, asked again today. */
export interface ReplayedGap {
  knowledge_gap: TrackedKnowledgeGap
  /** Questions that were asked again. */
  questions: number
  /** Those that are covered now. */
  covered: number
  /** Those whose answer failed, for example because the model did. */
  failed: number
  /** Older questions than the last 50 wordings, and those that searched restricted pages, if you may not chat in the knowledge base. */
  left_out: number
}

/** A wrong answer or a gap that an AI tool reported over MCP. */
export interface Report {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** What was wrong in an answer, or is missing. Untrusted plain text. Null if it is withheld. */
  message: string | null
  /** The page that it is about. */
  url: string | null
  /** Null at the generic address. */
  server_name: string | null
  /** The client key that was used; null if a person was signed in. */
  client_key_id: string | null
  /** An opaque id of the signed-in person. */
  user: string | null
  /** True if it came from a server that reads restricted pages, and you may not chat in the knowledge base. */
  withheld: boolean
}

/** The reports are listed at `/knowledge-bases/{id}/reports`. */
export interface ReportFigures {
  /** Wrong answers and gaps that AI tools reported over MCP. */
  count: number
  /** Pages named in the reports, most reported first, at most 20. */
  pages: Array<ReportedPage>
}

/** One page of a list. */
export interface ReportPage {
  data: Array<Report>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

export interface ReportedPage {
  url: string
  reports: number
}

/** Reads Markdown, MDX, reStructuredText, AsciiDoc, HTML, notebooks and text. */
export interface RepositoryConfig {
  /** A git address, a bundle, or (if the operator allows it) a folder on the machine of the service. */
  url: string
  /** Branch, tag or commit. Null: the default branch. */
  ref?: string | null | undefined
  /** Read only files whose path matches one of these. An empty list: every file that can be read. `*` matches anything within a path segment, `**` across segments. */
  include?: Array<string> | undefined
  /** Leave out files whose path matches one of these. `*` matches anything within a path segment, `**` across segments. */
  exclude?: Array<string> | undefined
  /** Where the pages are published: citations then link there instead of to the file. */
  site_url?: string | null | undefined
}

/** A passage that was found. */
export interface RetrievedPassage {
  rank: number
  /** Id of the passage at that time. */
  chunk_id: string
  /** Id of the document. */
  document_id: string
  title: string | null
  url: string | null
  heading_path: Array<string> | null
  version_label: string | null
  /** 0 to 1, combined from the other scores. */
  score: number
  /** Similarity in meaning to the question. Null if only keywords were searched. */
  similarity: number | null
  /** The same for its most similar sentence. */
  sentence_similarity: number | null
  /** Fraction of the words of the question that it contains; rare ones count more. */
  word_coverage: number
  /** BM25. Null if no word matched. */
  word_score: number | null
  /** Its number in the prompt. Null if it was left out. */
  shown_as: number | null
  /** True if you may not read the page: then its texts are null. */
  withheld: boolean
}

/** Reads the documents in a bucket of Amazon S3, or of a storage that speaks the same. */
export interface S3Config {
  /** Address of the storage, then the bucket, then the beginning of the names to read, if not all are. */
  url: string
  /** Null: the one in the address of Amazon, else `us-east-1`. */
  region?: string | null | undefined
  /** Read only objects whose name, without its given beginning, matches one of these. An empty list: every object that can be read. `*` matches anything within a path segment, `**` across segments. */
  include?: Array<string> | undefined
  /** Leave out objects whose name matches one of these. `*` matches anything within a path segment, `**` across segments. */
  exclude?: Array<string> | undefined
  /** Where the objects are published: citations then link there. Null: to the object itself. */
  site_url?: string | null | undefined
  /** Whether the objects of a bucket that is read with an access key have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

export interface SearchBody {
  query: string
  /** How many pages to return. */
  limit?: number | null | undefined
  /** Use only these source groups. If omitted or empty: all that the key may use. */
  group_ids?: Array<string> | null | undefined
  /** Answer in the voice of this widget. Its `enabled` switch and its allowed origins then apply too. */
  widget_id?: string | null | undefined
}

/** A page, with its best passage. */
export interface SearchResult {
  /** Id of the document. */
  document_id: string
  /** Id of the passage. */
  chunk_id: string
  title: string
  url: string
  /** The headings above the passage, outermost first. */
  heading_path: Array<string>
  snippet: string
  /** 0 to 1, relative to the other results. */
  score: number
  version_label: string | null
}

/** The best pages, best first. */
export interface SearchResults {
  results: Array<SearchResult>
  count: number
  powered_by: string
  powered_by_url: string
}

/** Reads the documents in libraries of SharePoint and in OneDrive for work. */
export interface SharepointConfig {
  /** Addresses of sites, of document libraries, or of folders in them: as the browser shows them. OneDrive for work is a library at `….-my.sharepoint.com/personal/…`. */
  urls: Array<string>
  /** With the id and secret of an app: the directory (tenant) ID. Null: a connected account is used. */
  tenant?: string | null | undefined
  /** Whether files that not everyone may open have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

/** The evidence in the prompt under one number. */
export interface ShownEvidence {
  number: number
  /** Id of the document. */
  document_id: string
  chunk_ids: Array<string>
  /** The exact text, with its heading. */
  text: string | null
  /** True if you may not read the page: then its texts are null. */
  withheld: boolean
}

export interface SimulatedRate {
  /** How many would have been answered. */
  answered: number
  of: number
  /** Null below 50 tickets: chance decides too much. */
  rate: number | null
  /** In 95 of 100 cases the rate of all such tickets is in it (Wilson). */
  interval: {
    low: number
    high: number
  } | null
  /** In 95 of 100 cases the rate of as many other tickets of the same kind is in it. */
  again: {
    low: number
    high: number
  } | null
}

/** One ticket of a simulation with its outcome. */
export interface SimulatedTicket {
  /** Its place in the simulation, from 0. */
  number: number
  /** Your own id for the ticket. */
  ref: string | null
  subject: string | null
  body: string
  asked_at: string | null
  tags: Array<string>
  /** Of the ticket, where it shows. */
  language: string | null
  agent_reply: string | null
  /** Null until it was processed. */
  outcome: 'deflected' | 'low_confidence' | 'answer_failed' | null
  confidence: number | null
  answer: string | null
  citations: Array<Citation>
  /** The share of the agent's sentences that the answer says too; null if there is nothing to compare. */
  like_agent: number | null
  review: 'right' | 'partly' | 'wrong' | null
  /** Documents that were made from this very ticket. They were left out of its answer. */
  own_documents: number
}

/** One page of a list. */
export interface SimulatedTicketPage {
  data: Array<SimulatedTicket>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** A run of past tickets through the answering, to see how many would have been answered. */
export interface Simulation {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the help-desk integration. */
  integration_id: string
  name: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  /** Number of tickets in it, without those that were left out. */
  total: number
  /** Number of tickets with an outcome. */
  completed: number
  /** Number of tickets that would have been answered. */
  deflected: number
  left_out: Array<LeftOutTickets>
  /** Null: all tickets are tried. */
  sample: TicketSample | null
  error: string | null
  started_at: string | null
  finished_at: string | null
}

export interface SimulationEstimate {
  /** How many questions of the month it takes. */
  questions: number
  /** Of this month; null without a limit. */
  questions_left: number | null
  /** How long it will take, as answers took lately; null if none were given. */
  seconds: number | null
  /** Where the words of the tickets are sent to be compared; null: nowhere, the service does it itself. */
  embedding: {
    host: string
  } | null
  /** The language model that the tickets are sent to; null: none. */
  model: {
    name: string
    host: string | null
  } | null
}

/** One page of a list. */
export interface SimulationPage {
  data: Array<Simulation>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

export interface SimulationReport {
  /** Of all tickets, with those that were left out. */
  all: SimulatedRate
  /** Of those that were tried. */
  tried: SimulatedRate
  /** Tickets whose answer failed. They count as not answered. */
  failed: number
  left_out: Array<LeftOutTickets>
  sample: TicketSample | null
  reviews: {
    right: number
    partly: number
    wrong: number
    /** Whether there are 30 or more. */
    enough: boolean
  }
  /** The share of the tried tickets that would have been answered rightly: the rate times the share of right answers among the reviewed ones, with an interval over both (bootstrap). Null without enough reviews. */
  solved: {
    rate: number
    low: number
    high: number
  } | null
  /** The mean share of an agent's sentences that the answer says too, over the answered tickets with a reply of an agent. A likeness of words, not a proof. */
  like_agent: {
    compared: number
    mean: number
  } | null
  by_tag: Array<{
    name: string
    answered: number
    of: number
    rate: number | null
  }>
  by_month: Array<{
    name: string
    answered: number
    of: number
    rate: number | null
  }>
  by_language: Array<{
    name: string
    answered: number
    of: number
    rate: number | null
  }>
  by_length: Array<{
    name: string
    answered: number
    of: number
    rate: number | null
  }>
  /** What would be answered if an answer needed this confidence. */
  thresholds: Array<{
    confidence: number
    answered: number
    rate: number | null
    reviewed: number
    /** The share of right answers among those reviewed. */
    right: number | null
  }>
  /** What was not answered, by topic, the most frequent first. */
  gaps: Array<{
    question: string
    tickets: number
    refs: Array<string>
  }>
  /** Answered tickets with the highest confidence. */
  surest: Array<{
    number: number
    /** Your own id for the ticket. */
    ref: string | null
    subject: string | null
    /** The first words of the message. */
    beginning: string
    confidence: number | null
  }>
  /** Answered tickets with the lowest confidence. */
  doubtful: Array<{
    number: number
    /** Your own id for the ticket. */
    ref: string | null
    subject: string | null
    /** The first words of the message. */
    beginning: string
    confidence: number | null
  }>
  /** Tickets from which the knowledge base has a document. That document was left out of the answer to its own ticket. */
  own_documents: number
  /** The knowledge base as it was when the simulation ended. */
  base: {
    at: string
    documents: number
    sources: Array<{
      name: string
      type: string
      documents: number
    }>
    model: {
      name: string
      host: string | null
    } | null
    embedding: {
      host: string
    } | null
  } | null
  /** How long it took. */
  seconds: number | null
  against: {
    id: string
    name: string
    /** Tickets that are in both. */
    same: number
    /** Answered here, and not there. */
    gained: number
    /** Answered there, and not here. */
    lost: number
    /** The first hundred of them. */
    changed: Array<{
      number: number
      /** Your own id for the ticket. */
      ref: string | null
      subject: string | null
      /** The first words of the message. */
      beginning: string
      confidence: number | null
      change: 'gained' | 'lost'
    }>
    /** How likely so large a difference is by chance alone (McNemar, exact). */
    by_chance: number
  } | null
}

export interface SimulationWithTickets {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the help-desk integration. */
  integration_id: string
  name: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  /** Number of tickets in it, without those that were left out. */
  total: number
  /** Number of tickets with an outcome. */
  completed: number
  /** Number of tickets that would have been answered. */
  deflected: number
  left_out: Array<LeftOutTickets>
  /** Null: all tickets are tried. */
  sample: TicketSample | null
  error: string | null
  started_at: string | null
  finished_at: string | null
  tickets: Array<SimulatedTicket>
}

/** Reads the pages of a sitemap without following links. */
export interface SitemapConfig {
  /** Address of a sitemap, or of an index of sitemaps. */
  sitemap_url: string
  /** Read only addresses that match one of these. An empty list: everything in scope. `*` matches anything within a path segment, `**` across segments. */
  include?: Array<string> | undefined
  /** Leave out addresses that match one of these. `*` matches anything within a path segment, `**` across segments. */
  exclude?: Array<string> | undefined
  /** Maximum number of pages. */
  max_pages?: number | undefined
  /** CSS selector of the content of a page. Null: detected automatically. */
  content_selector?: string | null | undefined
  /** Render pages in a browser before reading them: always, never, or (`auto`) if the text is empty without it. */
  render_js?: 'auto' | boolean | undefined
}

/** Reads the threads of channels of a Slack workspace. */
export interface SlackChannelsConfig {
  /** Names, or ids, of the channels to read. */
  channels: Array<string>
  /** How old the first message of a thread may be, in days. */
  days?: number | undefined
  /** Threads with fewer replies are left out: nobody answered. */
  min_replies?: number | undefined
  /** Whether messages have the names of those who wrote them. Otherwise they have what these are in the thread: its author, a maintainer. */
  show_names?: boolean | undefined
  /** Whether threads of public channels have the visibility of the source too. Otherwise they are restricted. */
  publish_all?: boolean | undefined
}

/** An origin of content of a knowledge base. */
export interface Source {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  type: 'website' | 'sitemap' | 'repository' | 'files' | 'openapi' | 'discourse' | 'github' | 'notion' | 'zendesk_help_center' | 'confluence' | 'jira' | 'mail_archive' | 'mailbox' | 'mediawiki' | 'gitlab' | 'intercom' | 'freshdesk_solutions' | 'help_scout_docs' | 's3' | 'google_drive' | 'sharepoint' | 'slack_channels' | 'push' | 'custom_answers'
  /** Depends on `type`. */
  config: Record<string, unknown>
  /** Whether credentials are stored for it. */
  has_credentials: boolean
  /** The connected account that it is read with. Null: none. */
  connection_id: string | null
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label: string | null
  source_group_id: string | null
  /** Restricted documents are never used by the public API or the widget. */
  visibility: 'public' | 'restricted'
  /** How often it is synced automatically. */
  refresh: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly'
  /** When it is synced next by itself: by its own `refresh`, or by the scheduled crawling of its knowledge base. Null: it is not. */
  next_sync_at: string | null
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop: number | null
  /** The sync whose documents wait for you to accept or discard them. */
  held_sync_id: string | null
  /** `failed`: its last sync failed. */
  status: 'idle' | 'queued' | 'syncing' | 'failed'
  document_count: number
  last_sync: SyncSummary | null
}

/** The type of a source cannot be changed. */
export interface SourceChange {
  name?: string | undefined
  /** Merged key by key, then validated for its type. */
  config?: Record<string, unknown> | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
}

/** An account at another platform that sources are read with. Its tokens are never returned. */
export interface SourceConnection {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Where the account is. */
  platform: 'google' | 'microsoft' | 'atlassian' | 'notion' | 'github' | 'slack'
  /** The account, as the platform calls it. Null: it is not connected yet, or has no name. */
  account: string | null
  /** `pending`: nobody has allowed it at the platform yet. `broken`: the platform no longer accepts it; connect it again. */
  status: 'pending' | 'connected' | 'broken'
}

/** One page of a list. */
export interface SourceConnectionPage {
  data: Array<SourceConnection>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** Credentials of the service at the source: a user name and password (or token), a deploy key for ssh, or what the API of the source asks for: the guide of its type says which. Stored encrypted, and never returned. Null: none. */
export type SourceCredentials = {
  user?: string | undefined
  password?: string | undefined
  ssh_private_key?: string | undefined
  token?: string | undefined
  email?: string | undefined
  client_id?: string | undefined
  client_secret?: string | undefined
  refresh_token?: string | undefined
} | null

/** A named set of sources in one knowledge base. A source is in one group at most. */
export interface SourceGroup {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  description: string | null
}

export interface SourceGroupChange {
  name?: string | undefined
  description?: string | null | undefined
}

/** One page of a list. */
export interface SourceGroupPage {
  data: Array<SourceGroup>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** One page of a list. */
export interface SourcePage {
  data: Array<Source>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** The first pages of a source. Nothing is stored. */
export interface SourcePreview {
  /** Null for a type of source without accounts, or if it cannot be read. */
  access: {
    /** Who the service is at the source. */
    account: string
    /** What it can read there. */
    sees: Array<string>
    /** What it lacks, and where to change that. */
    missing: Array<string>
  } | null
  pages: Array<{
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    title: string
    /** The beginning of its text. */
    excerpt: string
  }>
  detected: DetectedSite
  /** Addresses left out on purpose, each with its reason. */
  left_out: Array<{
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    reason: string
  }>
  /** Addresses that could not be read, each with its reason. */
  failed: Array<{
    /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
    url: string
    reason: string
  }>
  /** Why the source as a whole cannot be read. */
  error: string | null
  /** Whether the whole source was read. */
  is_complete: boolean
}

/** The same body as for a new source; `name` may be omitted. */
export type SourceToPreview = {
  type: 'website'
  config: WebsiteConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'sitemap'
  config: SitemapConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'repository'
  config: RepositoryConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'files'
  config?: FilesConfig | undefined
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'openapi'
  config: OpenapiConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'discourse'
  config: DiscourseConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'github'
  config: GithubConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'notion'
  config?: NotionConfig | undefined
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'zendesk_help_center'
  config: ZendeskHelpCenterConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'confluence'
  config: ConfluenceConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'jira'
  config: JiraConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'mail_archive'
  config: MailArchiveConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'mailbox'
  config: MailboxConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'mediawiki'
  config: MediawikiConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'gitlab'
  config: GitlabConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'intercom'
  config: IntercomConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'freshdesk_solutions'
  config: FreshdeskSolutionsConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'help_scout_docs'
  config: HelpScoutDocsConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 's3'
  config: S3Config
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'google_drive'
  config: GoogleDriveConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'sharepoint'
  config: SharepointConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'slack_channels'
  config: SlackChannelsConfig
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'push'
  config?: PushConfig | undefined
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
} | {
  type: 'custom_answers'
  config?: CustomAnswersConfig | undefined
  name?: string | undefined
  credentials?: SourceCredentials | undefined
  /** The connected account that it is read with. Null: none. */
  connection_id?: string | null | undefined
  /** Version of the product that it documents. Given to the model with every excerpt. */
  version_label?: string | null | undefined
  source_group_id?: string | null | undefined
  /** Restricted documents are never used by the public API or the widget. */
  visibility?: 'public' | 'restricted' | undefined
  /** How often it is synced automatically. */
  refresh?: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  /** Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read. */
  hold_back_drop?: number | null | undefined
  /** How many pages to read. */
  limit?: number | undefined
}

export interface StartedConnection {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Where the account is. */
  platform: 'google' | 'microsoft' | 'atlassian' | 'notion' | 'github' | 'slack'
  /** The account, as the platform calls it. Null: it is not connected yet, or has no name. */
  account: string | null
  /** `pending`: nobody has allowed it at the platform yet. `broken`: the platform no longer accepts it; connect it again. */
  status: 'pending' | 'connected' | 'broken'
  /** Where a person allows it, in the browser that asked for it, within ten minutes. It works once. */
  authorize_url: string
}

export interface StartedSyncs {
  /** One sync of each source that can be read. */
  data: Array<SyncSummary>
  /** Sources that may not be read, each with the reason. */
  refused: Array<{
    /** Id of the source. */
    source_id: string
    error: string
  }>
}

/** Ends a stream that had already started. No further frame follows. */
export interface StreamError {
  /** What went wrong, as a message that may be shown to the reader. */
  error: string
  /** What kind of failure it was. */
  error_code: 'quota_exceeded' | 'misconfigured' | 'rate_limited' | 'timeout' | 'unavailable' | 'internal' | 'content_filtered' | 'truncated' | 'cancelled'
  /** The same in upper case; if the key or knowledge base was closed meanwhile, the code of that refusal. */
  code: string
  /** Whether a retry may help. */
  retryable: boolean
  /** The same as the header `X-Request-Id`: mention it when you ask for help. */
  request_id: string
}

/** Questions suggested to a reader. */
export interface SuggestedQuestions {
  /** May be empty. */
  questions: Array<string>
}

export interface SurfaceFigures {
  /** Where the question came from. */
  surface: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team'
  questions: number
  /** Complete answers: neither cancelled by the reader nor failed. */
  finished: number
  not_covered: number
  /** A fraction from 0 to 1. Null if there is nothing to count. */
  covered_rate: number | null
  ratings: RatingCounts
}

/** One run of reading a source, with its errors by page. */
export interface Sync {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the source. */
  source_id: string
  /** `partial`: it ended, but some pages could not be read, removals were held back, or the source asked to wait too long. */
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: SyncCounts
  /** Why the source as a whole could not be read, or what a `partial` sync held back. */
  error: string | null
  /** What was left out of the source: what limits of this service leave out of it or of its documents, and sitemaps that the site names and that are not there. Every sync tells it again. The status does not tell of it. */
  warnings: Array<string>
  /** Of a source with `hold_back_drop`: what becomes of the documents that this sync added, changed or removed. Null: they were visible as soon as they were read, or there were none. */
  hold: SyncHold | null
  /** How many addresses it reads again that another sync could not read. Null: it reads the whole source. */
  retried_addresses: number | null
  started_at: string | null
  finished_at: string | null
  errors: Array<SyncError>
  /** Questions whose page would leave the first five with its documents, if it was measured. */
  lost_questions: Array<LostQuestion>
}

/** A document that a sync added, changed or removed. */
export interface SyncChange {
  kind: 'added' | 'changed' | 'removed'
  /** As it was then. */
  title: string
  /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
  url: string
}

/** One page of a list. */
export interface SyncChangePage {
  data: Array<SyncChange>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** The progress of a sync. */
export interface SyncCounts {
  /** Addresses known so far. */
  discovered: number
  /** Bodies that were downloaded. */
  fetched: number
  /** New documents. */
  added: number
  /** Documents whose content changed. */
  changed: number
  /** Documents that did not change. */
  unchanged: number
  /** Documents removed, because the source no longer has them. */
  removed: number
  /** Addresses left out on purpose. */
  skipped: number
  /** Addresses that could not be read; their documents are kept. */
  failed: number
}

/** An address that did not become a document, and why. */
export interface SyncError {
  /** `failed`: could not be read this time. `skipped`: left out on purpose. */
  kind: 'failed' | 'skipped'
  /** Its address; for an uploaded file, or a file in a folder or repository, its path. */
  url: string
  reason: string
}

/** One page of a list. */
export interface SyncErrorPage {
  data: Array<SyncError>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** One frame of a progress stream. */
export type SyncFrame = SyncProgress | StreamError

/** What becomes of the documents of a sync that are held back. */
export interface SyncHold {
  /** `reading`: what it finds is written, and no reader sees it. `measuring`: it has ended, and the evaluation set is searched with and without its documents. `waiting`: it is held back until you accept or discard it. `released`: measured, and shown to readers. `superseded`: a later sync of the source took its documents over. */
  status: 'reading' | 'measuring' | 'waiting' | 'released' | 'accepted' | 'discarded' | 'superseded'
  /** Questions of the evaluation set whose page is among the first five for readers as they are. Null: not measured. */
  hit5_before: PartOf | null
  /** The same with the documents of this sync. */
  hit5_after: PartOf | null
  /** When it was released, accepted or discarded. */
  decided_at: string | null
}

/** One page of a list. */
export interface SyncPage {
  data: Array<SyncSummary>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** The current state of the sync. The last frame, sent when it has ended, also has `errors` and `lost_questions`. */
export interface SyncProgress {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the source. */
  source_id: string
  /** `partial`: it ended, but some pages could not be read, removals were held back, or the source asked to wait too long. */
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: SyncCounts
  /** Why the source as a whole could not be read, or what a `partial` sync held back. */
  error: string | null
  /** What was left out of the source: what limits of this service leave out of it or of its documents, and sitemaps that the site names and that are not there. Every sync tells it again. The status does not tell of it. */
  warnings: Array<string>
  /** Of a source with `hold_back_drop`: what becomes of the documents that this sync added, changed or removed. Null: they were visible as soon as they were read, or there were none. */
  hold: SyncHold | null
  /** How many addresses it reads again that another sync could not read. Null: it reads the whole source. */
  retried_addresses: number | null
  started_at: string | null
  finished_at: string | null
  errors?: Array<SyncError> | undefined
  /** Questions whose page would leave the first five with its documents, if it was measured. */
  lost_questions?: Array<LostQuestion> | undefined
}

/** One run of reading a source. */
export interface SyncSummary {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the source. */
  source_id: string
  /** `partial`: it ended, but some pages could not be read, removals were held back, or the source asked to wait too long. */
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: SyncCounts
  /** Why the source as a whole could not be read, or what a `partial` sync held back. */
  error: string | null
  /** What was left out of the source: what limits of this service leave out of it or of its documents, and sitemaps that the site names and that are not there. Every sync tells it again. The status does not tell of it. */
  warnings: Array<string>
  /** Of a source with `hold_back_drop`: what becomes of the documents that this sync added, changed or removed. Null: they were visible as soon as they were read, or there were none. */
  hold: SyncHold | null
  /** How many addresses it reads again that another sync could not read. Null: it reads the whole source. */
  retried_addresses: number | null
  started_at: string | null
  finished_at: string | null
}

export interface SyncToRetry {
  /** Addresses among those that failed. Default: all of them. */
  urls?: Array<string> | undefined
}

export interface SyncToStart {
  /** Remove what the source no longer has, even if that is more than 20 % of its documents (and at least 20), or, of a source without an API, more than half (and at least 5). Such removals are otherwise held back, because a lost permission, or a site under maintenance, looks the same. */
  accept_deletions?: boolean | undefined
}

export interface TicketFile {
  file: File
}

export interface TicketMessage {
  /** Id of the ticket or chat in the help desk. */
  ticket_id: string
  subject?: string | undefined
  body: string
  /** Chats: the customer asks for a person, and is handed to one. */
  customer_asked_for_person?: boolean | undefined
}

/** How a message was handled. */
export interface TicketOutcome {
  /** Id of the ticket or chat in the help desk. */
  ticket_id: string
  /** `answered`: post the answer. `unanswered`: a ticket that the knowledge base does not cover; people handle it. `escalated`: hand it to a person. */
  outcome: 'answered' | 'unanswered' | 'escalated'
  /** Why it was escalated: `customer_replied` on tickets; on chats `customer_asked`, `turn_cap`, `low_confidence`, `answer_failed`. */
  reason: 'customer_replied' | 'customer_asked' | 'turn_cap' | 'low_confidence' | 'answer_failed' | null
  answer: string | null
  citations: Array<Citation>
  confidence: number | null
  /** Number of answers that this ticket or chat has received. */
  answers_given: number
}

export interface TicketSample {
  /** month_and_tag: as many of each month and first tag as their share is. */
  by: 'random' | 'month_and_tag'
  /** The same seed draws the same tickets of the same file. */
  seed: number
  /** How many tickets the sample was drawn from. */
  drawn_from: number
}

/** What a simulation of a file would try. Nothing is stored. */
export interface TicketsOfFile {
  format: 'table' | 'lines' | 'json' | 'zendesk' | 'mbox'
  /** Tickets in the file. */
  found: number
  tickets: Array<PastTicket>
  left_out: Array<LeftOutTickets>
  /** Null: `tickets` are all that can be tried. */
  sample: TicketSample | null
  estimate: SimulationEstimate
}

export interface TopPage {
  /** Id of the document. */
  document_id: string
  title: string
  url: string
  /** Answers that cite it. */
  answers: number
  /** Those of them that were rated down. */
  rated_down: number
}

/** Questions with the same meaning. */
export interface TopQuestion {
  /** The most typical of these questions. */
  label: string
  /** How often it or a similar question was asked. */
  count: number
  not_covered: number
  ratings: RatingCounts
  last_asked_at: string
  /** Other wordings of the question. */
  examples: Array<string>
  /** The most recent first, at most 50. */
  message_ids: Array<string>
}

/** How the answer of a message was produced, step by step. Its id is that of the message. */
export interface Trace {
  id: string
  created_at: string
  updated_at: string
  /** Id of the message. */
  message_id: string
  /** Id of the conversation. */
  conversation_id: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  query: string
  rewritten_query: string | null
  /** Earlier turns that were taken into account, as sent to the model. */
  earlier: Array<{
    query: string
    answer: string | null
  }>
  scope: {
    top_k: number
    /** Null for all of them. */
    source_group_ids: Array<string> | null
    includes_restricted: boolean
  }
  /** `lexical`: keywords only, without an embedding model. */
  search_mode: 'hybrid' | 'lexical' | null
  /** Best first. */
  retrieved: Array<RetrievedPassage>
  coverage: CoverageJudgement | null
  /** `quotes`: sentences of the pages, word for word. `nobody`: the reader was told that the question is not covered. */
  writer: 'model' | 'quotes' | 'nobody' | null
  model: string | null
  /** The exact instructions of the model: the rules, and the instructions of the owner. */
  instructions: string | null
  evidence: Array<ShownEvidence>
  /** The answer as written by the model. */
  written: string | null
  citation_checks: Array<CitationCheck>
  /** The answer after the checks. */
  answer: string | null
  citations: Array<Citation>
  covered: boolean
  confidence: number
  stopped_by: string | null
  /** True if the answer is based on pages that you may not read: then its texts are null. */
  withheld: boolean
  /** Duration of each step, in order. */
  steps: Array<TraceStep>
  /** Milliseconds. Null if this point was never reached. */
  first_ms: number | null
  /** Milliseconds. Null if this point was never reached. */
  total_ms: number | null
}

/** One page of a list. */
export interface TracePage {
  data: Array<ListedTrace>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

export interface TraceStep {
  name: string
  ms: number
}

/** Questions about one topic that were not covered or rated down, with what was done about them. Later questions on the same topic join it. It goes when the last of its conversations is deleted. */
export interface TrackedKnowledgeGap {
  id: string
  /** A resolved gap opens again by itself when one of its questions is asked later and not covered. A dismissed one stays dismissed. */
  status: 'open' | 'resolved' | 'dismissed'
  /** The most typical of these questions. */
  label: string
  /** Questions in the group, including repetitions. */
  count: number
  not_covered: number
  rated_down: number
  /** Up to 5, the most typical first, without duplicates. */
  examples: Array<AskedQuestion>
  /** The most recent first, at most 50. */
  message_ids: Array<string>
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Of your team. */
  note: string | null
  /** The custom answer that was written for it. Null if there is none, or it was deleted. */
  custom_answer_id: string | null
  /** Questions in an equal number of days before the range, to see the trend. */
  count_before: number
  /** Null if none was asked in the range. */
  first_asked_at: string | null
  last_asked_at: string | null
  /** When it was last marked as resolved, also if it has opened again since. */
  resolved_at: string | null
  /** When it was asked again and not covered, after it had been resolved. */
  reopened_at: string | null
  last_replay: LastReplay | null
}

/** A text with its personal data masked. */
export interface TriedPiiMasking {
  /** The text as it would be searched, sent to a model and stored. */
  text: string
  /** What was masked, in order. */
  found: Array<{
    /** `custom`: a pattern of your own. */
    kind: 'email' | 'phone' | 'credit_card' | 'iban' | 'ip_address' | 'national_id' | 'secret' | 'custom'
    text: string
  }>
}

/** Whether a model answers. */
export interface TriedWorkspaceLlm {
  ok: boolean
  /** Null if no model is set up. */
  model: string | null
  /** Milliseconds to its first word. Null if it said nothing. */
  first_ms: number | null
  /** What is wrong, in plain words. It may quote the provider: show it as text. */
  error: string | null
}

export interface TryPiiMasking {
  text: string
  /** Settings to try. Fields that are not sent are those of the knowledge base. */
  pii_masking?: {
    /** Kinds of personal data to mask. `national_id`: numbers of the USA, the United Kingdom, Spain, France, Italy and Brazil. `secret`: keys and tokens by their well-known forms. */
    mask?: Array<'email' | 'phone' | 'credit_card' | 'iban' | 'ip_address' | 'national_id' | 'secret'> | undefined
    /** Regular expressions of your own, in RE2 syntax: no back references, no look-around. Each is matched against one line at a time. */
    custom_patterns?: Array<string> | undefined
    /** Exceptions from masking: a text, or a pattern between slashes that matches all of it. */
    allow_list?: Array<string> | undefined
  } | undefined
}

export interface TryQuestion {
  query: string
  /** Only these source groups. Empty: all of them. */
  group_ids?: Array<string> | undefined
  /** How many passages to retrieve. */
  top_k?: number | undefined
  /** Who answers. */
  persona?: string | null | undefined
  /** How answers sound. */
  tone?: string | null | undefined
  /** Instructions for every answer. */
  standing_instructions?: string | null | undefined
  /** Whether restricted documents are used, as for members, or not, as for readers. Default: if you may chat in the knowledge base; without that permission they are never used. */
  include_restricted?: boolean | undefined
}

export interface TryWorkspaceLlm {
  /** What to try, as in `PATCH /workspaces/{id}`: fields that are not sent are those of the workspace. Nothing is stored. */
  llm?: {
    /** An OpenAI-compatible address, without `/chat/completions`. */
    base_url?: string | undefined
    model?: string | undefined
    /** The key of the provider. Null removes it. A new base_url on another host deletes the key unless it is sent too. */
    api_key?: string | null | undefined
  } | undefined
}

/** What changing the type of a knowledge base would do. */
export interface TypeChangePreview {
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  to: 'internal'
  stops: {
    /** Live keys. They are revoked, and stay revoked. */
    client_keys: NamedRecords
    /** They answer no more. */
    widgets: NamedRecords
    /** Servers for readers. They are deleted. */
    mcp_servers: NamedRecords
    /** They answer no more. */
    form_deflectors: NamedRecords
    /** They answer no more. */
    helpdesk_integrations: NamedRecords
  }
  goes_on: {
    /** They keep answering everyone in their channels: bots do not check who asks. */
    bots: NamedRecords
  }
  becomes_restricted: {
    /** Public ones. They become restricted, and stay restricted. */
    documents: NamedRecords
  }
}

export interface UploadFiles {
  /** The files, each as a part with this name. */
  file: Array<File>
}

export interface UploadedFile {
  id: string
  created_at: string
  updated_at: string
  /** Id of the source. */
  source_id: string
  name: string
  media_type: string
  byte_length: number
  sha256: string
}

/** The stored files, and the sync that indexes them. */
export interface UploadedFiles {
  files: Array<UploadedFile>
  sync: SyncSummary
}

/** One attempt to send an event to a receiver. */
export interface WebhookDelivery {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  /** Id of the webhook. */
  webhook_trigger_id: string
  /** What happened. */
  event: 'conversation.completed' | 'deflection.completed' | 'ticket.deflected' | 'ticket.escalated' | 'simulation.completed' | 'approval.resolved'
  /** `delivered`: the receiver answered with a 2xx status in time. `failed`: with another status, too late, or not at all. `unknown`: the service ended while it was being sent. `cancelled`: not sent, because the knowledge base was archived or the receiver is gone. */
  status: 'pending' | 'sending' | 'delivered' | 'failed' | 'unknown' | 'cancelled'
  /** Status of the receiver’s response; null if there was none. */
  response_status: number | null
  /** Why it failed. */
  error: string | null
  /** From the first attempt to connect until the status arrived. */
  duration_ms: number | null
  /** When it was sent; null until then. */
  attempted_at: string | null
  /** The exact text that was, or will be, posted. */
  body: string
  /** The beginning of the response of the receiver: 4,096 bytes at most. */
  response_body: string | null
  /** The delivery that this one repeats manually; null for a first one. */
  redelivery_of: string | null
}

/** One page of a list. */
export interface WebhookDeliveryPage {
  data: Array<WebhookDelivery>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** An address to which events are sent. Its secret is not shown. */
export interface WebhookTrigger {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** Where deliveries are posted. Use https: a body contains the beginning of an answer. */
  url: string
  events: Array<'conversation.completed' | 'deflection.completed' | 'ticket.deflected' | 'ticket.escalated' | 'simulation.completed' | 'approval.resolved'>
  /** Whether deliveries are signed. */
  has_secret: boolean
  /** `gone`: its receiver answered 410, so nothing is sent any more. A successful redelivery makes it live again. */
  status: 'live' | 'gone'
  /** The newest delivery; the others are in the log. */
  last_delivery: {
    id: string
    /** What happened. */
    event: 'conversation.completed' | 'deflection.completed' | 'ticket.deflected' | 'ticket.escalated' | 'simulation.completed' | 'approval.resolved'
    /** `delivered`: the receiver answered with a 2xx status in time. `failed`: with another status, too late, or not at all. `unknown`: the service ended while it was being sent. `cancelled`: not sent, because the knowledge base was archived or the receiver is gone. */
    status: 'pending' | 'sending' | 'delivered' | 'failed' | 'unknown' | 'cancelled'
    /** Status of the receiver’s response; null if there was none. */
    response_status: number | null
    /** Why it failed. */
    error: string | null
    /** From the first attempt to connect until the status arrived. */
    duration_ms: number | null
    /** When it was sent; null until then. */
    attempted_at: string | null
  } | null
}

/** One page of a list. */
export interface WebhookTriggerPage {
  data: Array<WebhookTrigger>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** Crawls links from the start addresses, and reads the sitemap. */
export interface WebsiteConfig {
  /** Where the crawl starts. It stays in the folder of each of these addresses, on its host. */
  start_urls: Array<string>
  /** Read only addresses that match one of these. An empty list: everything in scope. `*` matches anything within a path segment, `**` across segments. */
  include?: Array<string> | undefined
  /** Leave out addresses that match one of these. `*` matches anything within a path segment, `**` across segments. */
  exclude?: Array<string> | undefined
  /** Maximum number of pages. */
  max_pages?: number | undefined
  /** CSS selector of the content of a page. Null: detected automatically. */
  content_selector?: string | null | undefined
  /** Render pages in a browser before reading them: always, never, or (`auto`) if the text is empty without it. */
  render_js?: 'auto' | boolean | undefined
  /** Links to follow from a start address. Null: 20. */
  max_depth?: number | null | undefined
  /** Also read the sitemap. */
  use_sitemap?: boolean | undefined
}

/** A saved website widget. */
export interface Widget {
  id: string
  created_at: string
  updated_at: string
  /** Id of the knowledge base. */
  knowledge_base_id: string
  name: string
  /** If false, requests with its `widget_id` are refused. */
  enabled: boolean
  /** Origins of the pages that may use it, such as `https://docs.example.com`. A bare domain such as `docs.example.com` means its https origin (`localhost:5173` its http one), and is stored as such. A star may replace the left-most part: `https://*.example.com`. One that is given twice is stored once. An empty list allows every page. */
  allowed_origins: Array<string>
  /** Saved settings of the widget: the looks and texts that its script supports, and its voice. `persona`, `tone` and `standing_instructions` replace those of the knowledge base in answers to its readers. */
  config: {
    /** How the widget opens. Default: `modal`. */
    mode?: 'modal' | 'sidebar' | 'bubble' | 'embedded' | 'none' | null | undefined
    /** Side of the launcher and the sidebar. Default: `end`. */
    position?: 'end' | 'start' | null | undefined
    /** Distance of the launcher from the edges. */
    offset?: string | null | undefined
    /** `page` follows the page. Default: `auto`. */
    theme?: 'auto' | 'light' | 'dark' | 'page' | null | undefined
    /** Colour of buttons and links; it is changed where it could not be read. */
    accent?: string | null | undefined
    /** Radius of corners. */
    radius?: string | null | undefined
    /** `inherit`: that of the page. Default: `system`. */
    font?: 'system' | 'inherit' | null | undefined
    /** Shown at the top. */
    logo?: string | null | undefined
    /** Default: on top. */
    z_index?: number | null | undefined
    /** `none`: your own buttons open the widget. Default: `button`. */
    launcher?: 'button' | 'none' | null | undefined
    /** Text of the launcher. */
    launcher_label?: string | null | undefined
    /** Icon of the launcher. */
    launcher_icon?: string | null | undefined
    /** The tab that is open first. Default: `ask`. */
    default_tab?: 'ask' | 'search' | null | undefined
    /** Whether there is a tab for searching. Default: `true`. */
    search?: boolean | null | undefined
    /** Keys that open the widget. Default: `mod+k`. */
    shortcut?: string | null | undefined
    /** Whether `/` opens the search. Default: `true`. */
    slash?: boolean | null | undefined
    /** Whether a question in the address of the page (`?ask=…`) opens the widget. Default: `false`. */
    deep_link?: boolean | null | undefined
    /** Parameter of the address that holds a question. Default: `ask`. */
    query_param?: string | null | undefined
    /** Whether a question in the address is asked without a press. Default: `false`. */
    allow_autosend?: boolean | null | undefined
    /** Whether selected text of the page can be asked about. Default: `false`. */
    selection?: boolean | null | undefined
    /** How long the browser keeps the conversation. Default: `session`. */
    remember?: 'session' | 'none' | 'local' | null | undefined
    /** Where links open. Default: `new`. */
    open_links?: 'new' | 'same' | null | undefined
    /** Default: the language of the page, then of the browser. */
    language?: string | null | undefined
    /** Shown in the empty field. */
    placeholder?: string | null | undefined
    /** Shown below the field. */
    disclaimer?: string | null | undefined
    /** Link of the privacy line. */
    privacy_url?: string | null | undefined
    /** Where readers reach people. */
    support_url?: string | null | undefined
    /** The same. */
    support_email?: string | null | undefined
    /** `required`: nothing is fetched before a press. Default: `none`. */
    consent?: 'none' | 'required' | null | undefined
    /** Events for scripts of the page. Default: `metadata`. */
    events?: 'metadata' | 'none' | null | undefined
    /** Shown at the top in place of the name of the base. */
    product_name?: string | null | undefined
    /** Counts only where `hide_branding_allowed` is true. Default: `false`. */
    hide_branding?: boolean | null | undefined
    /** `false` hides the button Use MCP. Default: `true`. */
    mcp_enabled?: boolean | null | undefined
    /** Limits questions and searches to these groups. */
    source_group_ids?: Array<string> | null | undefined
    persona?: string | null | undefined
    tone?: string | null | undefined
    standing_instructions?: string | null | undefined
    [name: string]: unknown
  }
  /** When a page last showed it, to the minute. Null: never. Pages of this service do not count. */
  last_seen_at: string | null
  /** Origin of that page, as its browser sent it. */
  last_seen_origin: string | null
}

/** `config` is merged key by key. */
export interface WidgetChange {
  name?: string | undefined
  /** If false, requests with its `widget_id` are refused. */
  enabled?: boolean | undefined
  /** Origins of the pages that may use it, such as `https://docs.example.com`. A bare domain such as `docs.example.com` means its https origin (`localhost:5173` its http one), and is stored as such. A star may replace the left-most part: `https://*.example.com`. One that is given twice is stored once. An empty list allows every page. */
  allowed_origins?: Array<string> | undefined
  /** Saved settings of the widget: the looks and texts that its script supports, and its voice. `persona`, `tone` and `standing_instructions` replace those of the knowledge base in answers to its readers. */
  config?: {
    /** How the widget opens. Default: `modal`. */
    mode?: 'modal' | 'sidebar' | 'bubble' | 'embedded' | 'none' | null | undefined
    /** Side of the launcher and the sidebar. Default: `end`. */
    position?: 'end' | 'start' | null | undefined
    /** Distance of the launcher from the edges. */
    offset?: string | null | undefined
    /** `page` follows the page. Default: `auto`. */
    theme?: 'auto' | 'light' | 'dark' | 'page' | null | undefined
    /** Colour of buttons and links; it is changed where it could not be read. */
    accent?: string | null | undefined
    /** Radius of corners. */
    radius?: string | null | undefined
    /** `inherit`: that of the page. Default: `system`. */
    font?: 'system' | 'inherit' | null | undefined
    /** Shown at the top. */
    logo?: string | null | undefined
    /** Default: on top. */
    z_index?: number | null | undefined
    /** `none`: your own buttons open the widget. Default: `button`. */
    launcher?: 'button' | 'none' | null | undefined
    /** Text of the launcher. */
    launcher_label?: string | null | undefined
    /** Icon of the launcher. */
    launcher_icon?: string | null | undefined
    /** The tab that is open first. Default: `ask`. */
    default_tab?: 'ask' | 'search' | null | undefined
    /** Whether there is a tab for searching. Default: `true`. */
    search?: boolean | null | undefined
    /** Keys that open the widget. Default: `mod+k`. */
    shortcut?: string | null | undefined
    /** Whether `/` opens the search. Default: `true`. */
    slash?: boolean | null | undefined
    /** Whether a question in the address of the page (`?ask=…`) opens the widget. Default: `false`. */
    deep_link?: boolean | null | undefined
    /** Parameter of the address that holds a question. Default: `ask`. */
    query_param?: string | null | undefined
    /** Whether a question in the address is asked without a press. Default: `false`. */
    allow_autosend?: boolean | null | undefined
    /** Whether selected text of the page can be asked about. Default: `false`. */
    selection?: boolean | null | undefined
    /** How long the browser keeps the conversation. Default: `session`. */
    remember?: 'session' | 'none' | 'local' | null | undefined
    /** Where links open. Default: `new`. */
    open_links?: 'new' | 'same' | null | undefined
    /** Default: the language of the page, then of the browser. */
    language?: string | null | undefined
    /** Shown in the empty field. */
    placeholder?: string | null | undefined
    /** Shown below the field. */
    disclaimer?: string | null | undefined
    /** Link of the privacy line. */
    privacy_url?: string | null | undefined
    /** Where readers reach people. */
    support_url?: string | null | undefined
    /** The same. */
    support_email?: string | null | undefined
    /** `required`: nothing is fetched before a press. Default: `none`. */
    consent?: 'none' | 'required' | null | undefined
    /** Events for scripts of the page. Default: `metadata`. */
    events?: 'metadata' | 'none' | null | undefined
    /** Shown at the top in place of the name of the base. */
    product_name?: string | null | undefined
    /** Counts only where `hide_branding_allowed` is true. Default: `false`. */
    hide_branding?: boolean | null | undefined
    /** `false` hides the button Use MCP. Default: `true`. */
    mcp_enabled?: boolean | null | undefined
    /** Limits questions and searches to these groups. */
    source_group_ids?: Array<string> | null | undefined
    persona?: string | null | undefined
    tone?: string | null | undefined
    standing_instructions?: string | null | undefined
    [name: string]: unknown
  } | undefined
}

/** One page of a list. */
export interface WidgetPage {
  data: Array<Widget>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** A container for knowledge bases and the members who work on them. */
export interface Workspace {
  id: string
  created_at: string
  updated_at: string
  name: string
  plan: 'free' | 'pro' | 'enterprise'
  /** Questions per month. Null: the limit of the plan. */
  monthly_question_allowance: number | null
  /** Conversations and answers are not stored: answers have no thread_id and no message_id. */
  zero_data_retention: boolean
  /** Conversations are deleted after this many days without activity. Null keeps them. */
  retention_days: number | null
  /** The model that answers here. Null: that of the instance; and always for an operator who is no member. */
  llm: {
    /** An OpenAI-compatible address, without `/chat/completions`. */
    base_url: string
    model: string
    /** Whether a key is stored. It is never returned. */
    has_api_key: boolean
    /** The last four characters of the key, to distinguish keys. */
    api_key_end: string | null
  } | null
  /** Since when the model that answers here has not answered, after three failures in a row and until it answers again, as far as the process knows that is asked. Null: it answers, or was not asked yet; and always for whoever may not change it. */
  llm_problem: {
    since: string
    /** What is wrong, in plain words. It may quote the provider: show it as text. */
    message: string
  } | null
  /** Since when the operator of the instance has suspended it. Its knowledge bases are archived, and none is made or restored. Null: it is not suspended. */
  suspended_at: string | null
}

export interface WorkspaceChange {
  name?: string | undefined
  plan?: 'free' | 'pro' | 'enterprise' | undefined
  /** Questions per month. Null: the limit of the plan. */
  monthly_question_allowance?: number | null | undefined
  /** Conversations and answers are not stored: answers have no thread_id and no message_id. */
  zero_data_retention?: boolean | undefined
  /** Conversations are deleted after this many days without activity. Null keeps them. */
  retention_days?: number | null | undefined
  llm?: {
    /** An OpenAI-compatible address, without `/chat/completions`. */
    base_url?: string | undefined
    model?: string | undefined
    /** The key of the provider. Null removes it. A new base_url on another host deletes the key unless it is sent too. */
    api_key?: string | null | undefined
  } | null | undefined
}

/** A question to the knowledge bases of a workspace. */
export interface WorkspaceChatBody {
  /** The question. */
  query: string
  /** Continue this conversation. An invalid id starts a new one. */
  thread_id?: string | undefined
  /** Only these knowledge bases. If omitted or empty: all. */
  knowledge_base_ids?: Array<string> | undefined
  /** Only these source groups. If omitted or empty: all. */
  group_ids?: Array<string> | undefined
  /** Only these sources. If omitted or empty: all. */
  source_ids?: Array<string> | undefined
}

/** The first frame: what was found, and where. */
export interface WorkspaceChatFirstFrame {
  /** Pages found for the question. Omitted if nothing was found. */
  citations?: Array<Citation> | undefined
  done: false
  /** The knowledge base that it is from. */
  knowledge_base: {
    /** Id of the knowledge base. */
    id: string
    name: string
  }
}

/** One frame of an answer to a question to a workspace. */
export type WorkspaceChatFrame = WorkspaceChatFirstFrame | ChatDeltaFrame | WorkspaceChatLastFrame | StreamError

/** The last frame: how the answer ended, and which knowledge base gave it. */
export interface WorkspaceChatLastFrame {
  done: true
  /** Send it to continue the conversation. Omitted under zero data retention. */
  thread_id?: string | undefined
  /** Send it to rate the answer. Omitted under zero data retention. */
  message_id?: string | undefined
  /** The citations of the answer. They replace the first list, and may be empty. */
  citations: Array<Citation>
  /** Only when the final text differs from the streamed one: it replaces it. */
  answer?: string | undefined
  /** False when the knowledge base does not cover the question. */
  covered: boolean
  confidence: number
  powered_by?: string | undefined
  powered_by_url?: string | undefined
  /** The knowledge base that it is from. */
  knowledge_base: {
    /** Id of the knowledge base. */
    id: string
    name: string
  }
}

/** One page of a list. */
export interface WorkspaceGrantPage {
  data: Array<KnowledgeBaseGrant>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

/** A member of a workspace, or a person invited to it. */
export interface WorkspaceMember {
  /** Id of the person. */
  id: string
  created_at: string
  updated_at: string
  /** Id of the workspace. */
  workspace_id: string
  /** Id of the person. */
  user_id: string
  email: string
  name: string
  /** `owner` and `admin` may do everything in the workspace, but only owners make, change and remove owners. A `member` reads and makes knowledge bases, and may do with each what its members may or what was granted. */
  role: 'owner' | 'admin' | 'member'
  /** `invited`: has not accepted the invitation yet, and has no permissions so far. */
  status: 'active' | 'invited'
}

/** One page of a list. */
export interface WorkspaceMemberPage {
  data: Array<WorkspaceMember>
  /** Send it as `cursor` to get the next page. Null on the last page. */
  next_cursor: string | null
}

export interface WorkspaceSearchBody {
  query: string
  /** How many pages to return. */
  limit?: number | null | undefined
  /** Only these knowledge bases. If omitted or empty: all. */
  knowledge_base_ids?: Array<string> | undefined
  /** Only these source groups. If omitted or empty: all. */
  group_ids?: Array<string> | undefined
  /** Only these sources. If omitted or empty: all. */
  source_ids?: Array<string> | undefined
}

/** The best pages of all knowledge bases, best first. */
export interface WorkspaceSearchResults {
  results: Array<{
    /** Id of the document. */
    document_id: string
    /** Id of the passage. */
    chunk_id: string
    title: string
    url: string
    /** The headings above the passage, outermost first. */
    heading_path: Array<string>
    snippet: string
    /** 0 to 1, relative to the other results. */
    score: number
    version_label: string | null
    /** The knowledge base that it is from. */
    knowledge_base: {
      /** Id of the knowledge base. */
      id: string
      name: string
    }
  }>
  count: number
  powered_by: string
  powered_by_url: string
}

/** Questions of a workspace this month and its storage, with their limits. */
export interface WorkspaceUsage {
  workspace_id: string
  /** Calendar month in UTC. */
  month: string
  /** Questions counted this month, on all surfaces. */
  questions: number
  /** Questions per month. Null: no limit. */
  allowance: number | null
  /** Questions left this month. Null: no limit. */
  remaining: number | null
  /** When the next month begins. */
  resets_at: string
  /** Approximate disk space of documents, files and their index. */
  stored_bytes: number
  /** Maximum storage. Null: no limit. */
  stored_bytes_limit: number | null
  knowledge_bases: Array<{
    knowledge_base_id: string
    /** Null: it was deleted, or is not open to the caller. */
    name: string | null
    questions: number
    /** Where they were asked; without surfaces on which nobody asked. */
    surfaces: Array<{
      surface: 'api' | 'widget' | 'openai' | 'form_deflector' | 'bot' | 'helpdesk' | 'mcp' | 'team'
      questions: number
    }>
  }>
  /** The last twelve months, this one included, oldest first; months without a question too. */
  history: Array<{
    /** Calendar month in UTC. */
    month: string
    questions: number
  }>
}

/** Reads the articles of a Zendesk help center. */
export interface ZendeskHelpCenterConfig {
  /** Address of the help center. Its own one (`….zendesk.com`), not one of your domain. */
  url: string
  /** Whether files that are attached to articles are read too: PDF, Word, slides (PPTX), tables (XLSX, CSV, TSV), Markdown, HTML and text, each as a document of its own. */
  attachments?: boolean | undefined
  /** The language to read. Null: the default language of the help center. */
  locale?: string | null | undefined
}
