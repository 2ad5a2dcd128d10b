export { ink, PrintedPages, printedNumber } from './pdf-pages.ts'
