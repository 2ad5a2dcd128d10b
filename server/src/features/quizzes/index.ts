export { quizRecords } from './quiz-records.ts'
