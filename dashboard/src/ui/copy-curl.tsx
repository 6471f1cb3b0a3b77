import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { curlOf, type ApiRequest } from './curl.ts'
import { useToasts } from './toast.tsx'

/** Copies what a button of this screen does, as a command for a script. */
export function CopyCurl({ requestOf }: { requestOf: () => ApiRequest }) {
  const { tell } = useToasts()
  async function copy(near: Element): Promise<void> {
    const isCopied = await copyText(curlOf(requestOf(), location.origin), near)
    tell(
      isCopied
        ? 'Copied. Set CITEWELL_TOKEN to an access token before you run it.'
        : 'This browser does not allow copying.',
    )
  }
  return (
    <Button
      look="quiet"
      onClick={({ currentTarget }) => void copy(currentTarget.parentElement ?? currentTarget)}
    >
      Copy as curl
    </Button>
  )
}
