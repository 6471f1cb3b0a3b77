/** Where the guide, which is part of what is installed, tells more. */
export function GuidePage({ file }: { file: string }) {
  return (
    <p>
      Step by step: <code>docs/guide/{file}</code>, in the folder of Citewell.
    </p>
  )
}
