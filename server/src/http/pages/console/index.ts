export { readConsoleBuild } from './console-build.ts'
export { addConsolePages } from './console-pages.ts'
