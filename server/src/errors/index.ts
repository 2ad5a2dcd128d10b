export { CommandError, type CommandErrorCode, rejections, unreadableFile } from './command-error.ts'
export { notFoundProblem, otherExternalIdProblem, Problem, referenceProblem, validationProblem } from './problem.ts'
export { inSources } from './source-positions.ts'
