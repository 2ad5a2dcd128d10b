import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { AskedFiles } from './asked-files.ts'
import type { FromReader, Handover, ToReader } from './messages.ts'
import { Sheets } from './sheets.ts'

/** The most pages that are shown of one paper. */
const maxPages = 100

/** The most dots of an image inside a paper: A3 at 600 dots an inch has 70 million. */
const largestImage = 100_000_000

interface ScriptAddresses {
  createScriptURL(address: string): string
}

/** The one way of this page from text to script: its own workers. Older browsers know no such policies. */
const policies = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: ScriptAddresses): ScriptAddresses } }
).trustedTypes
const asIs: ScriptAddresses = { createScriptURL: (address) => address }
const policy = policies?.createPolicy('reader', asIs) ?? asIs

/** The library’s worker, whose program lies in this page as text, since a page without an origin may fetch none. */
function startWorker(): Worker {
  const text = document.getElementById('worker')?.textContent ?? ''
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  return new Worker(policy.createScriptURL(address))
}

/** Opens the paper and tells how that went; nothing of it runs: neither its scripts nor its links nor its forms. */
async function show(handover: Handover, port: MessagePort): Promise<void> {
  const tell = (message: FromReader) => port.postMessage(message)
  const files = new AskedFiles((name) => tell({ kind: 'ask', name }))
  let sheets: Sheets | null = null
  let turned = handover.turned
  port.onmessage = ({ data }: MessageEvent<ToReader>) => {
    if (data.kind === 'file') return files.came(data.name, data.bytes)
    turned = data.turned
    sheets?.turn(turned)
  }
  document.documentElement.lang = handover.language
  GlobalWorkerOptions.workerPort = startWorker()
  let paper: PDFDocumentProxy
  try {
    paper = await getDocument({
      data: new Uint8Array(handover.bytes),
      verbosity: 0,
      maxImageSize: largestImage,
      // Decoders, fonts and tables come over the port; their addresses are never called.
      BinaryDataFactory: files.factory,
      useWorkerFetch: false,
      useSystemFonts: false,
      wasmUrl: 'beside/',
      standardFontDataUrl: 'beside/',
      cMapUrl: 'beside/',
    }).promise
    sheets = await Sheets.of(paper, Math.min(paper.numPages, maxPages), handover)
  } catch (error) {
    return tell({ kind: 'fault', fault: (error as Error).name === 'PasswordException' ? 'password' : 'damaged' })
  }
  tell({ kind: 'opened', pages: paper.numPages, shown: sheets.count })
  sheets.turn(turned)
  sheets.watch((height) => tell({ kind: 'height', height }))
  await sheets.readOthers()
}

// What is not looked at yet is drawn too, and browsers give it no frames.
window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()))

const listening = new AbortController()
addEventListener(
  'message',
  ({ source, data, ports: [port] }: MessageEvent<Handover>) => {
    if (source !== parent || port === undefined || !(data?.bytes instanceof ArrayBuffer)) return
    listening.abort()
    void show(data, port)
  },
  { signal: listening.signal },
)
