export { writeInterchanges } from './write-interchanges.ts'
