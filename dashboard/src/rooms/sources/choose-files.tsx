import { TextInput } from '../../ui/field.tsx'
import { count } from '../../ui/time.tsx'
import { FILE_ENDINGS, sizeOf, whyNotSent } from '../../api/chosen-files.ts'
import classes from './choose-files.module.css'

/** Chooses files of this computer; they can be dropped on it as well. */
export function ChooseFiles({
  files,
  onChoose,
}: {
  files: readonly File[]
  onChoose: (files: readonly File[]) => void
}) {
  return (
    <>
      <div className={classes['drop']}>
        <TextInput
          label="Files"
          name="files"
          type="file"
          required
          multiple
          accept={FILE_ENDINGS}
          onChange={({ target }) => onChoose([...(target.files ?? [])])}
          error={whyNotSent(files)}
          hint="Choose them, or drop them here: PDF, Word (.docx), Markdown, HTML, reStructuredText, AsciiDoc, notebooks, text. A file with the name of an earlier one replaces it."
        />
      </div>
      {files.length > 0 && (
        <p role="status" className={classes['chosen']}>
          {files.length === 1 ? 'One file' : `${count(files.length)} files`}, {sizeOf(files)}
        </p>
      )}
    </>
  )
}
