import type { Workspace, WorkspaceChange } from '@citewell/sdk/management'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { useReadWorkspaceAgain, useWorkspaceChange } from '../../api/workspaces.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextInput } from '../../ui/field.tsx'
import { textOf } from '../../ui/form-values.ts'
import { SaveForm } from '../../ui/save-form.tsx'
import { Banner } from '../../ui/status.tsx'
import { count, Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

type Llm = NonNullable<WorkspaceChange['llm']>

const FIELDS = 'input[name=llm_base_url]'

/** What the fields say; a key only if one was typed. */
const llmOf = (form: FormData): Llm => {
  const key = textOf(form, 'llm_api_key')
  return {
    base_url: textOf(form, 'llm_base_url'),
    model: textOf(form, 'llm_model'),
    ...(key !== '' && { api_key: key }),
  }
}
const changeOf = (form: FormData): WorkspaceChange => ({ llm: llmOf(form) })

/** Asks the model that the fields describe a tiny question, saved or not. */
function TryModel({ workspaceId, blocked }: { workspaceId: string; blocked: string | undefined }) {
  const api = useApi()
  const trying = useMutation({
    mutationFn: async () => {
      const form = document.querySelector<HTMLInputElement>(FIELDS)?.form
      const given = form === null || form === undefined ? undefined : llmOf(new FormData(form))
      const isGiven = given !== undefined && given.base_url !== ''
      return await api.tryWorkspaceLlm(workspaceId, isGiven ? { llm: given } : {})
    },
  })
  const tried = trying.data
  return (
    <>
      <p>
        <Button
          blocked={blocked}
          disabled={trying.isPending}
          onClick={() => trying.mutate()}
          title="The provider may charge for one tiny question"
        >
          {trying.isPending ? 'Asking the model…' : 'Test the model'}
        </Button>
      </p>
      {trying.isError && <Fault error={trying.error} />}
      {tried !== undefined && (
        <Banner tone={tried.ok ? 'ok' : 'danger'}>
          {tried.ok
            ? `${tried.model ?? 'The model'} answered after ${count(tried.first_ms ?? 0)} ms.`
            : (tried.error ?? 'The model did not answer.')}
        </Banner>
      )}
    </>
  )
}

/** The way back to the model of the installation. */
function UseDefault({ workspaceId, blocked }: { workspaceId: string; blocked: string | undefined }) {
  const { tell, tellFault } = useToasts()
  const change = useWorkspaceChange(workspaceId)
  const [isAsking, setAsking] = useState(false)
  const act = () =>
    change.mutate(
      { llm: null },
      { onSuccess: () => tell('The model of this installation answers again.'), onError: tellFault },
    )
  return (
    <p>
      <Button blocked={blocked} disabled={change.isPending} onClick={() => setAsking(true)}>
        Use the model of this installation
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Use the model of this installation"
        action="Use it, and delete the key"
        onConfirm={act}
      >
        <p>
          Answers are written by the model of this installation from the next question on, or quoted from your
          pages if it has none. The address and the key that are stored here are deleted.
        </p>
      </ConfirmDialog>
    </p>
  )
}

const keyHint = (llm: Workspace['llm']): string =>
  llm?.has_api_key === true
    ? `A key that ends in ${llm.api_key_end ?? '…'} is stored. Leave this empty to keep it; another host needs a new one.`
    : 'It is stored encrypted, and never shown again.'

/** The language model that answers in a workspace: its address, its name, and a key that is never shown again. */
export function LanguageModel({
  workspace,
  blocked,
}: {
  workspace: Workspace
  /** Why it cannot be changed. */
  blocked: string | undefined
}) {
  const { id, llm, llm_problem: problem } = workspace
  const change = useWorkspaceChange(id)
  const readAgain = useReadWorkspaceAgain(id)
  return (
    <SaveForm
      // The key that was typed is gone from the field once it is stored.
      key={llm === null ? 'none' : `${llm.base_url} ${llm.model} ${llm.api_key_end ?? ''}`}
      title="Language model"
      blocked={blocked}
      record={workspace}
      readRecord={readAgain}
      changeOf={changeOf}
      save={async (given) => await change.mutateAsync(given)}
      requestOf={(body) => ({ method: 'PATCH', path: `/api/v1/workspaces/${id}`, body })}
    >
      {problem !== null && (
        <Banner tone="danger">
          The model has not answered since <Time at={problem.since} />:{' '}
          <span dir="auto">{problem.message}</span>
        </Banner>
      )}
      <p>
        {llm === null
          ? 'Answers are written by the model of this installation, or quoted from your pages if it has none. Give another one here.'
          : `Answers are written by ${llm.model}.`}
      </p>
      <TextInput
        label="Base URL"
        name="llm_base_url"
        faultsAt="llm.base_url"
        type="url"
        required
        maxLength={2000}
        defaultValue={llm?.base_url}
        placeholder="https://api.openai.com/v1"
        hint="An OpenAI-compatible address, without /chat/completions."
      />
      <TextInput
        label="Model"
        name="llm_model"
        faultsAt="llm.model"
        required
        maxLength={200}
        defaultValue={llm?.model}
      />
      <TextInput
        label="Provider’s API key"
        name="llm_api_key"
        faultsAt="llm.api_key"
        type="password"
        autoComplete="new-password"
        maxLength={500}
        hint={keyHint(llm)}
      />
      <TryModel workspaceId={id} blocked={blocked} />
      {llm !== null && <UseDefault workspaceId={id} blocked={blocked} />}
    </SaveForm>
  )
}
