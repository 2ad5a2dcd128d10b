import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isShowable, type ShownFile } from '../calls/admissions/shown-files.ts'
import { Button } from '../elements/button.tsx'
import { Waiting } from '../elements/states.tsx'
import { useMessages } from '../messages/messages.tsx'
import { Failed } from '../session/failed.tsx'
import { useKeys } from '../shell/keys.ts'
import { PdfPages } from './pdf-pages.tsx'
import { previewMessages } from './preview-messages.ts'

/** The most bytes of a PDF that is read into memory. */
const largestPdf = 50 * 1024 * 1024

const isPdf = ({ mimeType }: ShownFile) => mimeType === 'application/pdf'
const isTooLarge = (file: ShownFile) => isPdf(file) && file.sizeBytes > largestPdf

/** The bytes of a file, kept for as long as it may be looked at; asked for again it is there at once. */
function useBytes(file: ShownFile) {
  return useQuery({
    queryKey: ['file', file.key],
    queryFn: async () => {
      const address = await file.address()
      if (!isShowable(file.mimeType) || isTooLarge(file)) return { address, bytes: null }
      // A storage that lets no script read it still lets the person open it.
      const response = await fetch(address, { credentials: 'same-origin' }).catch(() => null)
      if (response === null || !response.ok) return { address, bytes: null }
      // It is shown as what it was announced to be, never as a page.
      return { address, bytes: new Blob([await response.arrayBuffer()], { type: file.mimeType }) }
    },
    staleTime: 120_000,
  })
}

const closest = 0.5
const widest = 4

interface Props {
  readonly file: ShownFile
  readonly title: string
  /** Whether it is only made ready, so that it is there when it is gone to; keys are for what is looked at. */
  readonly isAhead?: boolean
}

/** A file as it is: an image or the pages of a PDF, which are zoomed and turned, and the link that opens the file. */
export function Preview({ file, title, isAhead = false }: Props) {
  const { messages, language } = useMessages()
  const own = previewMessages[language]
  const read = useBytes(file)
  const shown = read.data?.bytes ?? null
  const [zoom, setZoom] = useState(1)
  const [turned, setTurned] = useState(0)
  const zoomBy = (factor: number) => setZoom((before) => Math.min(widest, Math.max(closest, before * factor)))
  const turn = () => setTurned((before) => (before + 90) % 360)
  useKeys(shown !== null && !isAhead ? { '+': () => zoomBy(1.25), '-': () => zoomBy(0.8), t: turn } : {})
  if (read.isPending) return <Waiting />
  if (read.isError) return <Failed error={read.error} again={() => void read.refetch()} />
  return (
    <>
      {shown !== null && (
        <>
          <div className="row">
            <Button keys="+" onClick={() => zoomBy(1.25)}>
              {own.closer}
            </Button>
            <Button keys="-" onClick={() => zoomBy(0.8)}>
              {own.farther}
            </Button>
            <Button keys="t" onClick={turn}>
              {own.turn}
            </Button>
          </div>
          {isPdf(file) ? (
            <PdfPages file={shown} title={title} zoom={zoom} turned={turned} />
          ) : (
            <Picture file={shown} title={title} name={file.fileName} zoom={zoom} turned={turned} />
          )}
        </>
      )}
      {isTooLarge(file) && <p className="fault">{own.faults.large}</p>}
      <p>
        <a className="button" href={read.data.address} target="_blank" rel="noreferrer">
          {messages.record.open}: {file.fileName}
        </a>
      </p>
    </>
  )
}

interface PictureProps {
  readonly file: Blob
  readonly title: string
  readonly name: string
  readonly zoom: number
  readonly turned: number
}

function Picture({ file, title, name, zoom, turned }: PictureProps) {
  const address = useObjectAddress(file)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled is scrolled by keys too (WCAG 2.2, 2.1.1)
    <section className="paper" tabIndex={0} aria-label={title}>
      {address !== null && (
        <img
          src={address}
          alt={`${title}: ${name}`}
          style={{ width: `${zoom * 100}%`, transform: `rotate(${turned}deg)` }}
        />
      )}
    </section>
  )
}

/** An address for a file in memory, which is given back when it is no longer shown. */
function useObjectAddress(file: Blob): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
      setAddress(null)
    }
  }, [file])
  return address
}
