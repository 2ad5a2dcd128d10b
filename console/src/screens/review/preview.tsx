import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fileAddress } from '../../calls/admissions-api.ts'
import { Button } from '../../elements/button.tsx'
import { Waiting } from '../../elements/states.tsx'
import { Failed } from '../../session/failed.tsx'
import { useKeys } from '../../shell/keys.ts'
import { useWords } from '../../words/words.tsx'
import { PdfPages } from './pdf-pages.tsx'
import { previewWords } from './preview-words.ts'

interface Version {
  readonly id: string
  readonly fileName: string
  readonly mimeType: string
  readonly sizeBytes: number
}

/** The most bytes of a PDF that is read into memory. */
const largestPdf = 50 * 1024 * 1024

const isImage = ({ mimeType }: Version) => /^image\/(?!svg)/.test(mimeType)
const isPdf = ({ mimeType }: Version) => mimeType === 'application/pdf'
const isTooLarge = (version: Version) => isPdf(version) && version.sizeBytes > largestPdf
const isShown = (version: Version) => isImage(version) || (isPdf(version) && !isTooLarge(version))

/** The file of a paper, kept for as long as it may be looked at; asked for again it is there at once. */
function useFile(documentId: string, version: Version) {
  return useQuery({
    queryKey: ['file', documentId, version.id],
    queryFn: async () => {
      const address = await fileAddress(documentId, version.id)
      if (!isShown(version)) return { address, file: null }
      // A storage that lets no script read it still lets the person open it.
      const answer = await fetch(address, { credentials: 'omit' }).catch(() => null)
      if (answer === null || !answer.ok) return { address, file: null }
      // It is shown as what it was announced to be, never as a page.
      return { address, file: new Blob([await answer.arrayBuffer()], { type: version.mimeType }) }
    },
    staleTime: 120_000,
  })
}

const closest = 0.5
const widest = 4

interface Props {
  readonly documentId: string
  readonly version: Version
  readonly title: string
  /** Whether it is only made ready, so that it is there when it is gone to; keys are for what is looked at. */
  readonly isAhead?: boolean
}

/** A paper as it is: an image or the pages of a PDF, which are zoomed and turned, and the link that opens the file. */
export function Preview({ documentId, version, title, isAhead = false }: Props) {
  const { words, language } = useWords()
  const own = previewWords[language]
  const file = useFile(documentId, version)
  const shown = file.data?.file ?? null
  const [zoom, setZoom] = useState(1)
  const [turned, setTurned] = useState(0)
  const zoomBy = (factor: number) => setZoom((before) => Math.min(widest, Math.max(closest, before * factor)))
  const turn = () => setTurned((before) => (before + 90) % 360)
  useKeys(shown !== null && !isAhead ? { '+': () => zoomBy(1.25), '-': () => zoomBy(0.8), t: turn } : {})
  if (file.isPending) return <Waiting />
  if (file.isError) return <Failed error={file.error} again={() => void file.refetch()} />
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
          {isPdf(version) ? (
            <PdfPages file={shown} title={title} zoom={zoom} turned={turned} />
          ) : (
            <Picture file={shown} title={title} name={version.fileName} zoom={zoom} turned={turned} />
          )}
        </>
      )}
      {isTooLarge(version) && <p className="fault">{own.faults.large}</p>}
      <p>
        <a className="button" href={file.data.address} target="_blank" rel="noreferrer">
          {words.record.open}: {version.fileName}
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
