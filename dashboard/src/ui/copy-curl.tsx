import { Button } from './button.tsx'
import { curlOf, type ApiRequest } from './curl.ts'
import { useToasts } from './toast.tsx'

/** Copies what a button of this screen does, as a command for a script. */
export function CopyCurl({ requestOf }: { requestOf: () => ApiRequest }) {
  const { tell } = useToasts()
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(curlOf(requestOf(), location.origin))
      tell('Copied. Set CITEWELL_TOKEN to an access token before you run it.')
    } catch {
      tell('This browser does not allow copying.')
    }
  }
  return (
    <Button look="quiet" onClick={() => void copy()}>
      Copy as curl
    </Button>
  )
}
