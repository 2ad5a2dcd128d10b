/** Elements with which a text is HTML, when it begins with one of them. */
const htmlElement =
  'html|head|body|script|style|title|meta|link|base|iframe|frame|frameset|object|embed|applet|form|input|button|img|image|' +
  'video|audio|svg|math|table|div|span|p|a|b|i|br|h[1-6]|font|center|marquee|template|details'

const blankBeginning = /^\ufeff?(?:\s|<!--[\s\S]*?(?:-->|$))*/
const htmlBeginning = new RegExp(`^<(?:!doctype\\s+html|(?:${htmlElement})(?=[\\s>/]|$))`, 'i')
const rootElement = /<([a-z_][\w.-]*:)?([a-z_][\w.-]*)(?=[\s>/])/i
const markupBeginning = /^<(?:\?xml[\s?]|!doctype\s|[a-z_][\w.:-]*(?=[\s>/]))/i

/** What runs in a browser when it is found near the beginning of something else. */
const hidden = /<(?:!doctype\s+html|html|head|script|iframe|svg|\?php)(?=[\s>/]|$)/i

/** An image whose own first bytes open a comment of JavaScript. */
const scriptInImage = /^(?:GIF8[79]a|\xff\xd8\xff[\xe0\xe1])\/\*/

/**
 * The type of a text that something would run or that can carry what runs: HTML, SVG, other XML, scripts with their
 * mark. Null for every other text.
 */
export function findActiveType(text: string): string | null {
  const beginning = text.replace(blankBeginning, '').slice(0, 4096)
  if (htmlBeginning.test(beginning)) return /^<svg/i.test(beginning) ? 'image/svg+xml' : 'text/html'
  if (markupBeginning.test(beginning)) return getMarkupType(beginning)
  if (/^<(?:\?php|\?=|%)/i.test(beginning)) return 'application/x-httpd-php'
  if (/^#!\s*\//.test(beginning)) return 'application/x-sh'
  if (/^@?echo off\b/i.test(beginning)) return 'application/x-bat'
  return null
}

/** Whether a file that is no text carries HTML or a script near its beginning (4 KiB). */
export function hidesActiveContent(head: Buffer): boolean {
  const beginning = head.subarray(0, 4096).toString('latin1')
  return hidden.test(beginning) || scriptInImage.test(beginning)
}

/** XML by its root element; a prolog, comments and a document type may stand before it. */
function getMarkupType(markup: string): string {
  const body = markup.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(/<[?!][^>]*(?:>|$)/g, '')
  const element = rootElement.exec(body)?.[2]?.toLowerCase()
  if (element === 'svg' || /<!doctype\s+svg/i.test(markup)) return 'image/svg+xml'
  if (element === 'html') return 'application/xhtml+xml'
  return 'application/xml'
}
