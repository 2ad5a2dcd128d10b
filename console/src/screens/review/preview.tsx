import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fileAddress } from '../../calls/admissions-api.ts'
import { Button } from '../../elements/button.tsx'
import { Waiting } from '../../elements/states.tsx'
import { Failed } from '../../session/failed.tsx'
import { useKeys } from '../../shell/keys.ts'
import { useWords } from '../../words/words.tsx'
import { previewWords } from './preview-words.ts'

interface Version {
  readonly id: string
  readonly fileName: string
  readonly mimeType: string
}

/** Images alone: a browser's reader of PDFs takes the keys for itself, and whoever judges by keys would be stuck in it. */
const isShown = (mimeType: string) => /^image\/(?!svg)/.test(mimeType)

/** The file of a paper, kept for as long as it may be looked at; asked for again it is there at once. */
export function useFile(documentId: string | undefined, version: Version | null) {
  return useQuery({
    queryKey: ['file', documentId, version?.id],
    queryFn: async () => {
      const address = await fileAddress(documentId ?? '', version?.id ?? '')
      if (version === null || !isShown(version.mimeType)) return { address, file: null }
      // A storage that lets no script read it still lets the person open it.
      const answer = await fetch(address, { credentials: 'omit' }).catch(() => null)
      if (answer === null || !answer.ok) return { address, file: null }
      // It is shown as what it was announced to be, never as a page.
      return { address, file: new Blob([await answer.arrayBuffer()], { type: version.mimeType }) }
    },
    enabled: documentId !== undefined && version !== null,
    staleTime: 120_000,
  })
}

const closest = 0.5
const widest = 4

interface Props {
  readonly documentId: string
  readonly version: Version
  readonly title: string
}

/** A paper as it is: an image that is zoomed and turned, anything else behind a link. */
export function Preview({ documentId, version, title }: Props) {
  const { words, language } = useWords()
  const own = previewWords[language]
  const file = useFile(documentId, version)
  const address = useObjectAddress(file.data?.file ?? null)
  const [zoom, setZoom] = useState(1)
  const [turned, setTurned] = useState(0)
  const zoomBy = (factor: number) => setZoom((before) => Math.min(widest, Math.max(closest, before * factor)))
  useKeys(
    address !== null
      ? { '+': () => zoomBy(1.25), '-': () => zoomBy(0.8), t: () => setTurned((before) => (before + 90) % 360) }
      : {},
  )
  if (file.isPending) return <Waiting />
  if (file.isError) return <Failed error={file.error} again={() => void file.refetch()} />
  return (
    <>
      {address !== null && (
        <>
          <div className="row">
            <Button keys="+" onClick={() => zoomBy(1.25)}>
              {own.closer}
            </Button>
            <Button keys="-" onClick={() => zoomBy(0.8)}>
              {own.farther}
            </Button>
            <Button keys="t" onClick={() => setTurned((before) => (before + 90) % 360)}>
              {own.turn}
            </Button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled is scrolled by keys too (WCAG 2.2, 2.1.1) */}
          <section className="paper" tabIndex={0} aria-label={title}>
            <img
              src={address}
              alt={`${title}: ${version.fileName}`}
              style={{ width: `${zoom * 100}%`, transform: `rotate(${turned}deg)` }}
            />
          </section>
        </>
      )}
      <p>
        <a className="button" href={file.data.address} target="_blank" rel="noreferrer">
          {words.record.open}: {version.fileName}
        </a>
      </p>
    </>
  )
}

/** An address for a file in memory, which is given back when it is no longer shown. */
function useObjectAddress(file: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (file === null) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
      setAddress(null)
    }
  }, [file])
  return address
}
