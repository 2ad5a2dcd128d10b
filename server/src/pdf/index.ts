export { ink, type PrintedContent, PrintedPages, printedNumber } from './pdf-pages.ts'
export { findUnprintable } from './printed-fonts.ts'
