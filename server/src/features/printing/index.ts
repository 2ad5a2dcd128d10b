export { printMethods } from './print-methods.ts'
