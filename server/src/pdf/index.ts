export { ink, PrintedPages, printedNumber } from './pdf-pages.ts'
export { findUnprintable } from './printed-fonts.ts'
