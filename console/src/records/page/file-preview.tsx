import type { ShownFile } from '../../calls/admissions/shown-files.ts'
import { Preview } from '../../documents/preview.tsx'
import { Dialog } from '../../elements/dialog.tsx'

interface Props {
  readonly file: ShownFile
  readonly onClose: () => void
}

/** Shows a file over the record that it is attached to. */
export default function LookAtFile({ file, onClose }: Props) {
  return (
    <Dialog title={file.fileName} className="wide" onClose={onClose}>
      <Preview file={file} title={file.fileName} />
    </Dialog>
  )
}
