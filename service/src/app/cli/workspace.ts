import { PLAN_NAMES } from '@citewell/contract/limits'
import type { InstanceWorkspace } from '@citewell/contract/workspaces'
import { chooseNamed } from './choose-named.ts'
import { CommandFailure, EXIT, type Command, type CommandInput } from './command.ts'
import { oneLine } from './printable.ts'
import { connectService, type ServiceClient } from './service-client.ts'

type Created = InstanceWorkspace & { invitation: { email: string; url: string } }

/** All workspaces of the instance. */
async function listWorkspaces(client: ServiceClient): Promise<InstanceWorkspace[]> {
  const found: InstanceWorkspace[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: { data: InstanceWorkspace[]; next_cursor: string | null } = await client.json(
      'GET',
      `/api/v1/workspaces?limit=200${at}`,
    )
    found.push(...page.data)
    cursor = page.next_cursor
  }
  return found
}

async function list({ terminal }: CommandInput, client: ServiceClient): Promise<void> {
  const data = await listWorkspaces(client)
  if (terminal.isJson) return terminal.json({ data })
  for (const one of data) {
    const state = one.suspended_at === null ? '' : '  suspended'
    terminal.result(
      `${one.id}  ${oneLine(one.name)}  ${one.plan}  ${one.member_count} members  ${one.knowledge_base_count} knowledge bases${state}`,
    )
  }
}

async function create(input: CommandInput, client: ServiceClient, name: string): Promise<void> {
  const { terminal, options } = input
  const { owner, plan } = options
  if (typeof owner !== 'string')
    throw new CommandFailure(EXIT.usage, 'Say who its first owner is: --owner E-MAIL.', {
      hint: 'citewell workspace --help',
    })
  const made = await client.json<Created>('POST', '/api/v1/workspaces', {
    name,
    owner_email: owner,
    ...(plan !== undefined && { plan }),
  })
  if (terminal.isJson) return terminal.json(made)
  terminal.result(made.invitation.url)
  terminal.note(
    `Give this link to ${oneLine(made.invitation.email)}. It works once, for seven days, and is not shown again.`,
  )
}

/** What is done to a workspace that exists: its request, and the words for it afterwards. */
async function change(
  input: CommandInput,
  client: ServiceClient,
  action: string,
  named: string,
): Promise<void> {
  const { terminal, words } = input
  const workspace = chooseNamed(await listWorkspaces(client), named, 'workspace')
  const path = `/api/v1/workspaces/${workspace.id}`
  const plan = words[2]
  if (action === 'plan' && !PLAN_NAMES.some((one) => one === plan))
    throw new CommandFailure(EXIT.usage, `Say which plan: ${PLAN_NAMES.join(', ')}.`)
  const changed =
    action === 'plan'
      ? await client.json('PATCH', path, { plan })
      : await client.json('POST', `${path}/${action}`)
  if (terminal.isJson) return terminal.json(changed)
  const done = { plan: `has the plan ${plan}`, suspend: 'is suspended', resume: 'is resumed' }[action]
  terminal.result(`The workspace "${oneLine(workspace.name)}" ${done}.`)
}

export const workspaceCommand: Command = {
  usage: 'list | create NAME --owner E-MAIL [--plan PLAN] | plan NAME PLAN | suspend NAME | resume NAME',
  summary: 'List, make, suspend and resume the workspaces of this installation, and set their plans.',
  options: {
    owner: { type: 'string', about: 'who is invited as the first owner of a new workspace' },
    plan: { type: 'string', about: 'free, pro or enterprise (free)' },
  },
  run: async (input) => {
    const [action = '', subject] = input.words
    const isKnown = ['create', 'plan', 'suspend', 'resume'].includes(action) && subject !== undefined
    if (!isKnown && action !== 'list')
      throw new CommandFailure(
        EXIT.usage,
        'Say list, create NAME, plan NAME PLAN, suspend NAME, or resume NAME.',
        { hint: 'citewell workspace --help' },
      )
    await using client = await connectService(input)
    if (subject === undefined) await list(input, client)
    else if (action === 'create') await create(input, client, subject)
    else await change(input, client, action, subject)
    return EXIT.ok
  },
}
