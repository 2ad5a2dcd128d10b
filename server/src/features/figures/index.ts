export { figureRoutes } from './figures.ts'
