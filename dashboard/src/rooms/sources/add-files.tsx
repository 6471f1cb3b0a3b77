import { useState, type FormEvent } from 'react'
import { isRead, whyNotSent } from '../../api/chosen-files.ts'
import { useSendFiles } from '../../api/uploads.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { ChooseFiles } from './choose-files.tsx'

/** Sends more files to a source of files, or new versions of those that it has. */
export function AddFiles({
  baseId,
  sourceId,
  blocked,
}: {
  baseId: string
  sourceId: string
  blocked: string | undefined
}) {
  const [files, choose] = useState<readonly File[]>([])
  const [round, setRound] = useState(0)
  const send = useSendFiles(baseId)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const isSent = await send.mutateAsync({ sourceId, files: files.filter(isRead) }).then(
      () => true,
      () => false,
    )
    if (!isSent) return
    choose([])
    setRound(round + 1)
  }

  return (
    <Card title="Add files">
      <Form key={round} hasFailed={send.isError} onSubmit={(event) => void submit(event)}>
        <ChooseFiles files={files} onChoose={choose} />
        {send.isError && <Fault error={send.error} />}
        <Button
          look="primary"
          type="submit"
          blocked={blocked}
          disabled={send.isPending || whyNotSent(files) !== undefined}
        >
          {send.isPending ? 'Sending…' : 'Send and read them'}
        </Button>
      </Form>
    </Card>
  )
}
