export { ClosedLink, fileProblemInWords, problemInWords } from './page-problem.ts'
export { addPublicPages, type PageAnswer, type PublicPage } from './public-pages.ts'
export type { FilePart, TextPart, Visit } from './visit.ts'
