import type { KnowledgeBase, McpServer } from '@citewell/sdk/management'
import { useState, type FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { SIGN_IN } from './sign-in-types.ts'
import { faultOfServerName, suggestedServerName } from './server-name-rule.ts'

/** Makes an MCP server. Neither its name nor who may connect can be changed later. */
export function NewServerForm({ base, onMade }: { base: KnowledgeBase; onMade: (made: McpServer) => void }) {
  const [name, setName] = useState(() => suggestedServerName(base.name))
  const [isTouched, setTouched] = useState(false)
  const offered = SIGN_IN.filter(({ offeredBy }) => offeredBy === base.type)
  const [type, setType] = useState(offered[0]?.type ?? 'api_key')
  const make = useRecordChange(
    'mcp-servers',
    base.id,
    (api, given: { server_name: string; sign_in_type: McpServer['sign_in_type'] }) =>
      api.createMcpServer(base.id, given),
    { says: 'The server was created.', isInForm: true },
  )
  const fault = faultOfServerName(name)
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    setTouched(true)
    if (fault === undefined) make.mutate({ server_name: name, sign_in_type: type }, { onSuccess: onMade })
  }
  return (
    <Form hasFailed={make.isError} onSubmit={submit}>
      <TextInput
        label="Name"
        value={name}
        maxLength={80}
        required
        spellCheck={false}
        autoCapitalize="none"
        error={isTouched || name !== '' ? fault : undefined}
        onChange={(event) => setName(event.target.value)}
        onBlur={() => setTouched(true)}
        hint={
          <>
            Its address: <code>{`${location.origin}/mcp/${name === '' ? '…' : name}`}</code>. 3 to 63
            lowercase letters, digits and hyphens. No one else on this service may have the same.
          </>
        }
      />
      <Select
        label="Who may connect"
        value={type}
        options={offered.map(({ type, choice }) => [type, choice] as const)}
        onChange={(event) =>
          setType(offered.find((one) => one.type === event.target.value)?.type ?? 'api_key')
        }
        hint="Neither the name nor this can be changed later: tools depend on both. Delete the server and create another."
      />
      {make.isError && <Fault error={make.error} />}
      <Button look="primary" type="submit" disabled={make.isPending}>
        Create server
      </Button>
    </Form>
  )
}
