const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in bytes as people say it, such as `20 MB`; a megabyte is 1024 × 1024 bytes, as file limits are set. */
export function formatSize(locale: string, bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  const maximumFractionDigits = value < 10 ? 1 : 0
  const unit = units[step] as string
  const unitDisplay = step === 0 ? 'long' : 'short'
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value)
}

const typeNames: Record<string, string> = {
  'application/pdf': 'PDF',
  'image/jpeg': 'JPG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/heic': 'HEIC',
  'image/heif': 'HEIF',
  'image/gif': 'GIF',
  'image/tiff': 'TIFF',
  'text/plain': 'TXT',
  'text/csv': 'CSV',
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'application/vnd.ms-excel': 'XLS',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'application/zip': 'ZIP',
}

/** Media types as people know them, by the usual endings of their files: `PDF, JPG or PNG`. */
export function typesText(locale: string, mediaTypes: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(mediaTypes.map(typeName))
}

function typeName(mediaType: string): string {
  return typeNames[mediaType] ?? (mediaType.split('/')[1] ?? mediaType).replace(/^(x-|vnd\.)/, '').toUpperCase()
}
