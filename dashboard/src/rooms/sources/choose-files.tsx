import { useRef } from 'react'
import { TextInput } from '../../ui/field.tsx'
import { FILE_ENDINGS, whyNotSent } from '../../api/chosen-files.ts'
import { ChosenFiles } from './chosen-files.tsx'
import classes from './choose-files.module.css'

/** Chooses files of this computer; they can be dropped on it as well. */
export function ChooseFiles({
  files,
  onChoose,
}: {
  files: readonly File[]
  onChoose: (files: readonly File[]) => void
}) {
  const place = useRef<HTMLInputElement>(null)
  /** Also in the control itself, which says how many there are. */
  function remove(file: File): void {
    const kept = files.filter((one) => one !== file)
    const shown = new DataTransfer()
    for (const one of kept) shown.items.add(one)
    if (place.current !== null) place.current.files = shown.files
    onChoose(kept)
    // Its button is gone.
    place.current?.focus()
  }
  return (
    <>
      <div className={classes['drop']}>
        <TextInput
          ref={place}
          label="Files"
          name="files"
          type="file"
          required
          multiple
          accept={FILE_ENDINGS}
          onChange={({ target }) => onChoose([...(target.files ?? [])])}
          error={whyNotSent(files)}
          hint="Choose them, or drop them here: PDF, Word (.docx), Markdown, HTML, reStructuredText, AsciiDoc, notebooks, text, slides (.pptx), tables (.xlsx, .csv). A file with the name of an earlier one replaces it."
        />
      </div>
      {files.length > 0 && <ChosenFiles files={files} onRemove={remove} />}
    </>
  )
}
