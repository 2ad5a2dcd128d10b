export { type InterchangeCounts, writeInterchanges } from './write-interchanges.ts'
