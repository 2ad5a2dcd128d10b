import { besideReader, readerPage } from 'virtual:reader'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../messages/messages.tsx'
import type { FromReader, Handover, ToReader, ValidationError } from '../reader/messages.ts'
import { previewMessages } from './preview-messages.ts'

/** How long a paper may take until its first page is known, in milliseconds. */
const longestOpening = 20_000

/** The most CSS pixels of all pages together, whatever a reader says. */
const maxHeight = 1_000_000

interface Props {
  readonly file: Blob
  readonly title: string
  readonly zoom: number
  /** In degrees, clockwise. */
  readonly turned: number
}

/**
 * The pages of a PDF, one below the other, drawn by a page without an origin (`reader/`) that has this one file and nothing else. It is as high as all
 * pages and never has the focus: what is scrolled and who hears the keys is the console, so that nothing in a paper can press them.
 */
export function PdfPages({ file, title, zoom, turned }: Props) {
  const { language } = useMessages()
  const own = previewMessages[language]
  const [validationError, setError] = useState<ValidationError | 'late' | null>(null)
  const [opened, setOpened] = useState<{ readonly pages: number; readonly shown: number } | null>(null)
  const [height, setHeight] = useState<number | null>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const section = useRef<HTMLElement>(null)
  const port = useRef<MessagePort | null>(null)
  const hear = ({ data }: MessageEvent<FromReader>) => {
    if (data.kind === 'opened') setOpened({ pages: Number(data.pages), shown: Number(data.shown) })
    if (data.kind === 'height') setHeight(Math.min(maxHeight, Math.max(1, Number(data.height) || 1)))
    if (data.kind === 'fault') setError(data.fault === 'password' ? 'password' : 'damaged')
    if (data.kind === 'ask') void hand(port.current, data.name)
  }
  const begin = async () => {
    // A page that comes later into the frame is not the reader, and is told nothing.
    if (port.current !== null) return
    const { port1, port2 } = new MessageChannel()
    port.current = port1
    port1.onmessage = hear
    const bytes = await file.arrayBuffer()
    const handover: Handover = { bytes, turned, language, page: own.page, unreadable: own.unreadable }
    frame.current?.contentWindow?.postMessage(handover, '*', [bytes, port2])
  }
  useEffect(() => () => port.current?.close(), [])
  useEffect(() => port.current?.postMessage({ kind: 'turn', turned } satisfies ToReader), [turned])
  const isOpening = opened === null && validationError === null
  useEffect(() => {
    if (!isOpening) return
    const late = setTimeout(() => setError('late'), longestOpening)
    return () => clearTimeout(late)
  }, [isOpening])
  useEffect(() => {
    // Whoever is led into the frame, by a script or a screen reader, is led back to where the keys are heard, once the browser is there.
    const back = () => {
      if (document.activeElement === frame.current) section.current?.focus()
    }
    const left = () => setTimeout(back)
    addEventListener('blur', left)
    return () => removeEventListener('blur', left)
  }, [])
  if (validationError !== null)
    return (
      <p className="fault" role="status">
        {own.faults[validationError]}
      </p>
    )
  return (
    <>
      <p className="quiet small" role="status">
        {opened !== null &&
          (opened.shown < opened.pages ? own.some(opened.shown, opened.pages) : own.pages(opened.pages))}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled is scrolled by keys too (WCAG 2.2, 2.1.1) */}
      <section className="paper sheets" tabIndex={0} aria-label={title} aria-busy={isOpening} ref={section}>
        <iframe
          className="pages"
          ref={frame}
          src={readerPage}
          sandbox="allow-scripts"
          title={title}
          tabIndex={-1}
          style={{ width: `${zoom * 100}%`, height: height === null ? '100%' : height }}
          onLoad={() => void begin()}
        />
      </section>
    </>
  )
}

/** Hands a reader a file that it asked for, of those that lie beside it and no others. */
async function hand(port: MessagePort | null, name: string): Promise<void> {
  if (!/^[\w-]+\.(?:wasm|pfb|ttf|bcmap)$/.test(name)) return
  const response = await fetch(besideReader + name).catch(() => null)
  const bytes = response?.ok === true ? await response.arrayBuffer() : null
  port?.postMessage({ kind: 'file', name, bytes } satisfies ToReader, bytes === null ? [] : [bytes])
}
