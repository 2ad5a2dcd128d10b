import PDFDocument from 'pdfkit'

interface PaperOptions {
  readonly pages?: number
  readonly userPassword?: string
  /** What a viewer that runs scripts would run when the paper is opened. */
  readonly script?: string
}

/** The bytes of a PDF as an office writes it: a line of text on each page, in a font that it leaves to the reader, on a coloured ground. */
export async function aPaper({ pages = 1, userPassword, script }: PaperOptions = {}): Promise<Buffer> {
  const paper = new PDFDocument({
    size: 'A4',
    autoFirstPage: false,
    pdfVersion: '1.7',
    ...(userPassword !== undefined && { userPassword }),
  })
  for (let page = 1; page <= pages; page += 1) {
    paper.addPage().rect(0, 0, 595, 200).fill('#0b5a52').fillColor('#000').fontSize(40)
    paper.text(`Certificate, sheet ${page}`, 60, 300)
  }
  if (script !== undefined) {
    const { data } = (paper as unknown as { _root: { data: Record<string, unknown> } })._root
    data.OpenAction = { S: 'JavaScript', JS: new String(script) }
    data.AA = { WC: { S: 'JavaScript', JS: new String(script) } }
  }
  const parts: Buffer[] = []
  paper.on('data', (part: Buffer) => parts.push(part))
  const whole = new Promise<Buffer>((resolve) => paper.once('end', () => resolve(Buffer.concat(parts))))
  paper.end()
  return whole
}

/** The bytes of a PDF as a scanner writes it: one black image, compressed as faxes are (CCITT group 4). */
export function aScan(): Buffer {
  const image = Buffer.from([0xff, 0xff, 0x00, 0x10, 0x01]).toString('latin1')
  const content = 'q 400 0 0 400 50 50 cm /Scan Do Q'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 600] /Resources << /XObject << /Scan 4 0 R >> >> /Contents 5 0 R >>',
    `<< /Type /XObject /Subtype /Image /Width 16 /Height 16 /BitsPerComponent 1 /ColorSpace /DeviceGray /Decode [1 0]
        /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 16 /Rows 16 >> /Length ${image.length} >>
     stream\n${image}\nendstream`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  const body = objects.map((text, index) => `${index + 1} 0 obj\n${text}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.7\n${body}trailer << /Root 1 0 R /Size 6 >>\n%%EOF\n`, 'latin1')
}
