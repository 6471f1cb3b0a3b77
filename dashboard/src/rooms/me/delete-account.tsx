import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'

/** Deletes the account of the person, after they have proved that it is theirs. */
export function DeleteAccount() {
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation({
    mutationFn: (form: FormData) => {
      const password = form.get('password')
      return api.deleteMe(typeof password === 'string' && password !== '' ? { password } : {})
    },
    onSuccess: () => location.assign('/sign-in?done=account-deleted'),
  })
  function begin(): void {
    remove.reset()
    setOpen(true)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    remove.mutate(new FormData(event.currentTarget))
  }
  return (
    <Card title="Delete your account">
      <p>You leave every workspace, and cannot sign in any more. This cannot be undone.</p>
      <Button look="danger" onClick={begin}>
        Delete your account
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Delete your account">
        <Form hasFailed={remove.isError} onSubmit={submit}>
          <p>
            Your password, linked providers, access tokens and connected AI tools stop working immediately, in
            every browser. Knowledge bases and everything else that you made stay with their workspaces. Your
            name and e-mail address are deleted in 30 days: until then the activity logs name you.
          </p>
          <TextInput
            label="Your password"
            name="password"
            type="password"
            autoComplete="current-password"
            hint="Leave it empty if you sign in with a provider: then you must have signed in within the last ten minutes."
          />
          {remove.isError && <Fault error={remove.error} />}
          <Button look="danger" type="submit" disabled={remove.isPending}>
            Delete your account
          </Button>
        </Form>
      </Dialog>
    </Card>
  )
}
