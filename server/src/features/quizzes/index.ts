export { quizMethods } from './quiz-methods.ts'
export { quizRecords } from './quiz-records.ts'
